#if HTTP
  internal import Datastore
  internal import HTTPClient
  internal import JSON

  /// A client of a server whose connection is cut now and then, a few milliseconds after a request was
  /// sent: the server may have performed it.
  final class CuttingTransport: HTTPTransport {
    private let client: HTTPClient
    private var random: RandomGenerator

    /// One request in so many is cut.
    private static let rarity: UInt64 = 24
    /// The longest time from a request to the cut.
    private static let millisecondsMax: UInt64 = 6

    init(_ client: HTTPClient, seed: UInt64) {
      self.client = client
      random = RandomGenerator(seed: seed)
    }

    var address: ServerAddress { client.address }

    var credentials: Credentials? { client.credentials }

    func another(limitSeconds: Int) throws(HTTPFailure) -> HTTPClient? {
      try client.another(limitSeconds: limitSeconds)
    }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      // A database that may exist or not has no history.
      let isCut =
        random.next() % Self.rarity == 0
        && request.path.string.split(separator: "/").count > 1
      client.limitMilliseconds = isCut ? Int(random.next() % Self.millisecondsMax) + 1 : nil
      return try client.send(request)
    }
  }

  /// A connection whose transport is cut now and then; the next request opens another one.
  final class CutConnection: ImplementationLayer {
    let base: any ImplementationUnderTest

    init(_ base: any ImplementationUnderTest) { self.base = base }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      try base.perform(operation, environment)
    }

    func crash(_ kind: CrashKind) throws(HarnessError) {}
  }
#endif
