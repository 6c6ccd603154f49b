public import Datastore
public import JSON

/// The value that a selector is applied to: a document, or an element of an array.
public struct Subject {
  public let value: JSONValue
  /// The id and the revision of a document (nil before the first revision); nil for an element.
  private let identity: (id: JSONString, rev: JSONString?)?

  public var id: JSONString { identity?.id ?? "" }
  public var rev: JSONString { identity?.rev ?? "" }

  /// A document with this body.
  public init(_ body: JSONValue, id: JSONString, rev: JSONString?) {
    value = body
    identity = (id, rev)
  }

  /// An element of an array.
  init(element: JSONValue) {
    value = element
    identity = nil
  }

  /// The value at the end of a path, or nil if the path is not present; a path descends through
  /// objects only.
  public func value(at path: FieldPath) -> JSONValue? {
    if let identity, path.names == ["_id"] { return .string(identity.id) }
    if let rev = identity?.rev, path.names == ["_rev"] { return .string(rev) }
    var value = value
    for name in path.names {
      guard let next = value.objectValue?[name] else { return nil }
      value = next
    }
    return value
  }
}

extension Subject {
  /// Whether the selector matches the subject.
  public func matches(_ selector: FindSelector) -> Bool {
    switch selector {
    case .all(let parts): parts.allSatisfy { matches($0) }
    case .any(let parts): parts.contains { matches($0) }
    case .none(let parts): !parts.contains { matches($0) }
    case .not(let part): !matches(part)
    case .field(let path, let conditions): conditions.allSatisfy { $0.holds(for: value(at: path)) }
    case .text(let search): matches(search)
    }
  }

  /// Whether the search has at least one word, and each of its words occurs in one of the fields.
  private func matches(_ search: TextSearch) -> Bool {
    let wanted = Words.words(of: search.search)
    guard !wanted.isEmpty else { return false }
    var present: Set<[UInt8]> = []
    for path in search.fields {
      guard let value = value(at: path) else { continue }
      for text in value.arrayValue ?? [value] {
        if let text = text.textValue { present.formUnion(Words.words(of: text)) }
      }
    }
    return wanted.isSubset(of: present)
  }
}

/// The words of a text: the longest runs of ASCII letters, ASCII digits and non-ASCII characters.
enum Words {
  /// The words of a text, with ASCII letters in lower case.
  static func words(of text: JSONString) -> Set<[UInt8]> {
    let runs = text.utf8.split { byte in !isOfWord(byte) }
    return Set(runs.map { run in run.map { isCapital($0) ? $0 + 32 : $0 } })
  }

  private static func isCapital(_ byte: UInt8) -> Bool { ("A"..."Z") ~= Unicode.Scalar(byte) }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return byte >= 0x80 || isCapital(byte) || ("a"..."z") ~= scalar || ("0"..."9") ~= scalar
  }
}
