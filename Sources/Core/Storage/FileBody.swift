/// The bytes of one file as readers see them, and the changes since the state on disk.
///
///     on the disk      ─ write 17 ─ truncate 18 ─ write 21 ─      as readers see it
///                                   ↑ the sync here failed
///
/// The bytes are those after all changes. Each change that a power loss may undo stores the bytes
/// that it replaced. So a write costs little more than without this, and a sync costs nothing.
final class FileBody {
  let contents: FileContents
  private var changes: [Change]

  private struct Change {
    enum State {
      /// The next sync makes it durable.
      case pending
      /// Its sync failed, and no later sync repeats it.
      case abandoned
      /// It is durable, but it follows a change that is not.
      case synced
    }

    enum Content {
      case write(Range<Int>)
      case truncation(to: Int)
    }

    let number: Int
    let step: StorageStep
    let content: Content
    /// The length of the file before the change, in bytes.
    let oldCount: Int
    /// The bytes that the change replaced.
    let replaced: [UInt8]
    var state = State.pending

    /// The offset at which the change begins.
    var start: Int {
      switch content {
      case .write(let range): range.lowerBound
      case .truncation(let size): size
      }
    }

    /// The sectors of the file that a write touches.
    var sectors: Range<Int>? {
      guard case .write(let range) = content else { return nil }
      let size = PowerLoss.sectorBytes
      return range.lowerBound / size..<(range.upperBound + size - 1) / size
    }
  }

  convenience init() { self.init(FileContents(), changes: []) }

  private init(_ contents: FileContents, changes: [Change]) {
    self.contents = contents
    self.changes = changes
  }

  /// A body with the same bytes and the same changes.
  func copy() -> FileBody { FileBody(contents.copy(), changes: changes) }

  // MARK: Changes

  /// Writes bytes at an offset, which may be beyond the end.
  func write(
    _ buffer: UnsafeRawBufferPointer, at offset: Int, number: Int, _ step: StorageStep
  ) {
    guard !buffer.isEmpty else { return }
    let range = offset..<offset + buffer.count
    changes.append(
      Change(
        number: number, step: step, content: .write(range), oldCount: contents.count,
        replaced: contents.bytes(range)))
    contents.write(buffer, at: offset)
  }

  /// Truncates the file; a size beyond the end has no effect.
  func truncate(to size: Int, number: Int, _ step: StorageStep) {
    guard size < contents.count else { return }
    changes.append(
      Change(
        number: number, step: step, content: .truncation(to: size), oldCount: contents.count,
        replaced: contents.bytes(size..<contents.count)))
    contents.truncate(to: size)
  }

  /// Makes the changes so far durable, or marks them as abandoned.
  func sync(succeeds: Bool) {
    for index in changes.indices where changes[index].state == .pending {
      changes[index].state = succeeds ? .synced : .abandoned
    }
    if changes.allSatisfy({ $0.state == .synced }) { changes.removeAll(keepingCapacity: true) }
  }

  /// Replaces all bytes, durably.
  func replace(with bytes: [UInt8]) {
    changes = []
    contents.bytes = bytes
  }

  // MARK: Power loss

  /// The changes that a power loss may undo, in the order in which they happened.
  func unsyncedChanges(fileName: String) -> [UnsyncedChange] {
    changes.filter { $0.state != .synced }.map { change in
      UnsyncedChange(
        number: change.number, step: change.step, fileName: fileName,
        sectorCount: change.sectors?.count ?? 0)
    }
  }

  /// Undoes and tears changes as `loss` specifies; the remaining state is durable.
  func losePower(_ loss: PowerLoss) {
    // First backward to the state on disk, then forward with the changes that survive.
    var written = [[UInt8]](repeating: [], count: changes.count)
    for (index, change) in changes.enumerated().reversed() {
      if case .write(let range) = change.content { written[index] = contents.bytes(range) }
      contents.truncate(to: change.oldCount)
      change.replaced.withUnsafeBytes { contents.write($0, at: change.start) }
    }
    for (change, bytes) in zip(changes, written) {
      let outcome = change.state == .synced ? .kept : loss.outcome(of: change.number)
      if outcome != .dropped { redo(change, bytes, outcome: outcome) }
    }
    changes = []
  }

  private func redo(_ change: Change, _ bytes: [UInt8], outcome: PowerLoss.Outcome) {
    guard case .write(let range) = change.content, let sectors = change.sectors else {
      contents.truncate(to: change.start)
      return
    }
    contents.extend(to: range.upperBound)
    for (place, sector) in sectors.enumerated() {
      if case .torn(let kept) = outcome, kept >> (place % 64) & 1 == 0 { continue }
      let start = sector * PowerLoss.sectorBytes
      let part = (start..<start + PowerLoss.sectorBytes).clamped(to: range)
      bytes.withUnsafeBytes { bytes in
        contents.write(
          UnsafeRawBufferPointer(
            rebasing: bytes[part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound]
          ), at: part.lowerBound)
      }
    }
  }
}
