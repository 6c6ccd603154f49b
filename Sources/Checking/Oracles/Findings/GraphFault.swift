public import Datastore
public import JSON

/// An error in the objects that an application finds at the end of a run.
public enum GraphFault: Hashable, Sendable {
  /// A document has several live leaves although its conflicts were resolved.
  case inConflict(DocumentID, leaves: Int)
  /// An object is listed twice.
  case repeated(JSONString)
  /// The object of a document is not listed.
  case notFound(DocumentID)
  /// A listed object has a document without an object.
  case withoutDocument(DocumentID)
  /// A relationship has a target that does not exist.
  case dangling(JSONString, property: JSONString, target: JSONString)
  /// The inverse of a relationship does not have the object as target.
  case oneSided(JSONString, property: JSONString, target: JSONString, inverse: JSONString)
  /// Another replica has different values of an object, or has an object that this one lacks.
  case different(JSONString, from: JSONString)
  /// Another replica lacks the object.
  case additional(JSONString, lackedBy: JSONString)
}

extension GraphFault {
  func rendered(at replica: JSONString) -> RenderedFinding {
    func finding(
      _ shape: JSONString, _ id: DocumentID, sentence: String
    ) -> RenderedFinding {
      RenderedFinding("graph", shape, sentence: sentence, about: id)
    }
    switch self {
    case .inConflict(let id, let leaves):
      return finding(
        "in conflict", id,
        sentence:
          "\(replica) has \(leaves) live leaves of \(id), although its conflicts were resolved")
    case .repeated(let id):
      return finding("twice", DocumentID(id), sentence: "\(replica) has two objects '\(id)'")
    case .notFound(let id):
      return finding("not found", id, sentence: "\(replica) does not find the object of \(id)")
    case .withoutDocument(let id):
      return finding(
        "found", id, sentence: "\(replica) returns an object '\(id)' without a document")
    case .dangling(let id, let property, let target):
      return finding(
        "dangling", DocumentID(id),
        sentence: "dangling reference at \(replica): \(property) of '\(id)' points to '\(target)'")
    case .oneSided(let id, let property, let target, let inverse):
      return finding(
        "one-sided", DocumentID(id),
        sentence:
          "at \(replica), \(property) of '\(id)' points to '\(target)', but its \(inverse) does not point "
          + "back")
    case .different(let id, let other):
      return finding(
        "diverging", DocumentID(id),
        sentence: "\(other) and \(replica) have different objects '\(id)'")
    case .additional(let id, let other):
      return finding(
        "diverging", DocumentID(id),
        sentence: "\(replica) has an object '\(id)', \(other) does not")
    }
  }
}
