internal import Datastore
internal import JSON
internal import Scenarios

/// A run as JSON Lines: a header, one line per vector in the order of the corpus, a footer.
///
/// Every line is an object with a `kind`. Equal runs of a deterministic implementation give equal
/// bytes, because there are no times in them. Characters that some readers take for the end of a
/// line are escaped. The `version` of the format changes when a member is removed or changes its
/// meaning; members may be added at any time.
///
/// * `header`: `format` (`touchstone-run`), `version` (1), `tool` {name, version}, `implementation`
///   {name, version, language?, homepage?, capabilities, restrictions, profiles, sharedLayers,
///   limits, defaults, deterministic,
///   crashes},
///   `corpus` {vectors, clauses, manifest (its SHA-256 or null), released, differences}, `grade`
///   (`family`, `contract`), `selected`, `label` when several implementations were asked,
///   and `product` {name, version, deviations} when a product file was given.
/// * `vector`: `id`, `file`, `clauses`, `profile`, `capabilities`, `verdict` (`pass`, `fail`,
///   `skipped`, `notTested`, `harnessError`), `required` (whether a failure counts at the grade), `weight`
///   (`required`, `contractOnly`, `recommended`), with `fail` a
///   `knownFailure` {vector, message, reason, link?, expires?} when a list knows of it, or the ids of
///   the declared `deviations` that explain it, and a
///   `witness` {step, operation, expected, actual, differences [{path, expected?, actual?,
///   remark?}], message, transcript, diagnosis, log?, rerun?}; with the last three verdicts a
///   `reason`, and with `notTested` the `restrictions` that prevent the vector.
/// * `footer`: `conclusion` (`conformant`, `restricted`, `selectionPassed`, `otherCorpusPassed`, `incomplete`,
///   `explained`, `knownFailuresOnly`, `notConformant`, `harnessFailed`), `reasons`,
///   `stopped` (null, `interrupted`, `repeatedError`), `executed`, `passed`,
///   `failed`, `deviations`, `contractOnly`, `known`, `explained` (with a product), `knownFailureProblems`,
///   `skipped`, `notTested`,
///   `harnessErrors`, `offers` [{name, offered, grade, passed, count}], `clauses` [{id, level, binds,
///   verdict}].
struct JSONLinesReport {
  private let report: RunReport
  private let summary: RunSummary
  /// The label of the implementation, if there are several.
  private let label: String?

  init(_ report: RunReport, label: String? = nil) {
    self.report = report
    self.label = label
    summary = RunSummary(report)
  }

  var text: String {
    let lines = [header] + report.results.map { line($0) } + [footer]
    return lines.map { SafeJSON($0).line + "\n" }.joined()
  }

  private var header: JSONValue {
    var header: JSONObject = [
      "kind": "header", "format": "touchstone-run", "version": 1,
      "tool": ["name": "touchstone", "version": .text(toolVersion)],
      "implementation": report.implementation.json,
      "corpus": [
        "vectors": .count(report.corpus.vectors.count),
        "clauses": .count(report.corpus.clauses.count),
        "manifest": report.corpus.manifestSHA256.map { .text($0) } ?? .null,
        "released": .bool(report.corpus.integrity == .released),
        "differences": .array(report.corpus.differences.map { .text($0.description) }),
      ],
      "grade": .text(report.corpus.grade.rawValue),
      "selected": .count(report.results.count),
    ]
    header["label"] = label.map { .text($0) }
    header["product"] = report.product.map { product in
      [
        "name": .text(product.name), "version": .text(product.version),
        "deviations": .array(product.deviations.map { .text($0.id) }),
      ]
    }
    return .object(header)
  }

  private func line(_ result: RunReport.Result) -> JSONValue {
    let vector = result.vector.vector
    var line: JSONObject = [
      "kind": "vector", "id": vector.id.json, "file": .text(result.vector.file),
      "clauses": .array(vector.clauses.map { $0.json }), "profile": .text(vector.profile.rawValue),
      "capabilities": .names(vector.capabilities), "verdict": .text(result.verdict.name),
      "required": .bool(result.vector.isRequired),
      "weight": .text(result.vector.weight.rawValue),
    ]
    switch result.verdict {
    case .pass: break
    case .fail(let witness):
      line["witness"] = witness.json
      line["knownFailure"] = result.knownFailure?.entry?.json
      let deviations = result.knownFailure?.deviations ?? []
      if !deviations.isEmpty {
        line["deviations"] = .array(deviations.map { .text($0.id) })
      }
    case .skipped(let skip):
      line["reason"] = .text(skip.description)
      if skip.isRestricted { line["restrictions"] = .names(skip.restrictions) }
    case .harnessError(let failure): line["reason"] = .text(failure.description)
    }
    return .object(line)
  }

