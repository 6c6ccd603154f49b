public import Datastore

/// A source or target of a replication: a store of this process (`Peer`) or a database of a server.
public protocol ReplicationPeer {
  /// The supported capabilities, as far as known. Only those of attachments have an effect.
  var capabilities: Set<Capability> { get }
  /// The declared restrictions, as far as known.
  var restrictions: Set<Restriction> { get }

  /// Performs the request; nil if its outcome is unknown.
  ///
  /// - Throws: if no further request can be answered.
  func answer(
    _ request: PeerRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> PeerResponse?
}

extension Peer: ReplicationPeer {
  public var capabilities: Set<Capability> { implementation.description.capabilities }
  public var restrictions: Set<Restriction> { implementation.description.restrictions }
}

extension ReplicatorConfiguration {
  /// Turns off what either side does not support.
  public mutating func restrict(source: any ReplicationPeer, target: any ReplicationPeer) {
    for peer in [source, target] {
      let capabilities = peer.capabilities
      if !capabilities.contains(.attachment) { asksForAttachments = false }
      if !capabilities.contains(.attachmentPieces) { usesPieces = false }
    }
    if source.restrictions.contains(.changesFromStart) { continuesFeed = false }
  }
}
