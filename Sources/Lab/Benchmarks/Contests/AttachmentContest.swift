internal import Datastore
internal import Digest
internal import JSON
internal import Storage

/// Documents with one attachment each; the baseline writes the same contents to files, each under a
/// temporary name, synced, and then renamed.
///
/// The baseline does not sync the folder, so its names are less durable than the store's.
final class AttachmentContest: Contest {
  private let workbench: Workbench
  private let perCall: Int
  private let bytes: Int
  private let count: Int
  private var contents: [[UInt8]] = []
  private var operations: [StoreOperation] = []
  private var floorPrefix = ""

  init(
    _ workbench: Workbench, bytes: Int, perCall: Int, count: Int
  ) throws(BenchmarkError) {
    self.workbench = workbench
    self.perCall = perCall
    self.bytes = bytes
    self.count = count
    try workbench.begin()
  }

  /// Files are not removed between runs: a file system that removed many files creates new ones
  /// slowly.
  func prepareStore(run: Int) throws(BenchmarkError) {
    let environment = RunEnvironment(seed: UInt64(run))
    contents = (0..<count).map { _ in environment.randomBytes(bytes) }
    let records = contents.enumerated().map { place, bytes in
      let number = run * count + place
      return RevisionRecord(
        id: Documents.id(number), path: [Documents.rev(number, generation: 1)],
        body: Documents.body(number),
        attachments: [RevisionAttachment("content", .data(JSONString(Base64.encode(bytes))))])
    }
    operations = stride(from: 0, to: records.count, by: perCall).map { start in
      Workbench.operation(
        .insertRevisions(Array(records[start..<min(start + perCall, records.count)])))
    }
  }

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .inserted(let failures) = result, failures.allSatisfy({ $0 == nil }) else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      for _ in failures { tally.addRow() }
    }
    return tally
  }

  /// Checks that one of the contents was returned.
  func prepareFloor(run: Int) throws(BenchmarkError) {
    let place = run % count
    let number = run * count + place
    floorPrefix = "floor-\(run)"
    let read = Workbench.operation(
      .readAttachment(
        id: Documents.id(number), rev: Documents.rev(number, generation: 1), name: "content"))
    let result = try workbench.perform(read)
    guard case .attachment(let piece) = result, Base64.decode(piece.bytes.utf8) == contents[place]
    else { throw Workbench.unexpected(read, .ok(result)) }
  }

  /// The baseline has no documents.
  func finish() throws(BenchmarkError) { try workbench.emptySubject() }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    do throws(StorageError) {
      for (number, bytes) in contents.enumerated() {
        try Self.write(bytes, "\(floorPrefix)-\(number)", storage: workbench.storage)
        tally.addRow()
      }
    } catch {
      throw .storage(error.description)
    }
    return tally
  }

  private static func write(
    _ bytes: [UInt8], _ name: String, storage: any Storage
  ) throws(StorageError) {
    guard let file = try storage.open("floor.part", .replacing) else { return }
    try bytes.span.withUnsafeBytes { (all) throws(StorageError) in
      for start in stride(from: 0, to: all.count, by: 65_536) {
        let end = min(start + 65_536, all.count)
        try file.write(UnsafeRawBufferPointer(rebasing: all[start..<end]), at: start)
      }
    }
    try file.sync()
    try storage.rename("floor.part", to: name)
  }
}
