internal import Datastore
internal import Digest
internal import JSON
internal import Storage

/// Many documents that share one content; those of the baseline have no attachments.
///
/// Fails if the content is stored more than once.
final class SharedContentContest: Contest {
  private let workbench: Workbench
  private let count: Int
  private let writer: FloorWriter
  private let content: [UInt8]
  private var operations: [StoreOperation] = []
  private var arena = Arena()
  private var records = UnsafeBufferPointer<FloorRecord>(start: nil, count: 0)

  private static let perCall = 1000

  init(_ workbench: Workbench, bytes: Int, count: Int) throws(BenchmarkError) {
    self.workbench = workbench
    self.count = count
    let environment = RunEnvironment(seed: 1)
    content = environment.randomBytes(bytes)
    try workbench.begin()
    writer = try FloorWriter(try workbench.floorDatabase())
  }

  /// The first record contains the content, and the others reference it.
  func prepareStore(run: Int) throws(BenchmarkError) {
    let digest = JSONString("sha256-" + Base64.encode(DigestAlgorithm.sha256.digest(of: content)))
    let records = (run * count..<(run + 1) * count).map { number in
      var record = Documents.record(number)
      let isFirst = number == run * count
      record.attachments = [
        RevisionAttachment(
          "content", isFirst ? .data(JSONString(Base64.encode(content))) : .chunks, digest: digest)
      ]
      return record
    }
    operations = stride(from: 0, to: count, by: Self.perCall).map { start in
      Workbench.operation(
        .insertRevisions(Array(records[start..<min(start + Self.perCall, count)])))
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

  func prepareFloor(run: Int) throws(BenchmarkError) {
    try checkContents()
    arena = Arena()
    var records: [FloorRecord] = []
    for number in run * count..<(run + 1) * count {
      records.append(try FloorRecord(Documents.record(number), in: arena))
    }
    self.records = arena.array(records)
  }

  /// Files of the content's size are counted, independently of their names.
  private func checkContents() throws(BenchmarkError) {
    var copies = 0
    do throws(StorageError) {
      for name in try workbench.storage.fileNames() {
        copies += try workbench.storage.size(of: name) == content.count ? 1 : 0
      }
    } catch {
      throw .storage(error.description)
    }
    guard copies == 1 else {
      throw .disagreement("\(copies) files have the shared content")
    }
  }

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for start in stride(from: 0, to: count, by: Self.perCall) {
      try writer.insertNew(records[start..<min(start + Self.perCall, count)], &tally)
    }
    return tally
  }
}
