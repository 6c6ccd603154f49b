internal import Adapters
internal import Conformance
internal import Datastore

extension AdapterSecret {
  /// The variable of the environment that holds the secret: other users cannot read it, as they can
  /// read a command line.
  static let variable = "TOUCHSTONE_SECRET"

  /// The secret of the environment; nil if the variable is not set.
  static var environment: AdapterSecret? {
    Files.environment(variable).flatMap { AdapterSecret($0) }
  }

  /// The line with which the end that listens prints a secret, as a shell reads it.
  var line: String { "\(Self.variable)=\(text)\n" }
}

extension PeerRules {
  /// The rules of a runner for all adapters at a place; it says on the standard error who came.
  static func ofRunner(
    _ place: AdapterPlace, _ context: Context, requiresSecret: Bool
  ) throws(HarnessError) -> PeerRules {
    var rules = PeerRules { sentence in
      context.error("\(TextLayout.printable(sentence))\n")
    }
    switch place {
    case .command: break
    case .listening: rules.secret = .environment
    case .calling(let address):
      if requiresSecret, address.isTCP {
        let secret = try AdapterSecret.random()
        context.error(secret.line)
        rules.secret = secret
      }
    }
    return rules
  }
}

extension AdapterPlace {
  /// Says on the standard error that a runner waits, before an adapter has to connect.
  func announceWaiting(_ context: Context) {
    guard case .calling(let address) = self else { return }
    context.error("waiting for an adapter to connect to \(address)\n")
  }
}

extension Manual.Option {
  static let requireSecret = Manual.Option(
    name: "--require-secret",
    help:
      "With listen:PORT: print a new secret, and disconnect every adapter that does not send it.")
}

extension SocketAddress {
  /// Whether every user of the machine can connect to it.
  var isTCP: Bool { if case .tcp = self { true } else { false } }
}
