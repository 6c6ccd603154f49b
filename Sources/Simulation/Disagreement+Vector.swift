internal import Datastore
public import JSON
public import Scenarios

extension Differential.Disagreement {
  /// The disagreement as a vector, which the store fails and the model passes.
  ///
  /// Whatever a store names itself is bound where it first appears and referred to from there on,
  /// so that the vector can be run against any store.
  public func vector() throws(DecodingFailure) -> Vector {
    let asked = steps.compactMap { step -> UpdateSequence? in
      if case .changes(let since, _) = step.operation.action { since } else { nil }
    }
    var writer = VectorWriter(revisionIDs: revisionIDs, sequences: Set(asked))
    var vectorSteps: [Scenarios.Step] = []
    for (place, step) in steps.enumerated() {
      let isLast = place == steps.count - 1
      let template = try OperationTemplate(writer.template(of: step.operation))
      let expected = isLast ? accepted.first ?? step.outcome : step.outcome
      let expectation = writer.expectation(
        of: step.operation.action, expected, isLast: isLast)
      vectorSteps.append(
        Scenarios.Step(template, try Expectation(expectation, of: step.operation.action, path: "")))
    }
    let capabilities = steps.reduce(into: Set<Capability>()) {
      $0.formUnion($1.operation.action.capabilities)
    }
    return Vector(
      id: VectorID(Text("model-seed-\(seed)")), clauses: [ClauseID("MODEL-001")],
      profile: profile, capabilities: Capability.allCases.filter { capabilities.contains($0) },
      note: Text("Found by comparison with the model at seed \(seed), then shortened."),
      isOpened: false, steps: vectorSteps)
  }

  private var opening: (revisionIDs: RevisionIDProfile?, collation: CollationName?) {
    for step in steps {
      if case .open(let revisionIDs, let collation) = step.operation.action {
        return (revisionIDs, collation)
      }
    }
    return (nil, nil)
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

/// Turns operations and outcomes into steps in which a store's own names are variables.
private struct VectorWriter {
  let revisionIDs: RevisionIDProfile
  /// The sequences that some step asks with; no other one needs a variable.
  let sequences: Set<UpdateSequence>
  /// The variables of names that a store has made, by the name as JSON.
  private var variables: [JSONValue: Text] = [:]

  init(revisionIDs: RevisionIDProfile, sequences: Set<UpdateSequence>) {
    self.revisionIDs = revisionIDs
    self.sequences = sequences
  }

  /// The operation with references to what was bound.
  func template(of operation: Operation) -> JSONValue { referring(operation.json) }

  private func referring(_ value: JSONValue) -> JSONValue {
    if let variable = variables[value] { return ["$ref": .string(variable)] }
    switch value {
    case .array(let elements): return .array(elements.map { referring($0) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { member in
            let isData = member.name == "body" || member.name == "value"
            return (member.name, isData ? member.value : referring(member.value))
          }))
    default: return value
    }
  }

  /// What a step must answer: on the way only what later steps refer to, at the end everything but
  /// what is opaque.
  mutating func expectation(
    of action: Action, _ outcome: Outcome, isLast: Bool
  ) -> JSONValue {
    switch outcome {
    case .ok(let result):
      return ["ok": isLast ? .object(closing(result)) : .object(binding(result, of: action))]
    case .error(var error):
      error.message = ""
      return ["error": error.json]
    case .unknown: return ["ok": [:]]
    }
  }

  private func closing(_ result: OperationResult) -> JSONObject {
    guard case .object(let object) = referring(result.json) else { return [:] }
    return object.withoutOpaqueMembers
  }

  private mutating func binding(_ result: OperationResult, of action: Action) -> JSONObject {
    switch (result, action) {
    case (.written(let id, let rev), .create(nil, _)):
      return ["id": bound(id), "rev": bound(rev)]
    case (.written(_, let rev), _): return ["rev": bound(rev)]
    case (.resolved(let rev, let tombstones), _):
      return ["rev": bound(rev), "tombstones": .array(tombstones.map { bound($0) })]
    case (.batch(let results), .batch(let writes)):
      let bindings = zip(results, writes).map { JSONValue.object(binding($0, of: $1)) }
      return ["results": .array(bindings)]
    case (.info(let info), _):
      return sequences.contains(info.last) ? ["last": bound(info.last)] : [:]
    case (.changes(let page), _):
      if sequences.contains(page.last) { return ["last": bound(page.last)] }
      guard page.rows.contains(where: { sequences.contains($0.seq) }) else { return [:] }
      return ["rows": .array(page.rows.map { ["seq": bound($0.seq)] })]
    default: return [:]
    }
  }

  private mutating func bound(_ id: DocumentID) -> JSONValue {
    bound(id.json, prefix: "d", generation: nil)
  }

  private mutating func bound(_ sequence: UpdateSequence) -> JSONValue {
    bound(sequence.json, prefix: "s", generation: nil)
  }

  private mutating func bound(_ rev: RevisionID) -> JSONValue {
    // Under a digest that everyone computes the name is no variable but the point.
    guard revisionIDs == .own else { return rev.json }
    let generation = Int64(rev.text.string.prefix { $0 != "-" })
    return bound(rev.json, prefix: "r", generation: generation)
  }

  private mutating func bound(
    _ name: JSONValue, prefix: String, generation: Int64?
  ) -> JSONValue {
    if let variable = variables[name] { return ["$ref": .string(variable)] }
    let variable = Text("\(prefix)\(variables.count + 1)")
    variables[name] = variable
    var object: JSONObject = ["$bind": .string(variable)]
    if let generation { object["generation"] = .integer(generation) }
    return .object(object)
  }
}

extension JSONObject {
  /// The members, at every depth outside bodies, that do not hold what only its store understands.
  fileprivate var withoutOpaqueMembers: JSONObject {
    let opaque: Set<Text> = ["seq", "last", "incarnation", "message"]
    return JSONObject(
      members.filter { !opaque.contains($0.name) }.map { member in
        (member.name, member.name == "body" ? member.value : member.value.withoutOpaqueMembers)
      })
  }
}

extension JSONValue {
  fileprivate var withoutOpaqueMembers: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.withoutOpaqueMembers })
    case .object(let object): .object(object.withoutOpaqueMembers)
    default: self
    }
  }
}
