import Conformance
import Datastore
import Synchronization

@testable import touchstone

/// An environment for commands that records their output.
final class TestWorld {
  var output = ""
  var error = ""
  var showsProgress = false
  var width = 100
  /// The number of vectors after which the user stops the run; nil for never.
  var stopsAfter: Int?
  let clock = Clock()
  var implementations: [ImplementationEntry] = ImplementationEntry.bundled

  var context: Context {
    let (looks, stopsAfter) = (Count(), stopsAfter)
    return Context(
      output: { self.output += $0 }, error: { self.error += $0 }, style: .plain,
      errorStyle: .plain, showsProgress: showsProgress, width: width, errorWidth: width,
      nanoseconds: { [clock] in clock.look() }, implementations: implementations,
      isInterrupted: { stopsAfter.map { looks.next() > $0 } ?? false })
  }

  private final class Count: Sendable {
    private let value = Atomic<Int>(0)

    /// The next number, from 1.
    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  /// A clock that advances at each reading.
  final class Clock: Sendable {
    private let nowNanoseconds = Atomic<UInt64>(0)
    private let tickNanoseconds = Atomic<UInt64>(0)

    /// Sets the advance at each reading.
    func tick(nanoseconds: UInt64) { tickNanoseconds.store(nanoseconds, ordering: .relaxed) }

    func look() -> UInt64 {
      let tick = tickNanoseconds.load(ordering: .relaxed)
      return nowNanoseconds.wrappingAdd(tick, ordering: .relaxed).newValue
    }
  }

  @discardableResult func run(_ arguments: String...) -> ExitCode { run(all: arguments) }

  @discardableResult func run(all arguments: [String]) -> ExitCode {
    (output, error) = ("", "")
    return CommandTable.run(arguments, context)
  }
}

/// A store with a given response to every operation.
final class ParrotDatastore: ImplementationUnderTest {
  let answer: @Sendable (StoreOperation) throws(HarnessError) -> Outcome

  init(_ answer: @escaping @Sendable (StoreOperation) throws(HarnessError) -> Outcome) {
    self.answer = answer
  }

  let description = ImplementationDescription(name: "parrot", version: "2")

  func reset() {}

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    if case .open = operation.action { return .ok(.done) }
    return try answer(operation)
  }

  func crash(_ kind: CrashKind) throws(HarnessError) { throw HarnessError("cannot crash") }

  func shutdown() {}

  static func entry(
    _ answer: @escaping @Sendable (StoreOperation) throws(HarnessError) -> Outcome
  ) -> ImplementationEntry {
    ImplementationEntry(
      name: "parrot", keepsFiles: false, followsModel: false, runsBesideItself: true
    ) { _ in
      ParrotDatastore(answer)
    }
  }
}
