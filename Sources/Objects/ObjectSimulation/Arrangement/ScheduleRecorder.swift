internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

/// Runs the steps of a world and describes them.
struct ScheduleRecorder {
  private let world: RaceWorld
  private(set) var steps: [RaceStep] = []
  /// The step that enqueued each block.
  private var causes: [Int: Int] = [:]
  /// Blocks that have started.
  private var begun: Set<Int> = []

  init(_ world: RaceWorld) {
    self.world = world
    for queue in StackQueue.allCases { note(queue, nil) }
  }

  mutating func step(_ queue: StackQueue) {
    let stack = world.stack
    guard let block = stack.blocks(of: queue).first, let piece = stack.nextName(queue) else {
      return
    }
    let events = stack.events.count
    stack.step(queue)
    let isFirst = begun.insert(block.number).inserted
    let words = words(
      queue, block.name.string, piece: piece.string, events: Array(stack.events[events...]))
    let cause = isFirst ? causes[block.number].flatMap { $0 < 0 ? nil : $0 } : nil
    steps.append(
      RaceStep(
        queue: queue, words: words, cause: cause, kind: kind(piece.string)))
    for queue in StackQueue.allCases { note(queue, steps.count - 1) }
  }

  private mutating func note(_ queue: StackQueue, _ step: Int?) {
    for block in world.stack.blocks(of: queue) where causes[block.number] == nil {
      causes[block.number] = step ?? -1
    }
  }

  private func kind(_ piece: String) -> RaceStep.Kind {
    let kinds: [(String, RaceStep.Kind)] = [
      ("find", .look), ("insert", .insertion), ("save ", .save), ("merge", .merge),
      ("call", .call), ("request", .call), ("saves", .call), ("waits", .call),
      ("completion", .completion),
    ]
    return kinds.first { piece.utf8.starts(with: $0.0.utf8) }?.1 ?? .other
  }

  private func words(
    _ queue: StackQueue, _ block: String, piece: String, events: [StackEvent]
  ) -> String {
    for event in events {
      switch event {
      case .saved(_, let notification):
        return "\(queue.rawValue) saves" + Self.words(notification)
      case .merged(_, from: let other, let notification):
        return "\(queue.rawValue) merges the changes of \(other.rawValue)"
          + Self.words(notification)
      case .failed: break
      }
    }
    let name = RaceWorld.lookedFor.string
    if piece.utf8.starts(with: "find".utf8) {
      let isNext = world.stack.nextName(queue)?.string.utf8.starts(with: "insert".utf8) ?? false
      return "\(block) looks for \(name)" + (isNext ? ": not found" : ": found")
    }
    if piece.utf8.starts(with: "insert".utf8) { return "\(block) inserts \(name)" }
    if piece.utf8.starts(with: "completion of ".utf8) {
      return "\(piece.dropFirst("completion of ".count)) is complete"
    }
    if piece == "notify" { return "the group is notified" }
    if piece.utf8.starts(with: "call".utf8) || block == "application" || block == "closure" {
      return piece
    }
    return block == piece ? piece : "\(block): \(piece)"
  }

  private static func words(_ notification: SaveNotification) -> String {
    let ids = notification.inserted + notification.updated + notification.deleted
    return ids.isEmpty
      ? ": nothing new" : ": " + ids.map { $0.text.string }.joined(separator: ", ")
  }
}
