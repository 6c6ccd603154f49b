import Datastore
import Foundation
import JSON
import Synchronization
import Testing

@testable import Adapters

/// Admission of peers to a socket, and the limits of a peer's requests.
@Suite struct SocketTests {
  private static let secret = "correct horse"
  private static let hello =
    #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","serves":[]"#

  private static func hello(secret: String) -> String { "\(hello),\"secret\":\"\(secret)\"}}\n" }

  /// A server on its own thread and Unix socket; a peer needs the secret, if there is one.
  private final class Server: @unchecked Sendable {
    let path: String
    let store = WitnessStore()
    private let folder: DataFolder
    private let sentences = Mutex<[String]>([])
    private let isOver = Mutex(false)

    init(secret: String?, limits: PeerLimits = PeerLimits()) throws {
      folder = try DataFolder()
      path = "\(folder.path)/socket"
      let thread = Thread { [self] in
        var peers = PeerRules(secret: secret.flatMap { AdapterSecret($0) }) { sentence in
          self.sentences.withLock { $0.append(sentence) }
        }
        peers.limits = limits
        do {
          var server = try AdapterServer(at: .path(path), isListening: true, peers: peers) {
            [store] folder throws(HarnessError) in
            store.folders.withLock { $0.append(folder) }
            return (implementation: store as any ImplementationUnderTest, keepsFolder: true)
          }
          try server.serve()
        } catch {
          self.sentences.withLock { $0.append("\(error)") }
        }
        self.isOver.withLock { $0 = true }
      }
      thread.start()
    }

    var said: [String] { sentences.withLock { $0 } }

    func waitForEnd() {
      let deadline = Deadline.after(.seconds(20))
      while !isOver.withLock({ $0 }), Deadline.now < deadline { usleep(2000) }
    }

    /// Returns a connection after sending a text.
    func peer(_ text: String = "") throws -> Connection {
      let socket = try connectSocket(.path(path), until: .after(.seconds(20)))
      let connection = Connection(socket: socket)
      if !text.isEmpty { try connection.send(Array(text.utf8), until: .after(.seconds(20))) }
      return connection
    }
  }

