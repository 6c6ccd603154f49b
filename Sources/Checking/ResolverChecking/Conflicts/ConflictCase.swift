internal import Datastore
internal import JSON

/// A conflict before it has revision ids: what each device did to one document.
struct ConflictCase: Hashable, Sendable {
  /// What one device made of the ancestor.
  struct Side: Hashable, Sendable {
    /// The body of the leaf; nil for a tombstone.
    var body: JSONObject?
    /// The number of edits from the ancestor to the leaf, 1 or more.
    var edits: Int = 1
  }

  /// The body of the common ancestor; nil if no device has it any more.
  var ancestor: JSONObject?
  var sides: [Side]

  static let document: DocumentID = "d"
  static let devices = ["phone", "tablet", "laptop", "watch"]
  static let ancestorRev: RevisionID = "1-a"

  /// The path of a leaf, newest first: 3-b, 2-b, 1-a.
  func path(of side: Int) -> [RevisionID] {
    let letter = ["b", "c", "d", "e"][side]
    let edits = (0..<sides[side].edits).map { RevisionID(JSONString("\($0 + 2)-\(letter)")) }
    return edits.reversed() + [Self.ancestorRev]
  }

  func version(of side: Int) -> DocumentConflict.Version {
    DocumentConflict.Version(rev: path(of: side)[0], body: sides[side].body)
  }

  /// The conflict as a resolver receives it; nil if these leaves are no conflict.
  func conflict(passing leaves: ResolvedLeaves) -> DocumentConflict? {
    let versions = sides.indices.map { version(of: $0) }
      .filter { leaves == .all || !$0.isDeleted }
    guard versions.count > 1 else { return nil }
    return DocumentConflict(
      document: Self.document, leaves: versions,
      ancestor: ancestor.map { DocumentConflict.Version(rev: Self.ancestorRev, body: $0) },
      device: Self.devices[0])
  }

  /// The size for shrinking: fewer leaves, then what is easier to explain (different and live
  /// leaves, a known ancestor), then fewer members and shorter values.
  var size: [Int] {
    let bodies = [ancestor].compactMap { $0 } + sides.compactMap(\.body)
    // Two equal sides are hardly a conflict, and explain less.
    let isTrivial = Set(sides.map(\.body)).count < sides.count
    return [
      sides.count, isTrivial ? 1 : 0, sides.count { $0.body == nil }, ancestor == nil ? 1 : 0,
      bodies.map(\.count).reduce(0, +), sides.map(\.edits).reduce(0, +),
      bodies.map { $0.members.map { Self.weight(of: $0.value) }.reduce(0, +) }.reduce(0, +),
      bodies.flatMap(\.members).map(\.name.utf8.count).reduce(0, +),
    ]
  }

  /// The weight of a value: 1, 2, then texts, arrays and objects by their length.
  private static func weight(of value: JSONValue) -> Int {
    switch value {
    case .integer(let number) where (0...8).contains(number): Int(number)
    case .integer, .unsigned, .double, .bool, .null: 9
    default: 9 + value.serializedBytes().count
    }
  }
}

extension [Int] {
  /// Whether the list comes before another one: the first difference decides.
  func precedes(_ other: [Int]) -> Bool { lexicographicallyPrecedes(other) }
}
