internal import Datastore
internal import JSON

/// A selector compiled for many documents: the source of each value is resolved, and the keys of
/// operands are computed once.
struct Matcher {
  /// The source of the value of a field.
  enum Source {
    case slot(Int)
    case id
    case rev
    /// A path through an element of an array.
    case way([JSONString])
  }

  indirect enum Test {
    case all([Test])
    case any([Test])
    case not(Test)
    case field(Source, [ValueTest])
    case words(WordSearch, [Source])
  }

  private let test: Test
  /// Whether the work of expressions must be computed.
  let hasExpression: Bool

  init(_ selector: FindSelector, fields: inout FieldTree) {
    test = Self.test(selector) { path in Self.source(path, &fields) }
    hasExpression = test.hasExpression
  }

  /// For content that is in memory as a value and has no revision yet.
  init(contentSelector selector: FindSelector) {
    test = Self.test(selector) { $0.names == ["_id"] ? .id : .way($0.names) }
    hasExpression = test.hasExpression
  }

  /// The source of the value at a path of a document.
  static func source(_ path: FieldPath, _ fields: inout FieldTree) -> Source {
    if path.names.count == 1 {
      if path.names[0] == "_id" { return .id }
      if path.names[0] == "_rev" { return .rev }
    }
    return .slot(fields.slot(for: path))
  }

  /// The test of elements with a selector.
  static func elementTest(_ selector: FindSelector) -> Test {
    test(selector) { .way($0.names) }
  }

  private static func test(
    _ selector: FindSelector, _ source: (FieldPath) -> Source
  ) -> Test {
    switch selector {
    case .all(let parts): .all(parts.map { test($0, source) })
    case .any(let parts): .any(parts.map { test($0, source) })
    case .none(let parts): .not(.any(parts.map { test($0, source) }))
    case .not(let part): .not(test(part, source))
    case .field(let path, let conditions): .field(source(path), conditions.map { ValueTest($0) })
    case .text(let search): .words(WordSearch(search.search), search.fields.map(source))
    }
  }

  /// Whether the selector matches a subject; throws `tooLarge` if its strings are too long for the
  /// expressions.
  func matches(_ subject: Subject) throws(DatastoreError) -> Bool {
    if hasExpression, subject.exceedsWork(test) {
      let limit = RegularExpression.workMax
      throw DatastoreError(
        .tooLarge(limit: limit),
        "the strings of '\(subject.id)' are too long for $regex: expression parts × bytes exceed "
          + "\(limit)")
    }
    return subject.passes(test)
  }

  /// The subject of a test: the values of a document, or an element of an array.
  struct Subject {
    var id: JSONString = ""
    var rev: JSONString = ""
    var values: [JSONValue?] = []
    var element: JSONValue?
  }
}

extension Matcher.Subject {
  func value(_ source: Matcher.Source) -> JSONValue? {
    switch source {
    case .slot(let slot): return values[slot]
    case .id: return .string(id)
    case .rev: return .string(rev)
    case .way(let names):
      var value = element
      for name in names { value = value?.objectValue?[name] }
      return value
    }
  }

  func passes(_ test: Matcher.Test) -> Bool {
    switch test {
    case .all(let parts): return parts.allSatisfy { passes($0) }
    case .any(let parts): return parts.contains { passes($0) }
    case .not(let part): return !passes(part)
    case .field(let source, let tests):
      let value = value(source)
      for test in tests where !test.passes(value) { return false }
      return true
    case .words(let search, let sources):
      guard !search.words.isEmpty else { return false }
      var found = Array(repeating: false, count: search.words.count)
      for source in sources {
        switch value(source) {
        case .string(let text): search.mark(text, in: &found)
        case .array(let elements):
          for case .string(let text) in elements { search.mark(text, in: &found) }
        default: break
        }
      }
      return found.allSatisfy { $0 }
    }
  }
}
