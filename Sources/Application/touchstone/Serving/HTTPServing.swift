internal import Conformance
internal import Datastore

#if HTTP
  internal import CouchDBInterface
  internal import HTTPClient
  internal import HTTPServer
  internal import HostilePeer
  internal import JSON
  internal import TrafficLint
#endif

/// The options of `serve --http`.
struct HTTPServing {
  let port: UInt16
  let host: String
  /// The origin of pages that may use the server; nil for none.
  let allowedOrigin: String?
  /// The user of all requests; nil if everyone is an administrator.
  let credentials: (user: String, password: String)?

  /// The faults, as text; nil for none.
  let hostile: String?
  /// The file of a recording.
  let recording: String?
  let givesVerdict: Bool
  /// The address of another server, for which this one is a proxy.
  let upstream: String?
  let listsEndpoints: Bool
  let writesOpenAPI: Bool

  static let portDefault: UInt16 = 5984
  private static let userVariable = "TOUCHSTONE_HTTP_USER"
  private static let passwordVariable = "TOUCHSTONE_HTTP_PASSWORD"
  private static let own = [
    "--host", "--cors", "--hostile", "--record", "--verdict", "--upstream", "--endpoints",
    "--openapi",
  ]

  static let options: [Manual.Option] = [
    .init(name: "--http", help: "Serve HTTP on PORT (5984 by default)."),
    .init(
      name: "--host", value: "ADDRESS",
      help: "With --http: the address to listen on, such as 0.0.0.0 (default 127.0.0.1)."),
    .init(
      name: "--cors", value: "ORIGIN|*",
      help: "With --http: let pages of this origin, or of all, use the server."),
    .init(
      name: "--hostile", value: "SEED|SCENARIO[:SEED]",
      help:
        "With --http: inject faults: friendly, all, cuts, slow, errors, duplicates, checkpoints, "
        + "edits."),
    .init(
      name: "--verdict",
      help: "With --http: compare at the end what clients were told with what the server holds."),
    .init(
      name: "--record", value: "FILE",
      help: "With --http: write each request with its response to FILE, one on each line."),
    .init(
      name: "--endpoints",
      help: "With --http: print which endpoints of CouchDB are offered, in place of serving."),
    .init(
      name: "--openapi",
      help: "With --http: print the offered endpoints as an OpenAPI document, in place of serving."),
    .init(
      name: "--upstream", value: "URL",
      help: "With --http: pass requests to another server, in place of a store."),
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
    hostile = arguments.value("--hostile")
    recording = arguments.value("--record")
    givesVerdict = arguments.has("--verdict")
    upstream = arguments.value("--upstream")
    listsEndpoints = arguments.has("--endpoints")
    writesOpenAPI = arguments.has("--openapi")
    #if HTTP
      if let hostile, FaultPlan(hostile) == nil {
        let known = FaultPlan.Scenario.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(
          "--hostile '\(hostile)': expected a seed, one of \(known), or one of them with :SEED",
          manual)
      }
    #endif
    if upstream != nil {
      for name in ["--implementation", "--storage", "--cors"] where arguments.has(name) {
        throw UsageError("\(name) and --upstream exclude each other", manual)
      }
    }
    guard isLoopback || credentials != nil else {
      throw UsageError(
        "--host \(host) lets other machines connect: set \(Self.userVariable) and "
          + Self.passwordVariable, manual)
    }
  }

