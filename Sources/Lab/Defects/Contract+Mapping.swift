package import Datastore
package import JSON

// Helpers that take operations and results apart, and build others from them.

extension StoreOperation {
  /// The operation with the ids of its documents replaced, if it names one or contains records.
  func mapIDs(_ change: (JSONString) -> JSONString) -> StoreOperation {
    func id(_ id: DocumentID) -> DocumentID { DocumentID(change(id.text)) }
    let action: StoreAction
    switch self.action {
    case .create(let given, let body): action = .create(id: given.map(id), body: body)
    case .update(let given, let rev, let body):
      action = .update(id: id(given), rev: rev, body: body)
    case .delete(let given, let rev, let body):
      action = .delete(id: id(given), rev: rev, body: body)
    case .read(let given, let rev): action = .read(id: id(given), rev: rev)
    case .leaves(let given): action = .leaves(id: id(given))
    default: return mapRecords { $0.id = id($0.id) }
    }
    return StoreOperation(store, action)
  }

  func mapRecords<Failure: Error>(
    _ change: (inout RevisionRecord) throws(Failure) -> Void
  ) throws(Failure) -> StoreOperation {
    guard case .insertRevisions(var records) = action else { return self }
    for place in records.indices { try change(&records[place]) }
    return StoreOperation(store, .insertRevisions(records))
  }

  /// The operation with another body, if it writes one.
  func mapBody(_ change: (JSONValue) -> JSONValue) -> StoreOperation {
    switch action {
    case .create(let id, let body): StoreOperation(store, .create(id: id, body: change(body)))
    case .update(let id, let rev, let body):
      StoreOperation(store, .update(id: id, rev: rev, body: change(body)))
    default: self
    }
  }

  /// True if a batch accepts the action.
  func isWrite(_ action: StoreAction) -> Bool {
    switch action {
    case .create, .update, .delete, .resolve, .writeLocal: true
    default: false
    }
  }

  /// The name of the store and further parts, as a key of the mutant's memory.
  package func key(_ parts: JSONString...) -> [JSONString] { [store.text] + parts }
}

extension RevisionAnswer {
  func mapRecords(_ change: (inout RevisionRecord) -> Void) -> RevisionAnswer {
    guard case .records(var records) = found else { return self }
    for place in records.indices { change(&records[place]) }
    return RevisionAnswer(id: id, rev: rev, found: .records(records))
  }
}

extension OperationResult {
  /// The result with each record of `getRevisions` changed.
  package func mapRecords(_ change: (inout RevisionRecord) -> Void) -> OperationResult {
    guard case .revisions(let answers) = self else { return self }
    return .revisions(answers.map { $0.mapRecords(change) })
  }
}

extension RevisionID {
  /// The number before the first hyphen; nil without one.
  var generation: Int64? { parts.flatMap { Int64($0.generation) } }

  /// The text after the first hyphen, or an empty one.
  var suffix: String { parts?.suffix ?? "" }

  private var parts: (generation: String, suffix: String)? {
    let bytes = Array(text.utf8)
    guard let hyphen = bytes.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    return (
      String(decoding: bytes[..<hyphen], as: UTF8.self),
      String(decoding: bytes[(hyphen + 1)...], as: UTF8.self)
    )
  }
}

extension String {
  /// True if the bytes of this text come before those of another one.
  package func isBelow(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension JSONValue {
  /// The value with each of its scalars replaced.
  func mapScalars(_ change: (JSONValue) -> JSONValue) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapScalars(change) })
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.name, $0.value.mapScalars(change)) }))
    default: change(self)
    }
  }

  /// The object with the names of its top-level members replaced or removed.
  package func mapNames(_ change: (JSONString) -> JSONString?) -> JSONValue {
    guard let object = objectValue else { return self }
    return .object(
      JSONObject(
        object.members.compactMap { member in change(member.name).map { ($0, member.value) } }))
  }
}

extension JSONString {
  /// The text with the most common accents composed, which is enough for a mutant.
  package var composed: JSONString {
    let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
      ("e", "é"), ("a", "á"), ("o", "ó"), ("u", "ú"),
    ]
    var result = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      if scalar == "\u{301}", let last = result.last,
        let pair = pairs.first(where: { $0.0 == last })
      {
        result.removeLast()
        result.append(pair.1)
      } else {
        result.append(scalar)
      }
    }
    return JSONString(String(result))
  }
}
