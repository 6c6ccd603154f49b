internal import Datastore
public import JSON
public import Scenarios

extension Differential.Disagreement {
  /// The disagreement as a vector, which the store fails and the model passes.
  ///
  /// Names that a store chooses are bound at their first occurrence and referenced later, so that
  /// the vector can be run against any store.
  public func vector() throws(DecodingFailure) -> Vector {
    let asked = steps.compactMap { step -> UpdateSequence? in
      if case .changes(let since, _) = step.operation.action { since } else { nil }
    }
    var writer = VectorWriter(revisionIDs: revisionIDs, sequences: Set(asked))
    var vectorSteps: [Scenarios.Step] = []
    for (place, step) in steps.enumerated() {
      let isLast = place == steps.count - 1
      let template = try OperationTemplate(writer.template(of: step.operation))
      let expected = isLast && finding == nil ? accepted.first ?? step.outcome : step.outcome
      let expectation = writer.expectation(
        of: step.operation.action, expected, isLast: isLast)
      vectorSteps.append(
        try Scenarios.Step(
          template,
          try ExpectedOutcome(expectation, of: step.operation.action, path: "")
        ).shortened())
    }
    if let collision = try collision(&writer) {
      vectorSteps.removeLast()
      vectorSteps += collision
    }
    let capabilities = steps.reduce(into: Set<Capability>()) {
      $0.formUnion($1.operation.action.capabilities)
    }
    return Vector(
      id: VectorID(JSONString("model-seed-\(seed)")), clauses: [ClauseID("MODEL-001")],
      profile: profile, capabilities: Capability.allCases.filter { capabilities.contains($0) },
      note: JSONString("Found by comparison with the model at seed \(seed), and shrunk."),
      isOpened: false, steps: vectorSteps)
  }

  /// The last step of a sequence in which two stores give one id to different edits, and a question
  /// to the other store, which must not have the revision; nil for any other sequence.
  private func collision(
    _ writer: inout VectorWriter
  ) throws(DecodingFailure) -> [Scenarios.Step]? {
    guard let otherStore, let last = steps.last, case .ok(.written(let id, _)) = last.outcome,
      otherStore != last.operation.store
    else { return nil }
    let other: JSONValue = ["$ref": "other"]
    let question: JSONValue = [
      "op": "revsDiff", "store": .string(otherStore.text),
      "revs": [["id": id.json, "revs": [other]]],
    ]
    let difference: JSONValue = [
      "ok": ["results": [["id": id.json, "missing": [other]]]]
    ]
    let written: JSONValue = ["ok": ["rev": ["$bind": "other"]]]
    return [
      try Scenarios.Step(
        OperationTemplate(writer.template(of: last.operation)),
        ExpectedOutcome(written, of: last.operation.action, path: "")),
      try Scenarios.Step(
        OperationTemplate(question), ExpectedOutcome(difference, of: .revsDiff([]), path: "")),
    ]
  }

  /// The explicit arguments with which the stores were opened.
  private var opening: (revisionIDs: RevisionIDProfile?, collation: CollationName?) {
    var opening: (revisionIDs: RevisionIDProfile?, collation: CollationName?) = (nil, nil)
    for step in steps {
      guard case .open(let revisionIDs, let collation) = step.operation.action else { continue }
      opening.revisionIDs = opening.revisionIDs ?? revisionIDs
      opening.collation = opening.collation ?? collation
    }
    return opening
  }

  private var revisionIDs: RevisionIDProfile { opening.revisionIDs ?? .own }

  private var profile: Profile {
    switch opening {
    case (.cdtDigest, _), (.cdtDigest2, _): .cdtDigest
    case (_, .cdt): .cdtCollation
    case (.couchdb, _), (_, .couchdb): .couchdb
    default: .core
    }
  }
}
