public import Datastore

/// The remote of a replication: a store of this process, or whatever `connect` finds.
///
/// `HTTPPeer` adds databases of servers. A value can be used for any number of replications.
public struct ReplicationTarget {
  /// Finds the peer, before anything is sent.
  public typealias Connect = () throws(HarnessError) -> any ReplicationPeer

  /// Finds the peer, before anything is sent.
  public let connect: Connect
  /// Waits where a pause must take time, as with servers; nil for no wait.
  public let pause: ((_ nanoseconds: UInt64) -> Void)?

  /// A remote.
  ///
  /// - Parameters:
  ///   - pause: waits where a pause must take time, as with servers; nil for no wait.
  ///   - connect: finds the peer, before anything is sent.
  public init(
    pause: ((_ nanoseconds: UInt64) -> Void)? = nil, connect: @escaping Connect
  ) {
    self.connect = connect
    self.pause = pause
  }

  /// A store of a datastore of this process, which is created if it is missing.
  ///
  /// The datastore is used on the thread that performs the steps of the replication.
  public static func store(
    _ name: StoreName, in datastore: any ImplementationUnderTest, _ environment: RunEnvironment
  ) -> ReplicationTarget {
    ReplicationTarget { () throws(HarnessError) in
      let outcome = try datastore.perform(StoreOperation(name, .open()), environment)
      switch outcome {
      case .ok: return Peer(datastore, store: name)
      case .error(let error):
        throw HarnessError("the store '\(name)' could not be opened: \(error)")
      case .unknown:
        throw HarnessError("the store '\(name)' could not be opened: the outcome is unknown")
      }
    }
  }
}
