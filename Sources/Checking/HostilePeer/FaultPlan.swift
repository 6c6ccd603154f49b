#if HTTP
  internal import Datastore
  internal import HTTPServer

  /// A choice of faults by a seed: by the client, the kind of its request and the number of such
  /// requests, so that a run repeats as far as the client repeats its requests.
  public struct FaultPlan: Hashable, Sendable {
    /// The faults of a named scenario.
    public enum Scenario: String, CaseIterable, Sendable {
      /// No faults.
      case friendly
      /// Faults of all kinds.
      case all
      /// Connections that break.
      case cuts
      /// Pauses.
      case slow
      /// Statuses of overloaded servers and proxies.
      case errors
      /// Requests that take effect twice, or without a response.
      case duplicates
      /// Lost checkpoints, and sequences in other encodings.
      case checkpoints
      /// Other clients.
      case edits

      /// The faults, in the order in which they are drawn.
      public var faults: [WireFault] {
        switch self {
        case .friendly: []
        case .all: WireFault.allCases
        case .cuts: [.refused, .cut, .lostAfterwards, .truncated, .closed]
        case .slow: [.delayed, .drip]
        case .errors: [.unavailable, .limited, .failedAfterwards]
        case .duplicates: [.duplicated, .failedAfterwards, .lostAfterwards]
        case .checkpoints: [.checkpointLost, .reencoded]
        case .edits: [.compacted, .edited]
        }
      }
    }

    public let scenario: Scenario
    public let seed: UInt64

    /// Creates a plan.
    public init(_ scenario: Scenario, seed: UInt64) {
      (self.scenario, self.seed) = (scenario, seed)
    }

    /// Reads `7` (all faults), `cuts`, or `cuts:7`; nil for anything else.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
      switch parts.count {
      case 1:
        if let seed = UInt64(parts[0]) {
          self.init(.all, seed: seed)
        } else if let scenario = Scenario(rawValue: parts[0]) {
          self.init(scenario, seed: 1)
        } else {
          return nil
        }
      case 2:
        guard let scenario = Scenario(rawValue: parts[0]), let seed = UInt64(parts[1]) else {
          return nil
        }
        self.init(scenario, seed: seed)
      default: return nil
      }
    }

    /// The plan in the form that `init` reads.
    public var text: String { "\(scenario.rawValue):\(seed)" }

    /// A fault and the random number for its details.
    struct Choice {
      let fault: WireFault
      let draw: UInt64
    }

    /// One in so many requests has a fault.
    private static let requestsPerFault: UInt64 = 5

    /// The fault of a request; nil for none.
    ///
    /// - Parameters:
    ///   - number: the number of the request among those of its kind from its client, from 1.
    ///   - faultsInRow: the number of faults since the last response that arrived.
    func choice(
      for kind: RequestKind, of client: String, number: Int, faultsInRow: Int
    ) -> Choice? {
      let possible = scenario.faults.filter { kind.permits($0) }
      guard !possible.isEmpty, faultsInRow < Self.faultsInRowMax else { return nil }
      var random = RandomGenerator(seed: Self.key(seed, "\(client)\n\(kind.name)\n\(number)"))
      guard random.next() % Self.requestsPerFault == 0 else { return nil }
      let fault = possible[Int(random.next() % UInt64(possible.count))]
      return Choice(fault: fault, draw: random.next())
    }

    /// Clients repeat a request a few times only.
    private static let faultsInRowMax = 2

    /// A seed from a seed and a text (FNV-1a).
    static func key(_ seed: UInt64, _ text: String) -> UInt64 {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return hash
    }
  }

  extension RequestKind {
    /// Whether a fault makes sense for a request.
    func permits(_ fault: WireFault) -> Bool {
      guard isSubject else { return false }
      switch fault {
      case .checkpointLost: return endpoint == "_local" && ["GET", "PUT"].contains(method)
      case .reencoded: return isFeed || (endpoint == "database" && method == "GET")
      case .compacted: return ["_changes", "_bulk_get", "document"].contains(endpoint)
      case .edited: return ["_bulk_get", "_revs_diff", "_bulk_docs", "document"].contains(endpoint)
      // A feed that waits may be open for long, and has no length.
      case .duplicated: return !isFeed
      case .truncated, .cut: return method != "HEAD"
      default: return true
      }
    }
  }
#endif
