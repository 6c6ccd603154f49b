#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
  internal import Datastore
  internal import Digest
  internal import HTTPServer
  internal import JSON

  /// The one store of a service: one thread at a time uses it, for as long as a request needs several
  /// operations at one moment.
  final class StoreGate: @unchecked Sendable {
    // Used within the monitor.
    private let implementation: any ImplementationUnderTest
    private let environment: RunEnvironment
    private let monitor = Monitor()
    private let start: UInt64
    let description: ImplementationDescription

    init(_ implementation: any ImplementationUnderTest, seed: UInt64) {
      self.implementation = implementation
      environment = RunEnvironment(seed: seed)
      description = implementation.description
      start = Self.monotonicNanoseconds
    }

    private static var monotonicNanoseconds: UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Runs operations between which no other thread uses the store.
    func exclusively<Result>(
      _ body: (Handle) throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
      try monitor.locked { () throws(ServiceError) in
        environment.nowNanoseconds = Self.monotonicNanoseconds - start
        return try body(Handle(implementation: implementation, environment: environment))
      }
    }

    /// Access to the store, as long as the gate is closed for others.
    struct Handle {
      fileprivate let implementation: any ImplementationUnderTest
      fileprivate let environment: RunEnvironment

      /// Whether content may be uploaded in pieces.
      var offersPieces: Bool {
        implementation.description.capabilities.contains(.attachmentPieces)
      }

      /// Performs an operation; the error of the store becomes the response.
      func perform(
        _ store: StoreName, _ action: StoreAction
      ) throws(ServiceError) -> OperationResult {
        switch try outcome(store, action) {
        case .ok(let result): return result
        case .error(let error): throw ServiceError(error)
        case .unknown:
          throw ServiceError(500, "unknown_error", reason: "the outcome of the write is unknown")
        }
      }

      func outcome(_ store: StoreName, _ action: StoreAction) throws(ServiceError) -> Outcome {
        do throws(HarnessError) {
          return try implementation.perform(StoreOperation(store, action), environment)
        } catch {
          throw ServiceError(500, "internal_server_error", reason: JSONString(error.message))
        }
      }

      /// Random bytes as text, for ids.
      func randomHexadecimal(_ count: Int) -> String { environment.randomBytes(count).hexadecimal }

      /// Ends the store.
      func shutdown() throws(HarnessError) { try implementation.shutdown() }
    }
  }
#endif
