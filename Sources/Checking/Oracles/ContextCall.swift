internal import Datastore
internal import JSON

/// An operation on objects or on a context, and its result, read from their JSON forms.
///
/// The oracles implement these operations from `Vectors/README.md` alone, and share no type with
/// the layers that perform them.
struct ContextCall {
  let name: JSONString
  private let arguments: JSONObject
  /// The members of the result; nil if the operation failed.
  private let answer: JSONObject?

  /// Nil for an operation of the core.
  init?(_ action: StoreAction, _ outcome: Outcome) {
    guard case .family(let operation) = action else { return nil }
    name = JSONString(operation.base.name)
    arguments = JSONObject(operation.base.arguments)
    if case .ok(.family(let answer)) = outcome {
      self.answer = answer.base.json
    } else {
      answer = nil
    }
  }

  /// The context of the operation; nil for an operation on objects.
  var context: JSONString? { text("context") }

  var isAnswered: Bool { answer != nil }

  subscript(argument: JSONString) -> JSONValue? { arguments[argument] }

  func text(_ argument: JSONString) -> JSONString? { arguments[argument]?.textValue }

  /// The document that the operation names; empty for none.
  var id: DocumentID { DocumentID(text("id") ?? "") }

  /// The conflicts that the operation reported.
  var conflicts: [ReportedConflict] {
    answer?["conflicts"]?.arrayValue?.compactMap { ReportedConflict($0) } ?? []
  }

  /// The objects in the steps of a save of this name.
  func objects(ofEvents name: JSONString) -> [DocumentID] {
    let events = answer?["events"]?.arrayValue ?? []
    return events.filter { $0.objectValue?["event"]?.textValue == name }
      .flatMap { $0.objectValue?["objects"]?.arrayValue ?? [] }
      .compactMap { $0.textValue.map { DocumentID($0) } }
  }

  /// The objects that a save inserted or deleted, by the name of the list.
  func saved(_ list: JSONString) -> Set<DocumentID> {
    Set((answer?[list]?.arrayValue ?? []).compactMap { $0.textValue.map { DocumentID($0) } })
  }

  /// The ids of the objects in the result.
  var listedIDs: [JSONString] {
    let objects = ["objects", "conflicts"].flatMap { answer?[$0]?.arrayValue ?? [] }
    let ids = ["ids", "registered"].flatMap { answer?[$0]?.arrayValue ?? [] }
    return objects.compactMap { $0.objectValue?["id"]?.textValue } + ids.compactMap { $0.textValue }
  }
}

/// A conflict that a context reported: an object that was changed on two sides.
struct ReportedConflict: Hashable {
  let id: DocumentID
  /// 0 if the object was deleted.
  let newVersion: Int64
  let entity: JSONString
  /// The values on which the application worked, and the stored ones; nil if that side has no values.
  let cached: JSONValue?
  let persisted: JSONValue?

  init?(_ json: JSONValue) {
    guard let members = json.objectValue, let id = members["id"]?.textValue else { return nil }
    self.id = DocumentID(id)
    newVersion = members["newVersion"]?.integerValue ?? 0
    entity = members["entity"]?.textValue ?? ""
    cached = members["cached"]
    persisted = members["persisted"]
  }
}
