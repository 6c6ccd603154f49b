/// A store that can be judged: it performs operations and reports what came of them.
///
/// It never sees an expectation. One object is used by one thread at a time.
public protocol ImplementationUnderTest: AnyObject {
  /// What the implementation is and offers; constant during its life.
  var description: ImplementationDescription { get }

  /// Makes every store disappear, as if the implementation had just been installed.
  func reset() throws(HarnessError)

  /// Performs one operation and reports its outcome.
  ///
  /// An operation that the store refuses is an `error` outcome. A `HarnessError` says that the
  /// implementation could not be asked at all, and is never a verdict on it.
  func perform(
    _ operation: Operation, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome

  /// Ends the implementation's life as described, then starts it again with all stores closed.
  ///
  /// Only crashes that `description` declares are asked for.
  func crash(_ kind: CrashKind) throws(HarnessError)

  /// Releases everything; nothing is asked of the object afterwards.
  func shutdown() throws(HarnessError)
}

/// The implementation could not be asked, or its answer could not be understood.
public struct HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, where, and what was expected.
  public let message: String

  public init(_ message: String) { self.message = message }

  public var description: String { message }
}