  private var footer: JSONValue {
    let total = summary.total
    var footer: JSONObject = [
      "kind": "footer", "conclusion": .text(summary.conclusion.name),
      "reasons": .array(summary.conclusion.reasons.map { .text($0) }),
      "stopped": report.stop.map { .text($0.name) } ?? .null,
      "executed": .count(total.executed), "passed": .count(total.passed),
      "failed": .count(total.failed), "deviations": .count(total.deviations),
      "contractOnly": .count(total.contractOnly), "known": .count(total.known),
      "knownFailureProblems": .array(report.knownFailureProblems.map { .text($0) }),
      "skipped": .count(total.skipped), "notTested": .count(total.notTested),
      "harnessErrors": .count(total.harnessErrors),
      "offers": .array(
        summary.offers.map { offer in
          [
            "name": .text(offer.offer.name), "offered": .bool(offer.isMade),
            "grade": .text(offer.grade.rawValue),
            "passed": .count(offer.tally.passed), "count": .count(offer.tally.count),
          ]
        }),
      "clauses": .array(
        summary.clauses.map { clause, verdict in
          [
            "id": clause.id.json, "level": .text(clause.level.rawValue),
            "binds": .text(clause.binds.name),
            "verdict": .text(verdict.rawValue),
          ]
        }),
    ]
    if report.product != nil { footer["explained"] = .count(total.explained) }
    return .object(footer)
  }
}

extension Witness {
  fileprivate var json: JSONValue {
    var witness: JSONObject = [
      "message": .text(message),
      "step": step.map { .count($0) } ?? .null, "operation": exchange.operation,
      "expected": expected, "actual": exchange.outcome,
      "differences": .array(
        mismatches.map { mismatch in
          var difference: JSONObject = ["path": .text(mismatch.path.description)]
          difference["expected"] = mismatch.expected
          difference["actual"] = mismatch.actual
          if !mismatch.remark.isEmpty { difference["remark"] = .text(mismatch.remark) }
          return .object(difference)
        }),
      "transcript": .array(
        transcript.map { ["operation": $0.operation, "outcome": $0.outcome] }),
      "diagnosis": .array(hints.map { .text($0) }),
    ]
    if !log.isEmpty { witness["log"] = .text(log) }
    witness["rerun"] = rerun.map { .text($0) }
    return .object(witness)
  }
}

extension ImplementationDescription {
  /// The description of the implementation, in orders that do not depend on hashing.
  fileprivate var json: JSONValue {
    var json: JSONObject = ["name": .text(name), "version": .text(version)]
    json["language"] = language.map { .text($0) }
    json["homepage"] = homepage.map { .text($0) }
    let rest: JSONObject = [
      "capabilitiesVersion": 3,
      "capabilities": .names(Capability.allCases.filter { capabilities.contains($0) }),
      "restrictions": .names(Restriction.allCases.filter { restrictions.contains($0) }),
      "profiles": .names(Profile.allCases.filter { profiles.contains($0) }),
      "sharedLayers": .names(Capability.allCases.filter { sharedLayers.contains($0) }),
      "limits": limitsJSON,
      "defaults": [
        "revisionIDs": .text(defaults.revisionIDs.rawValue),
        "collation": .text(defaults.collation.rawValue),
      ],
      "deterministic": .bool(isDeterministic),
      "crashes": .names(CrashKind.allCases.filter { crashes.contains($0) }),
    ]
    return .object(JSONObject((json.members + rest.members).map { ($0.name, $0.value) }))
  }

  private var limitsJSON: JSONValue {
    var json: JSONObject = [
      "bodyBytesMax": .count(limits.bodyBytesMax), "idBytesMax": .count(limits.idBytesMax),
      "depthMax": .count(limits.depthMax),
    ]
    if capabilities.contains(.attachment) {
      json["inlineBytesMax"] = .count(limits.inlineBytesMax)
      json["attachmentBytesMax"] = .count(limits.attachmentBytesMax)
    }
    return .object(json)
  }
}

extension JSONValue {
  fileprivate static func names(
    _ cases: [some RawRepresentable<String>]
  ) -> JSONValue {
    .array(cases.map { .text($0.rawValue) })
  }
}