  #if HTTP
    func run(
      _ entry: ImplementationEntry, in storage: StorageChoice, _ context: Context
    ) throws(CommandFailure) -> ExitCode {
      guard !listsEndpoints else {
        context.output(CouchDBService.endpointTable)
        return .success
      }
      guard !writesOpenAPI else {
        context.output("\(CouchDBService.openAPI.serialized())\n")
        return .success
      }
      let recorder = try recording.map { (path) throws(CommandFailure) in try Recorder(path) }
      let plan = hostile.flatMap { FaultPlan($0) } ?? FaultPlan(.friendly, seed: 0)
      let log = ExchangeLog(
        tracksWrites: givesVerdict || hostile != nil, record: recorder.map { $0.write })
      let subject = try subject(entry, storage)
      let peer = HostilePeer(plan, log: log, server: subject.answer)
      let control = ControlEndpoint(peer)
      var binding = HTTPServer.Options()
      binding.host = host == "localhost" ? "127.0.0.1" : host
      binding.port = port
      let server: HTTPServer
      do throws(HTTPServerFailure) {
        let crossOrigin = allowedOrigin.map { CrossOrigin($0) }
        server = try HTTPServer(binding) { request in
          if let response = crossOrigin?.preflight(request) { return response }
          let response: ServerResponse?
          if ControlEndpoint.owns(request), !subject.admits(request) {
            response = ControlEndpoint.unauthorized
          } else {
            response = control.response(to: request) ?? peer.response(to: request)
          }
          return response.map { crossOrigin?.applied(to: $0, request) ?? $0 }
        }
      } catch {
        throw CommandFailure("\(error)")
      }
      context.watchInterruption()
      let shownHost = binding.host.contains(":") ? "[\(binding.host)]" : binding.host
      context.output("\(subject.name) is served at http://\(shownHost):\(server.port)/\n")
      while !context.isInterrupted() { BackgroundThread.pause(microseconds: 50_000) }
      context.completeInterruption()
      log.close()
      subject.service?.endFeeds()
      let isDrained = server.stopGracefully(withinMilliseconds: Self.drainMilliseconds)
      let verdict = givesVerdict ? control.verdict(headers: subject.headers) : nil
      do throws(HarnessError) { try subject.service?.stop() } catch {
        throw CommandFailure("\(error)")
      }
      if !isDrained { context.error("touchstone: a request that took too long was cut\n") }
      if let failure = recorder?.failure { throw CommandFailure(failure) }
      guard let verdict else { return .success }
      context.output(verdict.text)
      if let recording {
        let report = try LintCommand.check(recording)
        let (must, should) = (report.count(.must), report.count(.should))
        context.output(
          "traffic: \(TextLayout.counted(must, "finding")) of level MUST, \(should) of level SHOULD "
            + "(touchstone lint \(recording))\n")
      }
      return verdict.isPassed ? .success : .failure
    }

    private static let drainMilliseconds = 10_000

    /// What is served.
    private struct Subject {
      let name: String
      let service: CouchDBService?
      let answer: HostilePeer.Server
      /// The credentials of this process.
      let headers: [String: String]
      /// Whether a request may read and change faults and verdicts.
      let admits: @Sendable (ServerRequest) -> Bool
    }

    private func subject(
      _ entry: ImplementationEntry, _ storage: StorageChoice
    ) throws(CommandFailure) -> Subject {
      if let upstream {
        do throws(HTTPFailure) {
          let (address, credentials) = try ServerAddress.reading(upstream)
          let server = UpstreamServer(address)
          let own = self.credentials.map {
            Credentials(user: $0.user, password: $0.password).basic
          }
          return Subject(
            name: "\(address)", service: nil, answer: { server.response(to: $0) },
            headers: credentials.map { ["authorization": $0.basic] } ?? [:],
            admits: { own == nil || $0.headers["authorization"] == own })
        } catch {
          throw CommandFailure("--upstream: \(error)")
        }
      }
      var options = CouchDBService.Options()
      options.credentials = credentials
      options.seed = UInt64.random(in: 0...UInt64.max)
      do throws(HarnessError) {
        let service = try CouchDBService(try entry.make(storage), options)
        let own = credentials.map { Credentials(user: $0.user, password: $0.password) }
        return Subject(
          name: "\(entry.name) (\(storage))", service: service,
          answer: { service.response(to: $0) },
          headers: own.map { ["authorization": $0.basic] } ?? [:],
          admits: { service.isKnown($0) })
      } catch {
        throw CommandFailure("\(error)")
      }
    }
  #else
    func run(
      _ entry: ImplementationEntry, in storage: StorageChoice, _ context: Context
    ) throws(CommandFailure) -> ExitCode {
      throw CommandFailure("this program was built without the trait HTTP, so it cannot serve HTTP")
    }
  #endif
}
