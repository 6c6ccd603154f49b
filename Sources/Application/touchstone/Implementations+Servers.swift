internal import ConcurrentClients
internal import Conformance
internal import Datastore

#if HTTP
  internal import CouchDBDatastore
  internal import HTTPClient
#endif

extension ImplementationEntry {
  private static let serverPrefix = "couchdb:"
  /// The same server, with its own replicator.
  private static let replicatorPrefix = "couchdb-replicator:"
  private static let userVariable = "TOUCHSTONE_COUCHDB_USER"
  private static let passwordVariable = "TOUCHSTONE_COUCHDB_PASSWORD"

  /// The beginnings of the names of servers.
  static let serverPrefixes = [serverPrefix, replicatorPrefix]

  /// Returns the prefix of the name of a server; nil for a name of another form.
  static func serverPrefix(of name: String) -> String? {
    serverPrefixes.first { name.utf8.starts(with: $0.utf8) }
  }

  /// Returns the databases of a server for `couchdb:URL` and `couchdb-replicator:URL`; nil for a name
  /// of another form.
  static func server(
    _ name: String, _ manual: Manual, context: Context, options: ServerOptions
  ) throws(UsageError) -> ImplementationEntry? {
    guard let prefix = serverPrefix(of: name) else { return nil }
    #if HTTP
      let text = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      let (address, given) = try address(text, manual)
      guard options.allowsRemote || address.isLoopback else {
        throw UsageError(
          "\(address) is not on this machine; --allow-remote permits it", manual)
      }
      let credentials = given ?? credentialsOfEnvironment
      // The server would reject every request.
      guard credentials?.password != "" else {
        throw UsageError(
          "the user of the server has no password; set \(userVariable) and \(passwordVariable)",
          manual)
      }
      if given != nil {
        context.error(
          "warning: other users of this machine can see the password in the command line; "
            + "\(userVariable) and \(passwordVariable) are safer\n")
      }
      guard options.commands == nil || address.isLoopback else {
        throw UsageError("--stop-command is for a server on this machine", manual)
      }
      return ImplementationEntry(
        name: "\(prefix)\(address)", keepsFiles: false, followsModel: false,
        runsBesideItself: options.commands == nil, serverOptions: options,
        secretVariables: given.map {
          ["\(userVariable)=\($0.user)", "\(passwordVariable)=\($0.password)"]
        } ?? []
      ) { _ throws(HarnessError) in
        let client: HTTPClient
        do throws(HTTPFailure) {
          client = try HTTPClient(address, credentials: credentials)
        } catch {
          throw HarnessError("\(address): \(error)")
        }
        // No other run has this label, also not one on another machine.
        let label = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return try CouchDBDatastore(
          client, label: label,
          capabilities: CouchDBDatastore.standardCapabilities.union(
            prefix == replicatorPrefix ? [.replicate] : []),
          control: options.commands)
      }.with(wire: {
        () throws(HarnessError) in
        do throws(HTTPFailure) {
          return ServerWire(try HTTPClient(address, credentials: credentials))
        } catch {
          throw HarnessError("\(address): \(error)")
        }
      }).with { wish throws(HarnessError) in
        @Sendable func client(_ number: Int) throws(HarnessError) -> any HTTPTransport {
          do throws(HTTPFailure) {
            let client = try HTTPClient(address, credentials: credentials)
            return wish.cuts && number > 1
              ? CuttingTransport(client, seed: wish.seed &+ UInt64(number)) : client
          } catch {
            throw HarnessError("\(address): \(error)")
          }
        }
        let label = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let first = Handover(try CouchDBDatastore(try client(1), label: label))
        first.value.isShared = true
        return ConnectionSet(
          description: first.value.description,
          connect: { number throws(HarnessError) in
            let connection =
              number == 1
              ? first.value : CouchDBDatastore(joining: first.value, try client(number))
            return wish.cuts ? CutConnection(connection) : connection
          })
      }
    #else
      throw UsageError(
        "this program was built without the trait HTTP, so it cannot test '\(name)'", manual)
    #endif
  }

  #if HTTP
    private static func address(
      _ text: String, _ manual: Manual
    ) throws(UsageError) -> (ServerAddress, Credentials?) {
      do throws(HTTPFailure) {
        return try ServerAddress.reading(text)
      } catch {
        // The text may have a password.
        throw UsageError("couchdb: \(error)", manual)
      }
    }

    /// The user of the environment; nil for the `netrc` file.
    private static var credentialsOfEnvironment: Credentials? {
      guard let user = Files.environment(userVariable), !user.isEmpty else { return nil }
      return Credentials(user: user, password: Files.environment(passwordVariable) ?? "")
    }
  #endif
}
