/// The settings that the two ends of a socket agree on before the first request.
public struct PeerRules {
  /// The secret of a TCP connection; nil without one.
  ///
  /// The listening end rejects every peer whose first line lacks it. The connecting end sends it.
  /// It is never sent over a Unix socket, whose file only its user can open.
  public var secret: AdapterSecret?
  /// Called by the listening end with a sentence about each admitted or rejected peer.
  public var report: (String) -> Void
  var limits = PeerLimits()
  /// The listener for adapters that connect: one for all adapters with these rules.
  let entrance = Entrance()

  /// Creates the settings; by default without a secret and without messages.
  public init(secret: AdapterSecret? = nil, report: @escaping (String) -> Void = { _ in }) {
    self.secret = secret
    self.report = report
  }

  /// The secret for an address to which this process connects.
  func secret(for address: SocketAddress) -> AdapterSecret? {
    if case .tcp = address { secret } else { nil }
  }
}

/// The listener of several adapters that connect to the same address, and connections that are not
/// needed yet.
final class Entrance {
  private var listener: Listener?
  private var admission: Admission?

  /// The listener, created at the first use.
  func listener(_ address: SocketAddress) throws(SystemFailure) -> Listener {
    if let listener { return listener }
    let new = try Listener(address)
    listener = new
    return new
  }

  /// The admission of adapters, created at the first use: all of them have the same greeting.
  func admission(_ make: () -> Admission) -> Admission {
    if let admission { return admission }
    let new = make()
    admission = new
    return new
  }
}
