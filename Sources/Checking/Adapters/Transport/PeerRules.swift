/// What the two ends of a socket need to agree on before the first request.
public struct PeerRules {
  /// The secret of a TCP connection; nil without one.
  ///
  /// The end that listens rejects every peer whose first line lacks it. The end that connects sends
  /// it. It is never sent over a Unix socket, whose file only its user can open.
  public var secret: AdapterSecret?
  /// Called by the end that listens, with a sentence about each peer that it admits or rejects.
  public var report: (String) -> Void
  var limits = PeerLimits()
  /// Where adapters connect: all that have the same rules, one after the other.
  let entrance = Entrance()

  public init(secret: AdapterSecret? = nil, report: @escaping (String) -> Void = { _ in }) {
    self.secret = secret
    self.report = report
  }

  /// The secret that is sent to an address to which this process connects.
  func secret(for address: SocketAddress) -> AdapterSecret? {
    if case .tcp = address { secret } else { nil }
  }
}

/// The one listener of several adapters that connect to the same address, and those that have
/// connected before they are needed.
final class Entrance {
  private var listener: Listener?
  private var admission: Admission?

  /// The listener, made at the first use.
  func listener(_ address: SocketAddress) throws(SystemFailure) -> Listener {
    if let listener { return listener }
    let new = try Listener(address)
    listener = new
    return new
  }

  /// The admission of adapters, made at the first use: all of them have the same greeting.
  func admission(_ make: () -> Admission) -> Admission {
    if let admission { return admission }
    let new = make()
    admission = new
    return new
  }
}
