package import Datastore
internal import Synchronization

/// A value that one thread at a time uses, handed from one to another.
package final class Handover<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// The first error of several threads.
package final class FirstError: Sendable {
  private let stored = Mutex<HarnessError?>(nil)

  package init() {}

  package var error: HarnessError? { stored.withLock { $0 } }

  package func note(_ error: HarnessError) { stored.withLock { $0 = $0 ?? error } }
}
