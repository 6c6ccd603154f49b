internal import Collections
internal import JSON

/// The events of one migration with its interruptions, for a drawing.
public struct MigrationPath: Hashable, Sendable {
  /// An event.
  public enum Event: Hashable, Sendable {
    /// The application starts.
    case start
    /// A step of the migration with its words.
    case step(Step)
    /// A request of a save.
    case request(String, MigrationInterruption.RequestOutcome)
    /// The application crashes.
    case crash
    /// The migration failed, and the application triggers it again.
    case retry
    /// The end, with the number of entities at the backend by name.
    case end(copies: [String])
  }

  /// A step of a migration.
  public struct Step: Hashable, Sendable {
    /// The participant of the step beside the application.
    public enum Place: Hashable, Sendable {
      case store, settings, backend
    }

    /// The participant of the step.
    public var place: Place
    /// The step in words.
    public var words: String
    /// The number of requests.
    public var requests: Int
  }

  /// The events in order.
  public var events: [Event] = []

  /// The steps.
  public var steps: [Step] {
    events.compactMap { event in
      if case .step(let step) = event { step } else { nil }
    }
  }
}

/// Records the path of a trial.
final class MigrationRecorder {
  private(set) var path = MigrationPath()
  /// The number of recorded requests of the current runner.
  private var requests = 0

  func start() {
    requests = 0
    path.events.append(.start)
  }

  func crash() { path.events.append(.crash) }

  func retry() { path.events.append(.retry) }

  func end(_ copies: [JSONString: Int]) {
    let names = copies.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    path.events.append(.end(copies: names.map { "\(copies[$0] ?? 0)× \($0)" }))
  }

  func step(_ effect: MigrationEffect, _ exchanges: [CollectionSession.Exchange]) {
    let new = exchanges[requests...]
    requests = exchanges.count
    path.events.append(.step(MigrationPath.Step(effect)))
    for exchange in new {
      let outcome: MigrationInterruption.RequestOutcome =
        switch exchange.reply {
        case .response: .answered
        case .failure(.timedOut): .lost
        case .failure: .failed
        }
      path.events.append(.request("\(exchange.request)", outcome))
    }
  }
}

extension MigrationPath.Step {
  fileprivate init(_ effect: MigrationEffect) {
    switch effect {
    case .readFlag(let flag, _): self.init(flag, words: "read the flag")
    case .setFlag(let flag, _): self.init(flag, words: "set the flag")
    case .count: self.init(place: .store, words: "count the objects", requests: 0)
    case .readPage(let collection, let offset, _):
      self.init(
        place: .store, words: "read \(collection.name) from \(offset)", requests: 0)
    case .save(let collection, let objects):
      self.init(
        place: .backend, words: "save \(objects.count) \(collection.name)",
        requests: objects.count)
    case .delete(let objects):
      self.init(
        place: .store, words: "delete \(TextCount.of(objects.count, "local object"))", requests: 0)
    }
  }

  private init(_ flag: MigrationPlan.Flag, words: String) {
    self.init(place: flag == .settings ? .settings : .store, words: words, requests: 0)
  }
}
