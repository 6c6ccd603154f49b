internal import Datastore
internal import JSON
internal import Scenarios

/// Converts operations and outcomes to steps in which a store's own names are variables.
struct VectorWriter {
  let revisionIDs: RevisionIDProfile
  /// The sequences that some step sends; only these need variables.
  let sequences: Set<UpdateSequence>
  /// The names that a store chose.
  private var names = NameBinder()

  init(revisionIDs: RevisionIDProfile, sequences: Set<UpdateSequence>) {
    self.revisionIDs = revisionIDs
    self.sequences = sequences
  }

  /// The operation with references to bound names.
  func template(of operation: StoreOperation) -> JSONValue { names.referring(operation.json) }

  /// The expectation of a step: for the last step everything except opaque values, for others only
  /// the values that later steps reference.
  mutating func expectation(
    of action: StoreAction, _ outcome: Outcome, isLast: Bool
  ) -> JSONValue {
    switch outcome {
    case .ok(let result):
      return ["ok": .object(isLast ? closing(result, of: action) : binding(result, of: action))]
    case .error(var error):
      error.message = ""
      return ["error": error.json]
    case .unknown: return ["ok": [:]]
    }
  }

  private mutating func closing(_ result: OperationResult, of action: StoreAction) -> JSONObject {
    switch result {
    // The store chooses the names of new revisions.
    case .written, .resolved, .batch: return binding(result, of: action)
    default:
      guard case .object(let object) = names.referring(result.json) else { return [:] }
      var promised = object.asPromised
      // Other operations return ordered lists under these names.
      let name: JSONString? =
        switch action {
        case .changes: "rows"
        case .revsDiff: "results"
        default: nil
        }
      if let name, let list = promised[name], list.arrayValue?.count ?? 0 > 1 {
        promised[name] = ["$unordered": list]
      }
      return promised
    }
  }

  private mutating func binding(_ result: OperationResult, of action: StoreAction) -> JSONObject {
    switch (result, action) {
    case (.written(let id, let rev), .create(nil, _)):
      return ["id": names.bound(id), "rev": bound(rev)]
    case (.written(_, let rev), _): return ["rev": bound(rev)]
    case (.resolved(let rev, let tombstones), _):
      let bindings = JSONValue.array(tombstones.map { bound($0) })
      return [
        "rev": bound(rev),
        "tombstones": tombstones.count > 1 ? ["$unordered": bindings] : bindings,
      ]
    case (.batch(let results), .batch(let writes)):
      let bindings = zip(results, writes).map { JSONValue.object(binding($0, of: $1)) }
      return ["results": .array(bindings)]
    case (.info(let info), _):
      return sequences.contains(info.last) ? ["last": names.bound(info.last)] : [:]
    case (.changes(let page), _):
      if sequences.contains(page.last) { return ["last": names.bound(page.last)] }
      guard page.rows.contains(where: { sequences.contains($0.seq) }) else { return [:] }
      let rows = page.rows.map { row -> JSONValue in
        ["id": names.referring(row.id.json), "seq": names.bound(row.seq)]
      }
      return ["rows": rows.count > 1 ? ["$unordered": .array(rows)] : .array(rows)]
    default: return [:]
    }
  }

  private mutating func bound(_ rev: RevisionID) -> JSONValue {
    // In a profile with a computable digest, the name itself is the expectation.
    revisionIDs == .own ? names.bound(rev) : rev.json
  }
}

extension JSONObject {
  /// The members that the contract guarantees, without opaque ones; lists without a guaranteed
  /// order match in any order.
  fileprivate var asPromised: JSONObject {
    let opaque: Set<JSONString> = ["seq", "last", "incarnation", "message"]
    return JSONObject(
      members.filter { !opaque.contains($0.name) }.map { member in
        guard member.name != "body" else { return (member.name, member.value) }
        let value = member.value.asPromised
        guard case .array(let elements) = value else { return (member.name, value) }
        let orderedMax =
          switch member.name {
          case "missing", "possibleAncestors", "purged", "tombstones", "records": 1
          default: Int.max
          }
        return (member.name, elements.count > orderedMax ? ["$unordered": value] : value)
      })
  }
}

extension JSONValue {
  fileprivate var asPromised: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.asPromised })
    case .object(let object): .object(object.asPromised)
    default: self
    }
  }
}
