public import JSON

/// A store under test: it performs operations and reports their outcomes.
///
/// It never receives an expectation. One object is used by one thread at a time.
public protocol ImplementationUnderTest: AnyObject {
  /// The declared properties of the implementation; constant during its lifetime.
  var description: ImplementationDescription { get }

  /// Deletes every store, as if the implementation had just been installed.
  func reset() throws(HarnessError)

  /// Performs one operation and reports its outcome.
  ///
  /// An operation that the store rejects has the outcome `error`. A `HarnessError` means that no
  /// outcome exists; it also states whether the implementation caused that.
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome

  /// Crashes the implementation in the given way, then restarts it with all stores closed.
  ///
  /// The harness only requests crashes that `description` declares.
  func crash(_ kind: CrashKind) throws(HarnessError)

  /// Releases all resources; the object is not used afterwards.
  func shutdown() throws(HarnessError)

  /// Starts a new undertaking without any store.
  ///
  /// The default implementation calls `reset`.
  func begin(_ undertaking: Undertaking) throws(HarnessError)

  /// Ends the current undertaking; a later failure cannot be attributed to it.
  func end() throws(HarnessError)

  /// Returns and clears the log text that the implementation wrote since the last call, such as its
  /// standard error; usually empty.
  func takeLog() -> String
}

extension ImplementationUnderTest {
  public func begin(_ undertaking: Undertaking) throws(HarnessError) { try reset() }

  public func end() throws(HarnessError) {}

  public func takeLog() -> String { "" }
}

/// A unit of work for an implementation, with a name for its logs.
public enum Undertaking: Hashable, Sendable {
  /// A vector: short, so that a time limit can apply.
  case vector(JSONString)
  /// Work without a time limit, such as a simulation run.
  case run(JSONString)

  /// The name of the vector or of the run.
  public var label: JSONString {
    switch self {
    case .vector(let label), .run(let label): label
    }
  }
}

/// An error without an outcome: the request could not be sent, or no valid response arrived.
public struct HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description: what went wrong, where, and what was expected.
  public let message: String
  /// The failure of the implementation that replaced its response; nil if the implementation did
  /// not cause the error.
  public let breakdown: Breakdown?

  /// Creates an error, with the failure of the implementation if that caused it.
  public init(_ message: String, breakdown: Breakdown? = nil) {
    self.message = message
    self.breakdown = breakdown
  }

  /// The kind of failure of an implementation: a crash, a hang, or a malformed response.
  public struct Breakdown: Hashable, Sendable {
    /// Equal for failures of one kind, such as `SIGSEGV`; a shrunk example must have the same
    /// shape.
    public let shape: JSONString
    /// The value that arrived instead of a valid response, if it was JSON.
    public let answer: JSONValue?
    /// True for a malformed or missing response, false if the process ended.
    public let isProtocolError: Bool
    /// The message without the text of the adapter, so that equal failures have equal forms; nil if
    /// the message has no such text.
    public let form: JSONString?

    /// Creates a failure of a shape, with the invalid response if there was one.
    public init(
      shape: JSONString, answer: JSONValue? = nil, isProtocolError: Bool = true,
      form: JSONString? = nil
    ) {
      self.shape = shape
      self.answer = answer
      self.isProtocolError = isProtocolError
      self.form = form
    }
  }

  public var description: String { message }
}
