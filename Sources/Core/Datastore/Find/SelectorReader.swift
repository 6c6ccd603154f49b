public import JSON

extension FindSelector {
  /// Parses a selector.
  ///
  /// Throws `badSelector` if an operator is misplaced or has an invalid operand, `unsupported` for
  /// an unknown operator, and `tooLarge` if the selector is nested too deeply.
  public init(_ json: JSONValue) throws(DatastoreError) {
    guard let object = json.objectValue else {
      throw DatastoreError(.badRequest(path: "selector"), "expected an object")
    }
    do throws(DatastoreError) {
      self = try SelectorReader.selector(object, path: DecodingPath.placeholder, depth: 1)
    } catch {
      // Most selectors are valid, and building the path of each part takes longer than reading it.
      self = try SelectorReader.selector(object, path: "selector", depth: 1)
    }
  }
}

/// A single pass over the JSON of a selector.
enum SelectorReader {
  /// Parses the members of a selector, all of which must hold.
  ///
  /// - Parameters:
  ///   - prefix: the path to which the names in the object are relative.
  ///   - isElement: true if the selector is applied to elements of arrays and not to documents.
  static func selector(
    _ object: JSONObject, path: String, depth: Int, below prefix: FieldPath? = nil,
    isElement: Bool = false
  ) throws(DatastoreError) -> FindSelector {
    guard depth <= FindSelector.depthMax else {
      throw DatastoreError(
        .tooLarge(limit: Int64(FindSelector.depthMax)), "\(path): selector nested too deeply")
    }
    var parts: [FindSelector] = []
    for member in object.members {
      let memberPath = DecodingPath.member(member.name, of: path)
      if member.name.isOperator {
        parts.append(try combination(member, memberPath, depth: depth, isElement: isElement))
        continue
      }
      guard let name = FieldPath(member.name) else {
        throw fault(
          member.name, memberPath, message: "a backslash must precede '.', '\\' or '$'")
      }
      let place = prefix?.appending(name) ?? name
      parts.append(
        try field(place, member.value, path: memberPath, depth: depth, isElement: isElement))
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Parses the conditions for the value at a path: operators, sub-fields or a value.
  private static func field(
    _ place: FieldPath, _ value: JSONValue, path: String, depth: Int, isElement: Bool
  ) throws(DatastoreError) -> FindSelector {
    guard let object = value.objectValue, !object.isEmpty else {
      return .field(place, [.equals(.value(value))])
    }
    if object.hasOperators {
      return .field(place, try conditions(object, path: path, depth: depth + 1))
    }
    return try selector(
      object, path: path, depth: depth + 1, below: place, isElement: isElement)
  }

  /// Parses an operator in the position of a field.
  private static func combination(
    _ member: JSONObject.Member, _ path: String, depth: Int, isElement: Bool
  ) throws(DatastoreError) -> FindSelector {
    func parts() throws(DatastoreError) -> [FindSelector] {
      guard let elements = member.value.arrayValue else {
        throw fault(member.name, path, message: "expected an array of selectors")
      }
      var parts: [FindSelector] = []
      for (index, element) in elements.enumerated() {
        let path = DecodingPath.element(index, of: path)
        guard let object = element.objectValue else {
          throw fault(member.name, path, message: "expected an array of selectors")
        }
        parts.append(try selector(object, path: path, depth: depth + 1, isElement: isElement))
      }
      return parts
    }

    switch member.name.string {
    case "$and": return .all(try parts())
    case "$or": return .any(try parts())
    case "$nor": return .none(try parts())
    case "$not":
      guard let object = member.value.objectValue else {
        throw fault(member.name, path, message: "expected a selector")
      }
      return .not(try selector(object, path: path, depth: depth + 1, isElement: isElement))
    case "$text" where !isElement: return .text(try textSearch(member.value, path))
    default: throw misplaced(member.name, path)
    }
  }

  private static func textSearch(
    _ value: JSONValue, _ path: String
  ) throws(DatastoreError) -> TextSearch {
    guard let object = value.objectValue, object.count == 2,
      let search = object["$search"]?.textValue, let fields = object["$fields"]?.arrayValue,
      !fields.isEmpty
    else {
      throw fault(
        "$text", path, message: "expected $search (a string) and $fields (a list of paths)")
    }
    var paths: [FieldPath] = []
    for (index, field) in fields.enumerated() {
      guard let text = field.textValue, let fieldPath = FieldPath(text) else {
        let place = DecodingPath.element(index, of: DecodingPath.member("$fields", of: path))
        throw fault("$text", place, message: "not a valid path")
      }
      paths.append(fieldPath)
    }
    return TextSearch(search, in: paths)
  }

  /// The error for an operator with an invalid operand.
  static func fault(_ name: JSONString, _ path: String, message: String) -> DatastoreError {
    DatastoreError(
      .badSelector(operator: name.string, path: path), "\(name) at \(path): \(message)")
  }

  /// The error for a misplaced operator; an operator that is unknown everywhere is `unsupported`.
  static func misplaced(_ name: JSONString, _ path: String) -> DatastoreError {
    guard known.contains(name.string) else {
      return DatastoreError(.unsupported(what: name.string), "\(path): unknown operator '\(name)'")
    }
    return fault(name, path, message: "not permitted here")
  }

  private static let known: Set<String> = [
    "$and", "$or", "$nor", "$not", "$text", "$search", "$fields", "$eq", "$ne", "$in", "$nin",
    "$lt", "$lte", "$gt", "$gte", "$exists", "$type", "$all", "$size", "$elemMatch", "$mod",
    "$regex", "$decimal", "$nearSphere", "$maxDistance", "$within", "$box", "$centerSphere",
    "$polygon",
  ]
}

extension JSONString {
  /// Whether a member of this name is an operator and not a field.
  var isOperator: Bool { utf8.first == UInt8(ascii: "$") }
}

extension JSONObject {
  /// Whether the object contains operators, and is neither a value nor a set of fields.
  var hasOperators: Bool { members.contains { $0.name.isOperator } }
}
