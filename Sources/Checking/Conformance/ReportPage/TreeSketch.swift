internal import Datastore
internal import JSON
internal import Rendering
internal import RevisionTree
internal import Scenarios

/// The revision trees before a failing step, computed by the rules and not read from the store.
///
/// It follows simple writes only. After batches, sessions and purges it shows nothing about the
/// documents concerned, because a wrong diagram is worse than none.
struct TreeSketch {
  struct Place: Hashable {
    let store: JSONString
    let id: JSONString
  }

  /// The documents in the order of their first write.
  private(set) var places: [Place] = []
  private var trees: [Place: RevisionTree] = [:]
  private var collations: [JSONString: Collation] = [:]
  /// Stores whose content is unknown from here on.
  private var lost: Set<JSONString> = []

  /// The largest number of revisions in a diagram.
  private static let revisionsMax = 400

  init(_ witness: Witness) {
    for exchange in witness.transcript { follow(exchange) }
  }

  /// Returns diagrams of the documents in the failing step, or of the first ones.
  func pictures(for witness: Witness, atMost limit: Int = 3) -> [(place: Place, svg: String)] {
    let operation = witness.exchange.operation.objectValue ?? [:]
    let store = operation["store"]?.textValue
    var ids: [JSONString] = []
    if let id = operation["id"]?.textValue { ids.append(id) }
    for list in ["docs", "records"] {
      for element in operation[JSONString(list)]?.arrayValue ?? [] {
        if let id = element.objectValue?["id"]?.textValue { ids.append(id) }
      }
    }
    let concerned = places.filter { place in
      place.store == store && !lost.contains(place.store)
        && (ids.isEmpty || ids.contains(place.id))
        && (2...Self.revisionsMax).contains(trees[place]?.count ?? 0)
    }
    return concerned.prefix(limit).compactMap { place in
      trees[place].map { (place, RevisionPicture(Self.branches(of: $0)).svg) }
    }
  }

  private static func branches(of tree: RevisionTree) -> [Trace.Branch] {
    tree.leaves.map { leaf in
      Trace.Branch(
        path: tree.ancestry(of: leaf).map(\.id), deleted: tree.isDeleted(leaf) ?? false)
    }
  }

  private mutating func follow(_ exchange: Witness.Exchange) {
    let operation = exchange.operation.objectValue ?? [:]
    guard let name = operation["op"]?.textValue, let store = operation["store"]?.textValue else {
      // The result of a session depends on its stores.
      let session = operation["replicate"]?.objectValue ?? [:]
      for end in ["source", "target"] {
        if let store = session[JSONString(end)]?.textValue { lost.insert(store) }
      }
      return
    }
    guard let answer = exchange.outcome.objectValue?["ok"]?.objectValue else { return }
    switch name {
    case "open":
      let named = operation["collation"]?.textValue.flatMap { CollationName(rawValue: $0.string) }
      if collations[store] == nil { collations[store] = Collation(named ?? .bytes) }
    case "insertRevisions":
      let records = operation["records"]?.arrayValue ?? []
      let results = answer["results"]?.arrayValue ?? []
      for (record, result) in zip(records, results) where result.objectValue?["ok"] != nil {
        insert(record.objectValue ?? [:], store)
      }
    case "create", "update", "delete":
      edit(operation, answer, store: store, isDeletion: name == "delete")
    case "batch", "historyLimit", "replicate", "destroy", "resolve", "purge":
      lost.insert(store)
    default: break
    }
  }

  private mutating func insert(_ record: JSONObject, _ store: JSONString) {
    guard let id = record["id"]?.textValue, let path = record["path"]?.arrayValue else { return }
    merge(
      path.compactMap(\.textValue), deleted: record["deleted"] == .bool(true),
      Place(store: store, id: id))
  }

  private mutating func edit(
    _ operation: JSONObject, _ answer: JSONObject, store: JSONString, isDeletion: Bool
  ) {
    guard let rev = answer["rev"]?.textValue, let id = answer["id"]?.textValue else { return }
    let place = Place(store: store, id: id)
    // A deleted document is created as a child of its winner.
    let parent = operation["rev"]?.textValue ?? trees[place]?.winner?.id.text
    merge([rev] + (parent.map { [$0] } ?? []), deleted: isDeletion, place)
  }

  private mutating func merge(_ path: [JSONString], deleted: Bool, _ place: Place) {
    let collation = collations[place.store] ?? Collation(.bytes)
    let revisions = path.compactMap { collation.revision(RevisionID($0)) }
    guard revisions.count == path.count, let path = RevisionPath(revisions) else { return }
    if trees[place] == nil { places.append(place) }
    _ = trees[place, default: RevisionTree(collation: collation)].merge(path, deleted: deleted)
  }
}
