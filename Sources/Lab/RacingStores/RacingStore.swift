public import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Synchronization

/// One model that all connections share: the correct store, or a mutant of it.
public final class RacingStore: Sendable {
  /// What the connections share besides the model.
  struct Shared {
    var model = ReferenceDatastore()
    /// The state before the latest write, and the connection that performed it.
    var before: ReferenceDatastore.Snapshot?
    var writer = 0
    /// Documents that are being written.
    var writing: [DocumentID: Int] = [:]
    /// Revisions that are being inserted.
    var inserting: Set<RevisionID> = []
    /// The number of compactions so far.
    var compactions = 0
    /// The positions of the feed, for mutants that count them on their own.
    var positions: [DocumentID: Int64] = [:]
    /// The last position that was handed out.
    var lastPosition: Int64 = 0
    /// The last position of a finished write.
    var lastFinished: Int64 = 0
  }

  private struct Holder: @unchecked Sendable { var shared = Shared() }

  private let holder = Mutex(Holder())
  let defect: RaceDefect?

  /// A store without data.
  ///
  /// - Parameter defect: nil for the correct store.
  public init(_ defect: RaceDefect? = nil) { self.defect = defect }

  /// Runs a closure under the lock.
  func locked<Value>(_ body: (inout Shared) -> Value) -> Value {
    // The closure and its value stay in the thread that waits for them.
    nonisolated(unsafe) let body = body
    return holder.withLock { holder in
      nonisolated(unsafe) let value = body(&holder.shared)
      return Sent(value)
    }.value
  }

  private struct Sent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  /// A new connection.
  ///
  /// - Parameter number: 1 or more, different for each connection.
  public func connection(_ number: Int) -> any ImplementationUnderTest {
    RacingConnection(self, number)
  }
}