  /// Returns the next line as text; nil if the connection closes before a line ends.
  private func line(_ connection: Connection, seconds: Int = 20) -> String? {
    guard let line = try? connection.readLine(until: .after(.seconds(seconds))) else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  /// Returns true if the server closed the connection without sending anything.
  private func isClosedSilently(_ connection: Connection) -> Bool {
    do throws(Connection.Failure) {
      _ = try connection.readLine(until: .after(.seconds(20)))
      return false
    } catch {
      if case .over(let partial) = error { return partial.isEmpty }
      return false
    }
  }

  @Test(arguments: [
    hello + "}}\n", hello(secret: "correct horsf"), hello(secret: "correct hors"),
    hello(secret: "correct horse "), hello(secret: ""), "{\"id\":0,\"secret\":\"correct horse\"}\n",
    "{\"id\":0,\"hello\":{\"secret\":[\"correct horse\"]}}\n", "correct horse\n", "\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{0}\n",
    String(repeating: "[", count: 60_000) + "\n",
    String(repeating: "x", count: 70_000),
  ])
  func withoutTheSecretNothingIsAnswered(text: String) throws {
    let server = try Server(secret: Self.secret)
    // The server does not read the next line.
    let stranger = try server.peer(
      text + "{\"id\":1,\"perform\":{\"op\":\"open\",\"store\":\"a\"}}\n")
    #expect(isClosedSilently(stranger))
    let friend = try server.peer(Self.hello(secret: Self.secret))
    #expect(line(friend)?.contains("\"name\":\"witness\"") == true)
    try friend.send(Array("{\"id\":1,\"bye\":{}}\n".utf8), until: .never)
    #expect(line(friend) == #"{"id":1,"ok":{}}"#)
    server.waitForEnd()
    #expect(server.store.operations.withLock { $0 } == [])
    #expect(server.said.contains { $0.hasPrefix("rejected process \(getpid()) of user ") })
    #expect(server.said.contains { $0.hasPrefix("connected to process \(getpid()) of user ") })
    #expect(!server.said.joined().contains("correct"))
  }

  @Test func aSilentPeerKeepsNobodyWaiting() throws {
    var limits = PeerLimits()
    limits.firstLine = .milliseconds(300)
    limits.candidatesMax = 3
    let server = try Server(secret: Self.secret, limits: limits)
    let silent = try (0..<5).map { _ in try server.peer("{\"id\":0") }
    for peer in silent { #expect(isClosedSilently(peer)) }
    let friend = try server.peer(Self.hello(secret: Self.secret))
    #expect(line(friend) != nil)
    let said = server.said.joined(separator: "\n")
    #expect(said.contains("too many peers are waiting"))
    #expect(said.contains("no line within"))
  }

  /// An adapter that connects before the runner needs it stays connected until then.
  @Test func anEarlyAdapterIsAdmittedLater() throws {
    let folder = try DataFolder()
    let address = SocketAddress.path("\(folder.path)/socket")
    let rules = PeerRules()
    _ = try rules.entrance.listener(address)
    func connect() throws -> Connection {
      Connection(socket: try connectSocket(address, until: .after(.seconds(20))))
    }
    func answer(_ connection: Connection) throws {
      let text = #"{"id":0,"ok":{"protocol":1,"name":"n","version":"1"}}"# + "\n"
      try connection.send(Array(text.utf8), until: .after(.seconds(20)))
    }
    let (early, first) = (try connect(), try connect())
    try answer(first)
    var limits = AdapterLimits()
    limits.start = .seconds(20)
    let one = try AdapterImplementation(
      .calling(address), runner: "r", limits: limits, peers: rules)
    try answer(early)
    let two = try AdapterImplementation(
      .calling(address), runner: "r", limits: limits, peers: rules)
    #expect(one.description == two.description)
    for connection in [early, first] { connection.close() }
  }

  @Test func oneOfTwoIsAdmitted() throws {
    let server = try Server(secret: nil)
    let silent = try server.peer()
    let first = try server.peer(Self.hello + "}}\n")
    #expect(line(first) != nil)
    #expect(isClosedSilently(silent))
    // The server removed the file with the listener, so no other peer can connect.
    #expect(!FileManager.default.fileExists(atPath: server.path))
  }

  /// A line of 64 MiB including its line feed is written; a longer response becomes `tooLarge`, and
  /// the connection stays usable.
  @Test func noAnswerIsLongerThanALine() throws {
    let server = try Server(secret: nil)
    let peer = try server.peer(Self.hello + "}}\n")
    #expect(line(peer) != nil)
    let frame = #"{"id":1,"ok":{"rows":[{"id":"","rev":"1-a"}]}}"#.utf8.count + 1
    for (count, isTooLong) in [(67_108_864 - frame, false), (67_108_865 - frame, true)] {
      let request = #"{"id":1,"perform":{"op":"list","store":"a","limit":\#(count)}}"#
      try peer.send(Array("\(request)\n".utf8), until: .never)
      let answer = try peer.readLine(until: .after(.seconds(60)))
      if isTooLong {
        let error = try JSONValue.parse(Array(answer)).objectValue?["error"]?.objectValue
        #expect(error?["kind"] == "tooLarge")
        #expect(error?["limit"] == 67_108_864)
      } else {
        #expect(answer.count + 1 == 67_108_864)
      }
    }
    try peer.send(Array("{\"id\":2,\"bye\":{}}\n".utf8), until: .never)
    #expect(line(peer) == #"{"id":2,"ok":{}}"#)
    server.waitForEnd()
  }

  @Test func aPeerNamesNeitherFilesNorFolders() throws {
    let server = try Server(secret: nil)
    let file = #"{"a":{"file":"/etc/hosts"}}"#
    let peer = try server.peer(
      #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","folder":"/tmp/x","serves":[]}}"#
        + "\n")
    // No folder was given, so no data survives the process.
    #expect(line(peer)?.contains(#""crashes":[]"#) == true)
    let edit = #""op":"create","store":"a","id":"d","body":{},"attachments":\#(file)"#
    let questions = [
      ("{\(edit)}", #"{"kind":"unsupported","what":"file""#),
      (
        #"{"op":"batch","store":"a","writes":[{"op":"create","id":"e","body":{}},{\#(edit.replacing(#""store":"a","#, with: ""))}]}"#,
        #""write":1"#
      ),
      (
        #"{"op":"insertRevisions","store":"a","records":[{"id":"d","path":["1-a"],"body":{},"attachments":\#(file)},{"id":"e","path":["1-a"],"body":{}}]}"#,
        #"{"ok":{"results":[{"error":{"kind":"unsupported","what":"file""#
      ),
    ]
    for (place, (question, answer)) in questions.enumerated() {
      let request = "{\"id\":\(place + 1),\"perform\":\(question)}\n"
      try peer.send(Array(request.utf8), until: .never)
      let reply = line(peer) ?? ""
      #expect(reply.contains(answer.dropFirst(answer.hasPrefix("{\"ok") ? 1 : 0)), "\(reply)")
    }
    #expect(server.store.folders.withLock { $0 } == [nil])
    let performed = server.store.operations.withLock { $0 }
    #expect(!performed.joined().contains("file"), "\(performed)")
    #expect(performed.count == 1)
  }

  // MARK: The file of a socket

  @Test func onlyItsUserCanOpenTheFile() throws {
    let folder = try DataFolder()
    let path = "\(folder.path)/socket"
    let mask = umask(0)
    defer { _ = umask(mask) }
    let listener = try Listener(.path(path))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    withExtendedLifetime(listener) {}
  }

  @Test func aFileThatIsInUseStays() throws {
    let folder = try DataFolder()
    let path = "\(folder.path)/socket"
    var listener: Listener? = try Listener(.path(path))
    #expect(throws: SystemFailure.self) { try Listener(.path(path)) }
    #expect(FileManager.default.fileExists(atPath: path))
    // A file that another process has created in the meantime is not removed.
    #expect(rename(path, path + ".old") == 0)
    let other = try Listener(.path(path))
    listener = nil
    #expect(FileManager.default.fileExists(atPath: path))
    withExtendedLifetime((listener, other)) {}
    try "text".write(toFile: "\(folder.path)/file", atomically: false, encoding: .utf8)
    #expect(throws: SystemFailure.self) { try Listener(.path("\(folder.path)/file")) }
    #expect(try String(contentsOfFile: "\(folder.path)/file", encoding: .utf8) == "text")
    #expect(throws: SystemFailure.self) { try Listener(.path("\(folder.path)/a\u{0}b")) }
  }

  @Test func aFileThatAKilledProcessLeftIsReplaced() throws {
    let folder = try DataFolder()
    let path = "\(folder.path)/socket"
    // Bound and closed without removing the file.
    _ = try openSocket(.path(path), isListening: true) { bind($0, $1, $2) == 0 }
    #expect(FileManager.default.fileExists(atPath: path))
    let listener = try Listener(.path(path))
    withExtendedLifetime(listener) {}
  }

  // MARK: A runner that listens

  @Test func aRunnerAdmitsTheAdapterWithTheSecret() throws {
    let folder = try DataFolder()
    let path = "\(folder.path)/socket"
    let greeting = #"{"id":0,"ok":{"protocol":1,"name":"n","version":"1""#
    let answers = Notes<Bool>()
    let adapters = Thread {
      for answer in ["\(greeting)}}", "\(greeting),\"secret\":\"wrong\"}}"] {
        guard let socket = try? connectSocket(.path(path), until: .after(.seconds(20))) else {
          return
        }
        let stranger = Connection(socket: socket)
        guard self.line(stranger)?.contains("\"hello\"") == true else { return }
        _ = try? stranger.send(Array("\(answer)\n".utf8), until: .never)
        let isClosed = self.isClosedSilently(stranger)
        answers.add(isClosed)
      }
      guard let socket = try? connectSocket(.path(path), until: .after(.seconds(20))) else {
        return
      }
      let friend = Connection(socket: socket)
      _ = self.line(friend)
      let answer = "\(greeting),\"secret\":\"\(Self.secret)\"}}\n"
      _ = try? friend.send(Array(answer.utf8), until: .never)
      while let request = self.line(friend), let object = try? JSONValue.parse(request).objectValue
      {
        let id = object["id"]?.integerValue ?? 0
        _ = try? friend.send(Array("{\"id\":\(id),\"ok\":{}}\n".utf8), until: .never)
        if object["bye"] != nil { return }
      }
    }
    adapters.start()
    let said = Notes<String>()
    let adapter = try AdapterImplementation(
      .calling(.path(path)), runner: "tests",
      peers: PeerRules(secret: AdapterSecret(Self.secret)) { sentence in
        said.add(sentence)
      })
    #expect(adapter.description.name == "n")
    #expect(answers.all == [true, true])
    #expect(said.all.last?.hasPrefix("connected to process \(getpid())") == true)
    try adapter.begin(.run("a"))
    let environment = RunEnvironment(seed: 1)
    #expect(try adapter.perform(Datastore.StoreOperation("a", .close), environment) == .ok(.done))
    try adapter.shutdown()
  }

  @Test func secretsDiffer() throws {
    let (first, second) = (try AdapterSecret.random(), try AdapterSecret.random())
    #expect(first.text.utf8.count == 64)
    #expect(first.text != second.text)
    #expect(first.matches(JSONString(first.text)))
    #expect(!first.matches(JSONString(second.text)))
    #expect(!first.matches(""))
    #expect(AdapterSecret("") == nil)
    // Only peers of a TCP connection need the secret.
    let rules = PeerRules(secret: first)
    #expect(rules.secret(for: .path("/x")) == nil)
    #expect(rules.secret(for: .tcp(host: "h", port: 1)) != nil)
  }
}

/// Notes of several threads.
private final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }

  func add(_ note: Note) { notes.withLock { $0.append(note) } }
}

/// A store that succeeds in every operation and records it.
private final class WitnessStore: ImplementationUnderTest, Sendable {
  let operations = Mutex<[String]>([])
  let folders = Mutex<[String?]>([])

  var description: ImplementationDescription {
    ImplementationDescription(name: "witness", version: "1", crashes: [.kill])
  }

  func reset() {}

  func perform(
    _ operation: Datastore.StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    operations.withLock { $0.append(operation.description) }
    if case .insertRevisions(let records) = operation.action {
      return .ok(.inserted(records.map { _ in DatastoreError?.none }))
    }
    // A row whose id has `count` bytes.
    if case .list(_, let count?, _) = operation.action {
      let id = DocumentID(JSONString(String(repeating: "x", count: Int(count))))
      return .ok(.list([ListRow(id: id, rev: "1-a")]))
    }
    return .ok(.done)
  }

  func crash(_ kind: CrashKind) throws(HarnessError) {}

  func shutdown() {}
}
