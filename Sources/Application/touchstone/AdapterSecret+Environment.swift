internal import Adapters
internal import Conformance
internal import Datastore

extension AdapterSecret {
  /// The environment variable with the secret. Other users can read a command line, but not an
  /// environment.
  static let variable = "TOUCHSTONE_SECRET"

  /// Returns the secret in the environment; nil if the variable is not set.
  static var environment: AdapterSecret? {
    Files.environment(variable).flatMap { AdapterSecret($0) }
  }

  /// The line with which the listening end prints a secret, in shell syntax.
  var line: String { "\(Self.variable)=\(text)\n" }
}

extension PeerRules {
  /// Returns the rules of a runner for all adapters at a place; connections are reported on
  /// standard error.
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
  /// Reports on standard error that a runner waits for an adapter to connect.
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
  /// Whether every user of the machine can connect to the port.
  var isTCP: Bool { if case .tcp = self { true } else { false } }
}
