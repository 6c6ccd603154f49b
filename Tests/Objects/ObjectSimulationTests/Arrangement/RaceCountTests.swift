import Simulation
import Testing

/// The number of schedules, computed independently with blocks on queues and without contexts.
///
/// The counts depend on the granularity of a step. With two settings, the same rules yield the
/// counts of `touchstone race`, and those of an independent exhaustive enumeration with another
/// encoding: there an empty save posts no notification, and a successful search is followed by a
/// step for its handler.
struct RaceCountTests {
  /// The next block of a queue.
  private enum Block: Hashable {
    case look(Operation)
    case insert(Operation)
    case handle(Operation)
    case saveMain
    case saveBackground
    case saveWriter
    /// A merge or a completion.
    case other
  }

  enum Operation: String, CaseIterable, Hashable {
    case main = "M"
    case background = "B"
  }

  struct Encoding: Hashable, CustomTestStringConvertible {
    var tellsOfEmptySaves: Bool
    var hasHandlerStep: Bool

    static let ours = Encoding(tellsOfEmptySaves: true, hasHandlerStep: false)
    static let recorded = Encoding(tellsOfEmptySaves: false, hasHandlerStep: true)

    var testDescription: String { self == .ours ? "ours" : "recorded" }
  }

  private struct State: Hashable {
    var calls: [Operation]
    var main: [Block] = []
    var background: [Block] = []
    var writer: [Block] = []
    /// Unsaved rows of a context.
    var pending: Set<Operation> = []
    /// Rows of the writer or the store.
    var rows: Set<Operation> = []

    func sees(_ operation: Operation) -> Bool { pending.contains(operation) || !rows.isEmpty }
  }

  private struct Counts: Equatable {
    var one = 0
    var two = 0
    var single: Set<String> = []

    static func + (left: Counts, right: Counts) -> Counts {
      Counts(
        one: left.one + right.one, two: left.two + right.two,
        single: left.single.union(right.single))
    }
  }

  private struct Counting {
    let encoding: Encoding
    let isCalledOnMain: Bool
    var known: [State: Counts] = [:]

    mutating func counts(_ state: State) -> Counts {
      if let counts = known[state] { return counts }
      var counts = Counts()
      let next = successors(state)
      for state in next { counts = counts + self.counts(state) }
      if next.isEmpty {
        let rows = state.rows.map { $0.rawValue }
        counts = rows.count == 1 ? Counts(one: 1, single: Set(rows)) : Counts(two: 1)
      }
      known[state] = counts
      return counts
    }

    private func successors(_ state: State) -> [State] {
      var next: [State] = []
      if let call = state.calls.first {
        var state = state
        state.calls.removeFirst()
        put(.look(call), of: call, &state)
        next.append(state)
      }
      // A caller on the main thread occupies the main queue until it has made its calls.
      if !state.main.isEmpty, !(isCalledOnMain && !state.calls.isEmpty) {
        var state = state
        run(state.main.removeFirst(), &state)
        next.append(state)
      }
      if !state.background.isEmpty {
        var state = state
        run(state.background.removeFirst(), &state)
        next.append(state)
      }
      if !state.writer.isEmpty {
        var state = state
        run(state.writer.removeFirst(), &state)
        next.append(state)
      }
      return next
    }

    private func run(_ block: Block, _ state: inout State) {
      switch block {
      case .look(let operation):
        if !state.sees(operation) {
          put(.insert(operation), of: operation, &state, isNext: true)
        } else if encoding.hasHandlerStep {
          put(.handle(operation), of: operation, &state, isNext: true)
        } else {
          state.main.append(.saveMain)
        }
      case .insert(let operation):
        state.pending.insert(operation)
        state.main.append(.saveMain)
      case .handle: state.main.append(.saveMain)
      case .saveMain:
        if save(.main, &state) { state.background.append(.other) }
        state.background.append(.saveBackground)
      case .saveBackground:
        if save(.background, &state) { state.main.append(.other) }
        state.writer.append(.saveWriter)
      case .saveWriter: state.main.append(.other)
      case .other: break
      }
    }

    /// Saves a context into the writer, and returns whether the other one is notified.
    private func save(_ operation: Operation, _ state: inout State) -> Bool {
      let hasRow = state.pending.remove(operation) != nil
      if hasRow { state.rows.insert(operation) }
      return hasRow || encoding.tellsOfEmptySaves
    }

    private func put(
      _ block: Block, of operation: Operation, _ state: inout State, isNext: Bool = false
    ) {
      switch operation {
      case .main: state.main.insert(block, at: isNext ? 0 : state.main.count)
      case .background: state.background.insert(block, at: isNext ? 0 : state.background.count)
      }
    }
  }

  private func counts(
    _ calls: [Operation], _ isCalledOnMain: Bool, _ encoding: Encoding
  ) -> Counts {
    var counting = Counting(encoding: encoding, isCalledOnMain: isCalledOnMain)
    return counting.counts(State(calls: calls))
  }

  struct Expected {
    let calls: [Operation]
    let isCalledOnMain: Bool
    let ours: (one: Int, two: Int)
    let recorded: (one: Int, two: Int)
    let single: Set<String>
  }

  static let expected = [
    Expected(
      calls: [.main, .background], isCalledOnMain: true, ours: (199, 1791), recorded: (18, 486),
      single: ["M"]),
    Expected(
      calls: [.main, .background], isCalledOnMain: false, ours: (838, 3184), recorded: (97, 864),
      single: ["M"]),
    Expected(
      calls: [.background, .main], isCalledOnMain: true, ours: (232, 3128), recorded: (31, 800),
      single: ["B", "M"]),
    Expected(
      calls: [.background, .main], isCalledOnMain: false, ours: (362, 3840), recorded: (70, 898),
      single: ["B", "M"]),
  ]

  @Test(arguments: expected)
  func bothEncodings(_ expected: Expected) {
    let ours = counts(expected.calls, expected.isCalledOnMain, .ours)
    let recorded = counts(expected.calls, expected.isCalledOnMain, .recorded)
    #expect(
      ours == Counts(one: expected.ours.one, two: expected.ours.two, single: expected.single))
    #expect(
      recorded
        == Counts(
          one: expected.recorded.one, two: expected.recorded.two, single: expected.single))
  }
}
