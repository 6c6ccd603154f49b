internal import Datastore
internal import JSON

/// A query after validation of all its parts, compiled for many documents.
struct Search {
  let selector: FindSelector
  /// The sort keys before the id.
  let sort: [(path: FieldPath, descending: Bool)]
  let skip: Int
  let limit: Int?
  private let projection: [FieldPath]?
  private let matcher: Matcher
  private let order: [(source: Matcher.Source, descending: Bool)]
  /// The place by whose distance results are ordered, if no other order is requested.
  private let nearest: (source: Matcher.Source, place: Place)?
  /// The fields to read from each body.
  let fields: FieldTree
  /// Whether a result or an error depends on ids or revision ids.
  let needsNames: Bool

  init(_ request: FindRequest) throws(DatastoreError) {
    selector = try FindSelector(request.selector)
    var sort: [(path: FieldPath, descending: Bool)] = []
    for (index, key) in request.sort.enumerated() {
      sort.append((try FieldRule.path(key.path, "sort[\(index)]"), key.descending))
    }
    self.sort = sort
    skip = try Self.count(request.skip, "skip") ?? 0
    limit = try Self.count(request.limit, "limit")
    projection = try request.fields.map { (fields) throws(DatastoreError) in
      try FieldRule.paths(fields)
    }
    var fields = FieldTree()
    matcher = Matcher(selector, fields: &fields)
    order = sort.map { (Matcher.source($0.path, &fields), $0.descending) }
    let near = sort.isEmpty ? selector.nearPlace : nil
    nearest = near.map { (Matcher.source($0.path, &fields), $0.place) }
    self.fields = fields
    needsNames =
      selector.namesMetadata || sort.contains { $0.path.isMetadata } || matcher.hasExpression
  }

  private static func count(_ count: Int64?, _ name: String) throws(DatastoreError) -> Int? {
    guard let count else { return nil }
    guard count >= 0 else {
      throw DatastoreError(.badRequest(path: name), "'\(name)' must not be negative")
    }
    return Int(clamping: count)
  }

  func matches(_ subject: Matcher.Subject) throws(DatastoreError) -> Bool {
    try matcher.matches(subject)
  }

  /// Whether results must be sorted by content.
  var sortsByContent: Bool { !sort.isEmpty || nearest != nil }

  /// The bytes by which a result is sorted, before its id.
  func sortKey(_ subject: Matcher.Subject) -> [UInt8] {
    var key: [UInt8] = []
    if let nearest {
      // The bits of non-negative doubles have the order of the doubles.
      let metres = nearest.place.metres(toNearestOf: subject.value(nearest.source))
      withUnsafeBytes(of: metres.bitPattern.bigEndian) { key += $0 }
    }
    for part in order {
      let start = key.count
      ValueKey.append(subject.value(part.source), to: &key)
      // No key is a prefix of another one, so inverting all bytes reverses the order.
      if part.descending { for place in start..<key.count { key[place] = ~key[place] } }
    }
    return key
  }

  /// A body reduced to the requested fields.
  func projected(_ body: JSONValue) -> JSONValue {
    guard let projection, case .object(let object) = body else { return body }
    return .object(Self.project(object, projection.map { $0.names[...] }) ?? [:])
  }

  /// Nil if no field of the object is requested.
  private static func project(
    _ object: JSONObject, _ ways: [ArraySlice<JSONString>]
  ) -> JSONObject? {
    var members: [JSONObject.Member] = []
    for member in object.members {
      var rest: [ArraySlice<JSONString>] = []
      var isWhole = false
      for way in ways where way.first == member.name {
        if way.count == 1 { isWhole = true } else { rest.append(way.dropFirst()) }
      }
      if isWhole {
        members.append(member)
      } else if !rest.isEmpty, case .object(let inner) = member.value,
        let kept = project(inner, rest)
      {
        members.append(JSONObject.Member(member.name, .object(kept)))
      }
    }
    return members.isEmpty ? nil : JSONObject(distinct: members)
  }
}

/// The validation of paths in searches and indexes.
enum FieldRule {
  static func path(_ text: JSONString, _ name: String) throws(DatastoreError) -> FieldPath {
    guard let path = FieldPath(text) else {
      throw DatastoreError(.badRequest(path: name), "'\(text)' is not a valid path")
    }
    return path
  }

  /// The paths of an argument `fields`, at least one.
  static func paths(_ texts: [JSONString]) throws(DatastoreError) -> [FieldPath] {
    if texts.isEmpty {
      throw DatastoreError(.badRequest(path: "fields"), "expected at least one field")
    }
    var paths: [FieldPath] = []
    for (index, text) in texts.enumerated() {
      paths.append(try path(text, "fields[\(index)]"))
    }
    return paths
  }

  /// The paths of a new index, which must be distinct.
  static func indexPaths(_ definition: IndexDefinition) throws(DatastoreError) -> [FieldPath] {
    if definition.name.isEmpty {
      throw DatastoreError(.badRequest(path: "name"), "the name is empty")
    }
    let paths = try paths(definition.fields)
    guard Set(paths).count == paths.count else {
      throw DatastoreError(.badRequest(path: "fields"), "a field occurs twice")
    }
    return paths
  }
}

extension FieldPath {
  /// Whether the path refers to the id or the revision and not to the body.
  fileprivate var isMetadata: Bool {
    names.count == 1 && (names[0] == "_id" || names[0] == "_rev")
  }
}

extension FindSelector {
  /// Whether the id or the revision of a document is requested.
  fileprivate var namesMetadata: Bool {
    switch self {
    case .all(let parts), .any(let parts), .none(let parts): parts.contains { $0.namesMetadata }
    case .not(let part): part.namesMetadata
    case .field(let path, _): path.isMetadata
    case .text(let search): search.fields.contains { $0.isMetadata }
    }
  }

  /// The place of the first `$nearSphere` that every document must satisfy.
  fileprivate var nearPlace: (path: FieldPath, place: Place)? {
    switch self {
    case .all(let parts):
      for part in parts { if let near = part.nearPlace { return near } }
      return nil
    case .field(let path, let conditions):
      for case .near(let point, _) in conditions { return (path, Place(point)) }
      return nil
    case .any, .none, .not, .text: return nil
    }
  }
}
