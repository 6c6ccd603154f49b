internal import Conformance
internal import Datastore

#if HTTP
  internal import CouchDBInterface
  internal import HTTPServer
#endif

/// The options of `serve --http`.
struct HTTPServing {
  let port: UInt16
  let host: String
  /// The origin of pages that may use the server; nil for none.
  let allowedOrigin: String?
  /// The user of all requests; nil if everyone is an administrator.
  let credentials: (user: String, password: String)?

  static let portDefault: UInt16 = 5984
  private static let userVariable = "TOUCHSTONE_HTTP_USER"
  private static let passwordVariable = "TOUCHSTONE_HTTP_PASSWORD"
  private static let own = ["--host", "--cors"]

  static let options: [Manual.Option] = [
    .init(name: "--http", help: "Serve HTTP on PORT (5984 by default)."),
    .init(
      name: "--host", value: "ADDRESS",
      help: "With --http: the address to listen on, such as 0.0.0.0 (default 127.0.0.1)."),
    .init(
      name: "--cors", value: "ORIGIN|*",
      help: "With --http: let pages of this origin, or of all, use the server."),
  ]

  /// Returns nil without `--http`.
  init?(_ arguments: Arguments, _ manual: Manual) throws(UsageError) {
    guard arguments.has("--http") else {
      if let operand = arguments.operands.first {
        throw UsageError("the port '\(operand)' needs --http", manual)
      }
      for name in Self.own where arguments.has(name) {
        throw UsageError("\(name) needs --http", manual)
      }
      return nil
    }
    if let text = arguments.operands.first {
      guard let number = UInt16(text) else {
        throw UsageError("'\(text)' is not a port: expected 0 to 65535", manual)
      }
      port = number
    } else {
      port = Self.portDefault
    }
    host = arguments.value("--host") ?? "127.0.0.1"
    allowedOrigin = arguments.value("--cors")
    let (user, password) = (
      Files.environment(Self.userVariable) ?? "", Files.environment(Self.passwordVariable) ?? ""
    )
    guard user.isEmpty == password.isEmpty, !user.contains(":") else {
      throw UsageError(
        "\(Self.userVariable) and \(Self.passwordVariable) need each other, and the user has no colon",
        manual)
    }
    credentials = user.isEmpty ? nil : (user, password)
    let isLoopback = host.utf8.starts(with: "127.".utf8) || ["::1", "localhost"].contains(host)
    guard isLoopback || credentials != nil else {
      throw UsageError(
        "--host \(host) lets other machines connect: set \(Self.userVariable) and "
          + Self.passwordVariable, manual)
    }
  }

  #if HTTP
    func run(
      _ entry: ImplementationEntry, _ storage: StorageChoice, _ context: Context
    ) throws(CommandFailure) -> ExitCode {
      var options = CouchDBService.Options()
      options.credentials = credentials
      options.allowedOrigin = allowedOrigin
      options.seed = UInt64.random(in: 0...UInt64.max)
      var binding = HTTPServer.Options()
      binding.host = host == "localhost" ? "127.0.0.1" : host
      binding.port = port
      let service: CouchDBService
      let server: HTTPServer
      do throws(HarnessError) {
        service = try CouchDBService(try entry.make(storage), options)
      } catch {
        throw CommandFailure("\(error)")
      }
      let answering = service
      do throws(HTTPServerFailure) {
        server = try HTTPServer(binding) { answering.response(to: $0) }
      } catch {
        throw CommandFailure("\(error)")
      }
      context.watchInterruption()
      let shownHost = binding.host.contains(":") ? "[\(binding.host)]" : binding.host
      context.output(
        "\(entry.name) (\(storage)) is served at http://\(shownHost):\(server.port)/\n")
      while !context.isInterrupted() { BackgroundThread.pause(microseconds: 50_000) }
      service.endFeeds()
      let isDrained = server.stopGracefully(withinMilliseconds: Self.drainMilliseconds)
      do throws(HarnessError) { try service.stop() } catch { throw CommandFailure("\(error)") }
      if !isDrained { context.error("touchstone: a request that took too long was cut\n") }
      return .success
    }

    private static let drainMilliseconds = 10_000
  #else
    func run(
      _ entry: ImplementationEntry, _ storage: StorageChoice, _ context: Context
    ) throws(CommandFailure) -> ExitCode {
      throw CommandFailure("this program was built without the trait HTTP, so it cannot serve HTTP")
    }
  #endif
}
