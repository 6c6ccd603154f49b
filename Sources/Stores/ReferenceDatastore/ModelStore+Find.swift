internal import Datastore
internal import JSON
internal import RevisionTree
internal import Selectors

// Queries. Every query scans all documents: indexes are created and listed here but never change a
// result.

extension ModelStore {
  mutating func perform(_ action: FindAction) throws(Faults) -> OperationResult {
    switch action {
    case .find(let request): return .found(.documents(try find(request)))
    case .explain(let request):
      _ = try FindQuestion(request)
      return .found(.explanation(index: nil, plan: nil))
    case .createIndex(let definition): return .found(.created(try create(definition)))
    case .dropIndex(let name):
      guard indexes.removeValue(forKey: name) != nil else {
        throw Faults(
          DatastoreError(.notFound(.missing), "no index '\(name)'"), .state)
      }
      return .done
    case .listIndexes:
      return .found(.indexes(indexes.values.sorted { $0.name.isBelow($1.name) }))
    }
  }

  /// Creates an index unless an equal one exists; returns false if one does.
  private mutating func create(_ definition: IndexDefinition) throws(Faults) -> Bool {
    var faults = Faults()
    faults.require(
      !definition.name.isEmpty, DatastoreError(.badRequest(path: "name"), "the name is empty"))
    let read = faults.collect { () throws(Faults) in
      try FindQuestion.paths(definition.fields, "fields")
    }
    if let read {
      faults.require(
        Set(read).count == read.count,
        DatastoreError(.badRequest(path: "fields"), "a field occurs twice"))
    }
    if let known = indexes[definition.name] {
      let knownPaths = try FindQuestion.paths(known.fields, "fields")
      faults.require(
        known.type == definition.type && (read == nil || read == knownPaths),
        inState: DatastoreError(
          .badRequest(path: "name"), "an index '\(definition.name)' with another definition exists")
      )
      try faults.refuse()
      return false
    }
    try faults.refuse()
    indexes[definition.name] = definition
    return true
  }

  private func find(_ request: FindRequest) throws(Faults) -> [FoundDocument] {
    let question = try FindQuestion(request)
    var found: [Subject] = []
    for (id, document) in documents {
      guard !document.tree.isWinnerDeleted, let winner = document.tree.winner,
        let body = document.bodies[winner]
      else { continue }
      let subject = Subject(body, id: id.text, rev: winner.id.text)
      try Faults.ofState { () throws(DatastoreError) in
        try subject.checkWork(of: question.selector)
      }
      if subject.matches(question.selector) { found.append(subject) }
    }
    let sorted = found.sorted { question.precedes($0, $1) }
    return sorted.dropFirst(Int(clamping: request.skip ?? 0))
      .prefix(Int(clamping: request.limit ?? .max)).map { question.answer($0) }
  }
}

/// A query after validation of all its parts.
struct FindQuestion {
  let selector: FindSelector
  private let sort: [(path: FieldPath, descending: Bool)]
  private let fields: [FieldPath]?
  /// The origin of the order by distance, if no other order is requested.
  private let origin: Origin?

  init(_ request: FindRequest) throws(Faults) {
    var faults = Faults()
    let selector = try? FindSelector(request.selector)
    if selector == nil {
      for error in FindSelector.errors(in: request.selector) { faults.add(error) }
    }
    var sort: [(path: FieldPath, descending: Bool)] = []
    for (place, key) in request.sort.enumerated() {
      let path = faults.collect { () throws(Faults) in
        try Self.path(key.path, "sort[\(place)]")
      }
      if let path { sort.append((path, key.descending)) }
    }
    let fields = request.fields.flatMap { fields in
      faults.collect { () throws(Faults) in try Self.paths(fields, "fields") }
    }
    for (name, count) in [("skip", request.skip), ("limit", request.limit)] {
      faults.require(
        count ?? 0 >= 0,
        DatastoreError(
          .badRequest(path: name), "expected 0 or more, found \(count.map { "\($0)" } ?? "none")"))
    }
    guard let selector, faults.isEmpty else { throw faults }
    self.selector = selector
    self.sort = sort
    origin = sort.isEmpty ? selector.origin : nil
    self.fields = fields
  }

  /// Parses paths, of which there must be at least one.
  static func paths(_ texts: [JSONString], _ name: String) throws(Faults) -> [FieldPath] {
    var faults = Faults()
    faults.require(
      !texts.isEmpty,
      DatastoreError(.badRequest(path: name), "expected at least one path"))
    let paths = texts.enumerated().compactMap { place, text in
      faults.collect { () throws(Faults) in try path(text, "\(name)[\(place)]") }
    }
    try faults.refuse()
    return paths
  }

  private static func path(_ text: JSONString, _ name: String) throws(Faults) -> FieldPath {
    guard let path = FieldPath(text) else {
      throw Faults(DatastoreError(.badRequest(path: name), "'\(text)' is not a valid path"))
    }
    return path
  }

  /// Whether a document precedes another one: key by key, then by id.
  func precedes(_ left: Subject, _ right: Subject) -> Bool {
    for key in sort {
      switch SortOrder.order(left.value(at: key.path), right.value(at: key.path)) {
      case .same: continue
      case .less: return !key.descending
      case .greater: return key.descending
      }
    }
    if let origin {
      let (near, far) = (origin.distance(of: left), origin.distance(of: right))
      if near != far { return near < far }
    }
    return left.id.isBelow(right.id)
  }

  func answer(_ subject: Subject) -> FoundDocument {
    let body =
      if let fields, let object = subject.value.objectValue {
        JSONValue.object(Self.cut(object, to: fields.map { $0.names[...] }))
      } else {
        subject.value
      }
    return FoundDocument(id: DocumentID(subject.id), rev: RevisionID(subject.rev), body: body)
  }

  /// The object reduced to the members on the given paths.
  private static func cut(_ object: JSONObject, to paths: [ArraySlice<JSONString>]) -> JSONObject {
    var rest = JSONObject()
    for member in object.members {
      let below = paths.filter { $0.first == member.name }.map { $0.dropFirst() }
      if below.contains(where: { $0.isEmpty }) {
        rest[member.name] = member.value
      } else if let inner = member.value.objectValue {
        let kept = cut(inner, to: below)
        if !kept.isEmpty { rest[member.name] = .object(kept) }
      }
    }
    return rest
  }
}

extension JSONString {
  func isBelow(_ other: JSONString) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
