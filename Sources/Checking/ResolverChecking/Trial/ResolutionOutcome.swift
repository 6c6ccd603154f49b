internal import Datastore
internal import JSON

/// What an answer makes of a document.
enum ResolutionOutcome: Hashable {
  case live(JSONObject)
  case deleted
  case unresolved

  /// Whether both are the same values: members in any order, numbers by value.
  func isSame(as other: ResolutionOutcome) -> Bool {
    switch (self, other) {
    case (.live(let left), .live(let right)):
      JSONValue.object(left).isSameValue(as: .object(right))
    case (.deleted, .deleted), (.unresolved, .unresolved): true
    default: false
    }
  }

  var text: String {
    switch self {
    case .live(let body): JSONValue.object(body).serialized()
    case .deleted: "deleted"
    case .unresolved: "not resolved"
    }
  }
}

extension ConflictResolution {
  /// The outcome of the answer.
  func outcome(of conflict: DocumentConflict) -> ResolutionOutcome {
    switch self {
    case .body(let body, _): return .live(body)
    case .keep(let rev):
      guard let body = conflict.leaves.first(where: { $0.rev == rev })?.body else {
        return .deleted
      }
      return .live(body)
    case .delete: return .deleted
    case .unresolved: return .unresolved
    }
  }

  /// The leaf that the answer keeps or extends; nil if it deletes all or leaves the conflict.
  func parent(in conflict: DocumentConflict) -> RevisionID? {
    switch self {
    case .body(_, let parent): parent ?? conflict.winnerFirst.first?.rev
    case .keep(let rev): rev
    case .delete, .unresolved: nil
    }
  }

  /// The same answer with the fewest writes: a body that its parent already has is no new revision,
  /// and a tombstone that is kept is a deletion.
  func simplified(for conflict: DocumentConflict) -> ConflictResolution {
    let outcome = outcome(of: conflict)
    if outcome == .deleted { return .delete }
    guard case .body(let body, _) = self, let parent = parent(in: conflict),
      let version = conflict.leaves.first(where: { $0.rev == parent }), let old = version.body,
      JSONValue.object(old).isSameValue(as: .object(body))
    else { return self }
    return .keep(parent)
  }

  var isBody: Bool { if case .body = self { true } else { false } }

  /// The answer for a report.
  var text: String {
    switch self {
    case .body(let body, nil): "body \(JSONValue.object(body).serialized())"
    case .body(let body, let parent?):
      "body \(JSONValue.object(body).serialized()) on \(parent)"
    case .keep(let rev): "keep \(rev)"
    case .delete: "delete"
    case .unresolved: "unresolved"
    }
  }
}
