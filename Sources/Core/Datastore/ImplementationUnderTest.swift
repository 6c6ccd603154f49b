public import JSON

/// A store that can be checked: it performs operations and reports what came of them.
///
/// It never sees an expectation. One object is used by one thread at a time.
public protocol ImplementationUnderTest: AnyObject {
  /// What the implementation is and offers; constant during its life.
  var description: ImplementationDescription { get }

  /// Makes every store disappear, as if the implementation had just been installed.
  func reset() throws(HarnessError)

  /// Performs one operation and reports its outcome.
  ///
  /// An operation that the store refuses is an `error` outcome. A `HarnessError` says that there is
  /// no outcome, and whether the implementation is to blame for that.
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome

  /// Ends the implementation's life as described, then starts it again with all stores closed.
  ///
  /// Only crashes that `description` declares are asked for.
  func crash(_ kind: CrashKind) throws(HarnessError)

  /// Releases everything; nothing is asked of the object afterwards.
  func shutdown() throws(HarnessError)

  /// Something begins, with no store there; what follows is asked for it.
  ///
  /// Without an implementation of its own this is `reset`.
  func begin(_ undertaking: Undertaking) throws(HarnessError)

  /// What was begun is over; the last moment at which a fault can be blamed on it.
  func end() throws(HarnessError)

  /// What the implementation wrote for people since this was last asked, such as to its standard
  /// error; empty for most.
  func takeLog() -> String
}

extension ImplementationUnderTest {
  public func begin(_ undertaking: Undertaking) throws(HarnessError) { try reset() }

  public func end() throws(HarnessError) {}

  public func takeLog() -> String { "" }
}

/// What an implementation is asked for, with a name for its logs.
public enum Undertaking: Hashable, Sendable {
  /// A vector: short, so that its time may be limited.
  case vector(JSONString)
  /// Anything that takes as long as it takes, such as a run of the simulation.
  case run(JSONString)

  public var label: JSONString {
    switch self {
    case .vector(let label), .run(let label): label
    }
  }
}

/// There is no outcome: the implementation could not be asked, or it did not answer.
public struct HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, where, and what was expected.
  public let message: String
  /// What the implementation did in the place of an answer; nil when the fault is not its own.
  public let breakdown: Breakdown?

  public init(_ message: String, breakdown: Breakdown? = nil) {
    self.message = message
    self.breakdown = breakdown
  }

  /// How an implementation failed to answer: it crashed, it hung, it said what is no answer.
  public struct Breakdown: Hashable, Sendable {
    /// Equal for breakdowns of one kind, such as `SIGSEGV`; what a smaller example must share.
    public let shape: JSONString
    /// What came in the place of an answer, as far as that was JSON.
    public let answer: JSONValue?

    public init(shape: JSONString, answer: JSONValue? = nil) {
      self.shape = shape
      self.answer = answer
    }
  }

  public var description: String { message }
}
