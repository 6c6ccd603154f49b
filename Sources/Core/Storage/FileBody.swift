/// The bytes of one file as its readers see them, and how to get back to what the disk has.
///
///     on the disk      ─ write 17 ─ truncate 18 ─ write 21 ─      as readers see it
///                                   ↑ the sync here failed
///
/// The bytes are those after all changes. Each change that a power loss may undo holds what it
/// replaced: so writing costs little more than it would without, and a sync costs nothing.
final class FileBody {
  let contents = FileContents()
  private var changes: [Change] = []

  private struct Change {
    enum State {
      /// The next sync makes it durable.
      case pending
      /// Its sync failed, and no other one will try again.
      case abandoned
      /// It is durable, but it came after one that is not.
      case synced
    }

    enum Content {
      case write(Range<Int>)
      case truncation(to: Int)
    }

    let number: Int
    let step: StorageStep
    let content: Content
    /// How long the file was before.
    let oldCount: Int
    /// What was where the change is, before it.
    let replaced: [UInt8]
    var state = State.pending

    /// Where in the file it begins.
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

  /// A body with the same bytes and the same changes.
  func copy() -> FileBody {
    let copy = FileBody()
    copy.contents.bytes = contents.bytes
    copy.changes = changes
    return copy
  }

  // MARK: Changing

  /// Writes bytes at an offset, which may lie behind the end.
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

  /// Cuts the end off; a size beyond the end changes nothing.
  func truncate(to size: Int, number: Int, _ step: StorageStep) {
    guard size < contents.count else { return }
    changes.append(
      Change(
        number: number, step: step, content: .truncation(to: size), oldCount: contents.count,
        replaced: contents.bytes(size..<contents.count)))
    contents.truncate(to: size)
  }

  /// Makes what was changed so far durable, or gives it up.
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

  // MARK: Losing

  /// What a power loss may undo, in the order in which it happened.
  func unsyncedChanges(fileName: String) -> [UnsyncedChange] {
    changes.filter { $0.state != .synced }.map { change in
      UnsyncedChange(
        number: change.number, step: change.step, fileName: fileName,
        sectorCount: change.sectors?.count ?? 0)
    }
  }

  /// Undoes and tears changes as decided; what is left then is durable.
  func losePower(_ loss: PowerLoss) {
    // Backwards to what the disk has, and forwards again with what it took up.
    var written = [[UInt8]](repeating: [], count: changes.count)
    for (index, change) in changes.enumerated().reversed() {
      if case .write(let range) = change.content { written[index] = contents.bytes(range) }
      contents.truncate(to: change.oldCount)
      change.replaced.withUnsafeBytes { contents.write($0, at: change.start) }
    }
    for (change, bytes) in zip(changes, written) {
      let fate = change.state == .synced ? .kept : loss.fate(of: change.number)
      if fate != .dropped { redo(change, bytes, fate: fate) }
    }
    changes = []
  }

  private func redo(_ change: Change, _ bytes: [UInt8], fate: PowerLoss.Fate) {
    guard case .write(let range) = change.content, let sectors = change.sectors else {
      contents.truncate(to: change.start)
      return
    }
    contents.extend(to: range.upperBound)
    for (place, sector) in sectors.enumerated() {
      if case .torn(let kept) = fate, kept >> (place % 64) & 1 == 0 { continue }
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
