internal import Datastore
internal import Digest
internal import JSON
internal import Storage

/// Documents with one attachment each; the floor writes the same contents to files, each under
/// another name first, synced, and then renamed.
///
/// The floor does not sync the folder, so that its names are less durable than the store's.
final class AttachmentContest: Contest {
  private let workbench: Workbench
  private let perCall: Int
  private let contents: [[UInt8]]
  private var operations: [Operation] = []

  init(
    _ workbench: Workbench, bytes: Int, perCall: Int, count: Int
  ) throws(BenchmarkError) {
    self.workbench = workbench
    self.perCall = perCall
    var environment = Environment(seed: 1)
    contents = (0..<count).map { _ in environment.randomBytes(bytes) }
    try workbench.begin()
  }

  func prepareStore(run: Int) throws(BenchmarkError) {
    guard operations.isEmpty else { return }
    let records = contents.enumerated().map { number, bytes in
      RevisionRecord(
        id: Documents.id(number), path: [Documents.rev(number, generation: 1)],
        body: Documents.body(number),
        attachments: [RevisionAttachment("content", .data(Text(Base64.encode(bytes))))])
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

  /// Looks whether one of the contents came back, and makes the store as empty as the floor's.
  func prepareFloor(run: Int) throws(BenchmarkError) {
    let number = run % contents.count
    let read = Workbench.operation(
      .readAttachment(
        id: Documents.id(number), rev: Documents.rev(number, generation: 1), name: "content"))
    let result = try workbench.perform(read)
    guard case .attachment(let piece) = result, Base64.decode(piece.bytes.utf8) == contents[number]
    else { throw Workbench.unexpected(read, .ok(result)) }
    try workbench.emptySubject()
  }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    do throws(StorageError) {
      for (number, bytes) in contents.enumerated() {
        try Self.write(bytes, "floor-\(number)", workbench.storage)
        tally.addRow()
      }
    } catch {
      throw .storage(error.description)
    }
    return tally
  }

  private static func write(
    _ bytes: [UInt8], _ name: String, _ storage: any Storage
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
