internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Replication

/// The two stores of a replicator under exploration.
protocol ReplicatorStores {
  mutating func perform(
    _ action: StoreAction, at side: ReplicationSide
  ) throws(HarnessError) -> Outcome

  /// Equal numbers for equal stores; nil if the stores cannot be compared.
  var versions: [Int]? { get }

  /// Whether a store can be restored to its state before the first run.
  var canRestore: Bool { get }

  /// Restores a store to its state before the first run, if that is possible.
  mutating func restore(_ side: ReplicationSide)
}

/// A cache of the states of model stores, by number, and of their outcomes: each operation on a
/// state is performed once for all runs.
final class StoreMemo {
  private var states: [ReferenceDatastore.Snapshot] = []
  private var numbers: [ReferenceDatastore.Snapshot: Int] = [:]
  private var answers: [Question: Answer] = [:]
  private(set) var performed = 0
  private(set) var remembered = 0

  private struct Question: Hashable {
    var state: Int
    var action: StoreAction
    /// The seed of incarnations; 0 for an operation that creates no store.
    var seed: UInt64
  }

  private struct Answer {
    var outcome: Outcome
    var state: Int
  }

  /// The maximum number of cached outcomes, to bound the memory.
  private static let answersMax = 150_000

  var count: Int { states.count }

  func number(of state: ReferenceDatastore.Snapshot) -> Int {
    if let number = numbers[state] { return number }
    numbers[state] = states.count
    states.append(state)
    return states.count - 1
  }

  func perform(_ action: StoreAction, on state: inout Int, seed: UInt64) -> Outcome {
    var isOpening = false
    if case .open = action { isOpening = true }
    let question = Question(state: state, action: action, seed: isOpening ? seed : 0)
    if let answer = answers[question] {
      remembered += 1
      state = answer.state
      return answer.outcome
    }
    performed += 1
    // The model uses randomness only to create a store.
    let environment = RunEnvironment(seed: seed)
    var copy = states[state]
    let outcome = copy.perform(StoreOperation(ModelStores.store, action), environment)
    let after = action.isReading ? state : number(of: copy)
    if answers.count >= Self.answersMax { answers = [:] }
    answers[question] = Answer(outcome: outcome, state: after)
    state = after
    return outcome
  }
}

extension StoreAction {
  /// Whether the operation changes no store.
  fileprivate var isReading: Bool {
    switch self {
    case .info, .read, .list, .leaves, .changes, .revsDiff, .getRevisions, .readLocal,
      .readAttachment:
      true
    case .putBlob(_, _, let bytes): bytes == ""
    default: false
    }
  }
}

/// Two stores of the model; a copy is independent of the original.
struct ModelStores: ReplicatorStores {
  static let store: StoreName = "notes"

  private let memo: StoreMemo
  private var source: Int
  private var target: Int
  /// The number of stores created on each side; each one has its own incarnation.
  private var sourceLives: UInt64 = 0
  private var targetLives: UInt64 = 0
  /// Both stores before the first run.
  private var beginning = (source: 0, target: 0)

  init(_ setting: ReplicatorSetting, _ memo: StoreMemo) {
    self.memo = memo
    let empty = memo.number(
      of: ReferenceDatastore.Snapshot(inlineBytesMax: setting.inlineBytesMax))
    source = empty
    target = empty
    for action in setting.sourceWrites { _ = perform(action, at: .source) }
    for action in setting.targetWrites { _ = perform(action, at: .target) }
    beginning = (source, target)
  }

  var canRestore: Bool { true }

  mutating func restore(_ side: ReplicationSide) {
    switch side {
    case .source: source = beginning.source
    case .target: target = beginning.target
    }
  }

  var versions: [Int]? { [source, target] }

  mutating func perform(_ action: StoreAction, at side: ReplicationSide) -> Outcome {
    let isOpening = if case .open = action { true } else { false }
    switch side {
    case .source:
      if isOpening { sourceLives += 1 }
      return memo.perform(action, on: &source, seed: sourceLives * 2)
    case .target:
      if isOpening { targetLives += 1 }
      return memo.perform(action, on: &target, seed: targetLives * 2 + 1)
    }
  }
}
