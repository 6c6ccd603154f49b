internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

/// A run as JUnit XML: one suite per vector file, one case per vector.
///
/// A deviation from a recommendation is a skipped case, and so is a known failure and one that only
/// the grade `contract` counts: as failures they would fail builds. Each invalid declaration of the
/// implementation is its own case.
struct JUnitReport {
  private let report: RunReport

  init(_ report: RunReport) { self.report = report }

  var text: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    var suites: [(file: String, results: [RunReport.Result])] = []
    for result in report.results {
      if suites.last.map({ JSONString($0.file) }) == JSONString(result.vector.file) {
        suites[suites.count - 1].results.append(result)
      } else {
        suites.append((result.vector.file, [result]))
      }
    }
    let faults = RunSummary(report).runFaults
    let total = Counts(report.results) + Counts(faults: faults.count)
    lines.append("<testsuites name=\"touchstone\"\(total.attributes)>")
    for suite in suites { lines += Self.suite(suite.file, suite.results) }
    if !faults.isEmpty { lines += Self.suite(faults: faults) }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func suite(_ file: String, _ results: [RunReport.Result]) -> [String] {
    let name = XML.attribute(file)
    var lines = ["  <testsuite name=\"\(name)\"\(Counts(results).attributes)>"]
    for result in results {
      let id = XML.attribute(result.vector.id.description)
      let family = XML.attribute(result.vector.family.string)
      let time = seconds(result.durationNanoseconds)
      let open = "    <testcase classname=\"touchstone.\(family)\" name=\"\(id)\" time=\"\(time)\""
      switch result.verdict {
      case .pass: lines.append(open + "/>")
      case .skipped(let skip):
        lines.append("\(open)><skipped message=\"\(XML.attribute(skip.description))\"/></testcase>")
      case .harnessError(let failure):
        let message = XML.attribute(failure.description)
        lines.append("\(open)><error type=\"harnessError\" message=\"\(message)\"/></testcase>")
      case .fail(let witness):
        lines.append(open + ">")
        lines += failure(witness, result)
        lines.append("    </testcase>")
      }
    }
    return lines + ["  </testsuite>"]
  }

  private static func failure(_ witness: Witness, _ result: RunReport.Result) -> [String] {
    if let entry = result.knownFailure {
      let message = XML.attribute("\(entry.name): \(witness.message); \(entry.explanation)")
      return ["      <skipped message=\"\(message)\"/>"]
    }
    let sentence = XML.attribute(witness.vector.clauses.first?.text.string ?? "")
    if result.isDeviation {
      return ["      <skipped message=\"deviates from: \(sentence)\"/>"]
    }
    if result.isContractOnlyFailure {
      let message = XML.attribute("required by grade contract alone: \(witness.message)")
      return ["      <skipped message=\"\(message)\"/>"]
    }
    let clause = XML.attribute(witness.vector.clauses.first?.id.description ?? "")
    return [
      "      <failure type=\"\(clause)\" message=\"\(sentence)\">"
        + XML.content(witness.description) + "</failure>"
    ]
  }

  private static func suite(faults: [String]) -> [String] {
    var lines = [
      "  <testsuite name=\"run\"\(Counts(faults: faults.count).attributes)>"
    ]
    for fault in faults {
      let message = XML.attribute(fault)
      lines.append("    <testcase classname=\"touchstone.run\" name=\"\(message)\" time=\"0.000\">")
      lines.append("      <failure type=\"run\" message=\"\(message)\"/>")
      lines.append("    </testcase>")
    }
    return lines + ["  </testsuite>"]
  }

  /// Seconds with three digits, which is the precision of Jenkins.
  private static func seconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    let digits = String(milliseconds % 1000)
    let zeros = String(repeating: "0", count: 3 - digits.utf8.count)
    return "\(milliseconds / 1000).\(zeros)\(digits)"
  }

  /// The counts that a suite begins with.
  private struct Counts {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var nanoseconds: UInt64 = 0

    init(_ results: [RunReport.Result]) {
      let tally = Tally(results)
      tests = tally.executed + tally.skipped + tally.notTested
      failures = tally.requiredFailures
      errors = tally.harnessErrors
      skipped =
        tally.skipped + tally.notTested + tally.deviations + tally.contractOnly + tally.known
        + tally.explained
      nanoseconds = results.reduce(0) { $0 + $1.durationNanoseconds }
    }

    init(faults: Int) {
      tests = faults
      failures = faults
    }

    static func + (left: Counts, right: Counts) -> Counts {
      var sum = left
      sum.tests += right.tests
      sum.failures += right.failures
      return sum
    }

    var attributes: String {
      " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        + " time=\"\(JUnitReport.seconds(nanoseconds))\""
    }
  }
}

/// Text as XML 1.0 can represent it.
enum XML {
  /// Text between tags.
  static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

  /// Text between double quotes, where line breaks would become spaces.
  static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

  private static func escaped(_ text: String, inAttribute: Bool) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      switch scalar.value {
      // The escaped text reads back unchanged, and contains no commands for build servers.
      case 0x23 where scalars.beginsCommand(at: place), 0x3A where scalars.beginsCommand(at: place):
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case 0x26: result.append(contentsOf: "&amp;".unicodeScalars)
      case 0x3C: result.append(contentsOf: "&lt;".unicodeScalars)
      // Only `]]>` needs it, and only outside of attributes; escaping all is simpler.
      case 0x3E: result.append(contentsOf: "&gt;".unicodeScalars)
      case 0x22: result.append(contentsOf: "&quot;".unicodeScalars)
      // Unescaped, these would be read back as a line feed, and in an attribute as a space.
      case 0x0D: result.append(contentsOf: "&#13;".unicodeScalars)
      case 0x09, 0x0A:
        if inAttribute {
          result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
        } else {
          result.append(scalar)
        }
      // XML has no encoding for the other controls and for the two noncharacters.
      case 0..<0x20, 0xFFFE, 0xFFFF:
        result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      // These are characters of XML, but would control a terminal that shows them.
      case _ where scalar.isUnprintable:
        result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
