public import Datastore
public import JSON

/// An error in the writes of an acknowledged save to a document.
public struct SaveFault: Hashable, Sendable {
  public var id: DocumentID
  public var kind: Kind

  public enum Kind: Hashable, Sendable {
    /// An attribute has a value other than the permitted ones.
    case value(JSONValue, of: JSONString, expected: [JSONValue], Cause)
    /// A requested change of a relationship was not written.
    case unchangedRelationship(JSONString)
    case deletedAgainst(policy: JSONString)
    /// A deletion that the application did not request.
    case unrequestedDeletion
    /// A requested change that was not written.
    case notWritten
    case keptAgainst(policy: JSONString)
    /// An attribute kept the pulled value although the policy keeps the other one.
    case pulledValue(JSONString, policy: JSONString)
  }

  /// The cause of a wrong value; the raw value is the shape.
  public enum Cause: String, Hashable, Sendable {
    case lost
    case againstPolicy = "against policy"
    case unrequested = "unasked"
  }

  public init(_ id: DocumentID, _ kind: Kind) {
    self.id = id
    self.kind = kind
  }
}

extension SaveFault {
  var shape: JSONString {
    switch kind {
    case .value(_, _, _, let cause): JSONString(cause.rawValue)
    case .unchangedRelationship, .notWritten: "lost"
    case .deletedAgainst, .keptAgainst, .pulledValue: "against policy"
    case .unrequestedDeletion: "unasked"
    }
  }

  /// The end of a sentence that names the save.
  var words: String {
    switch kind {
    case .value(let value, let name, let expected, _):
      "writes \(value.serialized()) as \(name) of '\(id)'; expected "
        + expected.map { $0.serialized() }.joined(separator: " or ")
    case .unchangedRelationship(let name):
      "did not change the reference \(name) of '\(id)' as requested"
    case .deletedAgainst(let policy): "deletes '\(id)', which \(policy) keeps"
    case .unrequestedDeletion: "deletes '\(id)', which was not requested"
    case .notWritten: "is acknowledged, but did not write '\(id)'"
    case .keptAgainst(let policy): "keeps '\(id)', which \(policy) deletes"
    case .pulledValue(let name, let policy):
      "leaves \(name) of '\(id)' as pulled, but \(policy) keeps the other value"
    }
  }
}
