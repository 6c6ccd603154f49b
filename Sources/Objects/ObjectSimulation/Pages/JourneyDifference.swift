internal import Datastore
internal import JSON
internal import ObjectMapping

/// A property of an object, or a member of a document, whose value was not preserved.
struct JourneyDifference: Hashable {
  /// The name of the property or member; empty for the whole value.
  var name: JSONString
  /// The value as it should be; nil for none.
  var before: JSONValue?
  /// The value as it is; nil for none.
  var after: JSONValue?

  /// The differences of a loss, in the order of the expected members.
  static func all(of loss: ObjectJourney.Loss, _ model: ManagedObjectModel) -> [Self] {
    guard let expected = loss.expected.objectValue, let found = loss.foundObject.objectValue,
      found["error"] == nil || expected["error"] != nil
    else { return [Self(name: "", before: loss.expected, after: loss.foundObject)] }
    var differences: [Self] = []
    let entity = expected["entity"]?.textValue.flatMap { model[$0] }
    let isObject = entity != nil && expected["values"]?.objectValue != nil
    for member in members(expected, found)
    where !(isObject && ["values", "identifier"].contains(member.name)) {
      if !isSame(member.before, member.after) { differences.append(member) }
    }
    if isObject {
      let (before, after) = (expected["values"]?.objectValue, found["values"]?.objectValue)
      for member in members(before ?? [:], after ?? [:]) {
        let isToMany = entity?.relationship(member.name)?.isToMany ?? false
        let left = isToMany ? sorted(member.before) : member.before
        let right = isToMany ? sorted(member.after) : member.after
        if !isSame(left, right) { differences.append(member) }
      }
    }
    return differences.isEmpty
      ? [Self(name: "", before: loss.expected, after: loss.foundObject)] : differences
  }

  private static func members(_ before: JSONObject, _ after: JSONObject) -> [Self] {
    let names =
      before.members.map(\.name) + after.members.map(\.name).filter { before[$0] == nil }
    return names.map { Self(name: $0, before: before[$0], after: after[$0]) }
  }

  /// Whether two values are equal; null is a missing value.
  private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    (left ?? .null) == (right ?? .null)
  }

  /// A list of ids in byte order; an empty one is a missing value.
  private static func sorted(_ value: JSONValue?) -> JSONValue? {
    guard let elements = value?.arrayValue else { return value }
    guard !elements.isEmpty else { return nil }
    return .array(
      elements.sorted {
        ($0.textValue ?? "").utf8.lexicographicallyPrecedes(($1.textValue ?? "").utf8)
      })
  }
}

extension ObjectJourney.Loss {
  /// What was found, without the wrapping of the result of an operation.
  var foundObject: JSONValue { found.objectValue?["object"] ?? found }
}
