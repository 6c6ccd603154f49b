internal import Datastore
internal import JSON
internal import Oracles
internal import ReferenceDatastore

/// The same edits on replicated stores: one for each device, and one between them.
///
/// An edit is applied to the winner of the device's own store. Whenever a device reaches the
/// backend, it replicates in both directions.
struct ReplicatedControl {
  private static let name: StoreName = "control"

  /// The stores of the devices, followed by the one between them.
  private var stores: [ReferenceDatastore] = []
  private var environments: [RunEnvironment] = []
  /// The position up to which a store has been read by another.
  private var positions: [Way: UpdateSequence] = [:]
  private(set) var keeping = ReplicatedKeeping()

  private struct Way: Hashable {
    var source: Int
    var target: Int
  }

  init(devices: Int, seed: UInt64) throws(HarnessError) {
    for place in 0...devices {
      stores.append(ReferenceDatastore())
      environments.append(RunEnvironment(seed: seed &+ UInt64(place)))
      _ = try ask(place, .open())
    }
  }

  private var hub: Int { stores.count - 1 }

  private mutating func ask(
    _ place: Int, _ action: StoreAction
  ) throws(HarnessError) -> OperationResult {
    let outcome = stores[place].perform(StoreOperation(Self.name, action), environments[place])
    guard case .ok(let result) = outcome else {
      throw HarnessError("a replicated store rejected \(action): \(outcome)")
    }
    return result
  }

  private mutating func winner(_ place: Int, _ id: DocumentID) -> RevisionID? {
    let read = StoreOperation(Self.name, .read(id: id))
    guard case .ok(.document(let document)) = stores[place].perform(read, environments[place])
    else { return nil }
    return document.rev
  }

  // MARK: Edits

  /// Saves an edit.
  ///
  /// - Parameter root: the first stamp of the object.
  mutating func save(_ root: JSONString, _ stamp: JSONString, at device: Int) throws(HarnessError) {
    let id = DocumentID(root)
    let body: JSONValue = ["stamp": .string(stamp)]
    var rev = winner(device, id)
    // The application has loaded it from the backend.
    if rev == nil, root != stamp {
      try synchronize(device)
      rev = winner(device, id)
    }
    let action: StoreAction =
      rev.map { .update(id: id, rev: $0, body: body) } ?? .create(id: id, body: body)
    if case .written(let id, let rev) = try ask(device, action) { keeping.acknowledge(id, rev) }
  }

  mutating func remove(_ root: JSONString, at device: Int) throws(HarnessError) {
    guard let rev = winner(device, DocumentID(root)) else { return }
    let result = try ask(device, .delete(id: DocumentID(root), rev: rev))
    if case .written(let id, let rev) = result { keeping.acknowledge(id, rev) }
  }

  // MARK: Replication

  mutating func synchronize(_ device: Int) throws(HarnessError) {
    try replicate(device, hub)
    try replicate(hub, device)
  }

  private mutating func replicate(_ source: Int, _ target: Int) throws(HarnessError) {
    let way = Way(source: source, target: target)
    guard case .changes(let page) = try ask(source, .changes(since: positions[way])) else { return }
    positions[way] = page.last
    let asked = page.rows.map { RevisionQuery(id: $0.id, revs: $0.leaves.map { $0.rev }) }
    guard !asked.isEmpty, case .revsDiff(let differences) = try ask(target, .revsDiff(asked)),
      !differences.isEmpty
    else { return }
    let missing = differences.map { RevisionQuery(id: $0.id, revs: $0.missing) }
    guard case .revisions(let answers) = try ask(source, .getRevisions(missing)) else { return }
    var records: [RevisionRecord] = []
    for answer in answers { if case .records(let found) = answer.found { records += found } }
    _ = try ask(target, .insertRevisions(records))
  }

  /// Replicates all stores completely.
  mutating func close() throws(HarnessError) {
    for _ in 0..<2 { for device in 0..<hub { try synchronize(device) } }
  }

  // MARK: Final state

  /// Acknowledged revisions that are lost at any of the stores, and stores that differ.
  mutating func lost() throws(HarnessError) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for place in stores.indices { findings += keeping.lost(try leaves(place)) }
    return findings
  }

  /// The number of objects with several live versions, which remain unresolved.
  mutating func conflicts() throws(HarnessError) -> Int {
    guard case .changes(let page) = try ask(hub, .changes()) else { return 0 }
    return page.rows.filter { $0.leaves.filter { !$0.deleted }.count > 1 }.count
  }

  private mutating func leaves(_ place: Int) throws(HarnessError) -> [RevisionRecord] {
    guard case .changes(let page) = try ask(place, .changes()) else { return [] }
    let asked = page.rows.map { RevisionQuery(id: $0.id, revs: $0.leaves.map { $0.rev }) }
    guard case .revisions(let answers) = try ask(place, .getRevisions(asked)) else { return [] }
    var records: [RevisionRecord] = []
    for answer in answers { if case .records(let found) = answer.found { records += found } }
    return records
  }
}
