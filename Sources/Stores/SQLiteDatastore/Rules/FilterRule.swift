internal import Datastore
internal import JSON

extension Filter {
  /// Whether the filter matches a revision with this content; throws `tooLarge` if a string is too
  /// long for an expression.
  func matches(
    id: DocumentID, deleted: Bool, body: JSONValue
  ) throws(DatastoreError) -> Bool {
    switch self {
    case .documentIDs(let ids): return ids.contains(id)
    case .live: return !deleted
    case .bodyFieldEquals(let field, let value):
      guard let found = body.objectValue?[field] else { return false }
      return found.isSameValue(as: value)
    case .selector(let selector):
      return try Matcher(contentSelector: selector).matches(
        Matcher.Subject(id: id.text, element: body))
    }
  }
}
