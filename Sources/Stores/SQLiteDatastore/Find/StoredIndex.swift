internal import Datastore
internal import JSON

/// An index of a store, and the keys that it derives from a document.
struct StoredIndex {
  /// Unique over the lifetime of the store.
  let number: Int64
  let definition: IndexDefinition
  let paths: [FieldPath]
  /// The sources of the values at the paths.
  let sources: [Matcher.Source]

  /// The key of a document with too many combinations; it sorts before all others.
  static let crowded: [UInt8] = [0x01]

  /// The maximum number of combinations of elements with separate entries, in an index of several
  /// fields.
  private static let combinationsMax = 256

  /// The keys of a document; one of them is that of the values themselves, by which it is sorted.
  ///
  /// An array has a key for itself and one for each of its elements; if several fields have arrays,
  /// each combination has a key.
  func keys(_ subject: Matcher.Subject) -> (own: [UInt8], all: Set<[UInt8]>) {
    let values = sources.map { subject.value($0) }
    var own: [UInt8] = []
    for value in values { ValueKey.append(value, to: &own) }
    var all: Set<[UInt8]> = [[]]
    for value in values {
      var parts: Set<[UInt8]> = [ValueKey.of(value)]
      if case .array(let elements)? = value {
        for element in elements { parts.insert(ValueKey.of(element)) }
      }
      if paths.count > 1, all.count * parts.count > Self.combinationsMax {
        return (own, [own, Self.crowded])
      }
      if parts.count == 1, let part = parts.first, all.count == 1, let prefix = all.first {
        all = [prefix + part]
      } else {
        all = Set(all.flatMap { prefix in parts.map { prefix + $0 } })
      }
    }
    return (own, all)
  }

  /// The texts at the paths, in which words are searched; nil if none of them has a text.
  func texts(_ subject: Matcher.Subject) -> [JSONString?]? {
    let texts = sources.map { source -> JSONString? in
      switch subject.value(source) {
      case .string(let text): return text
      case .array(let elements):
        // A word never spans two elements.
        let texts = elements.compactMap { $0.textValue?.string }
        return texts.isEmpty ? nil : JSONString(texts.joined(separator: "\n"))
      default: return nil
      }
    }
    return texts.contains { $0 != nil } ? texts : nil
  }
}

/// All indexes of a store at one moment.
struct StoredIndexes {
  /// The number of index creations and drops so far.
  let changes: Int64
  /// The indexes in byte order of their names.
  private(set) var all: [StoredIndex] = []
  /// The fields to read from each body.
  private(set) var fields = FieldTree()

  init(changes: Int64) { self.changes = changes }

  mutating func add(_ number: Int64, _ definition: IndexDefinition, paths: [FieldPath]) {
    all.append(
      StoredIndex(
        number: number, definition: definition, paths: paths,
        sources: paths.map { Matcher.source($0, &fields) }))
  }
}
