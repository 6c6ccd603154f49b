import Adapters
import Datastore
import Glibc
import JSON

// Lines of the protocol as the runner reads them. For any output of an adapter, each operation has a
// valid outcome, or an error that names the adapter, and the runner continues.
//
// The input is the complete output of the adapter: its response to `hello`, and later lines.

private let path = "/tmp/touchstone-fuzz-\(getpid())"
private let adapter = Adapter()

/// An adapter that sends the input to each connection, and ignores requests.
private final class Adapter: @unchecked Sendable {
  private let listener: CInt
  private var lock = pthread_mutex_t()
  private var text: [UInt8] = []

  init() {
    listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    unlink(path)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
    }
    check(isBound && listen(listener, 8) == 0, "cannot listen at \(path)")
    atexit { unlink(path) }
    pthread_mutex_init(&lock, nil)
    var thread = pthread_t()
    let own = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { own in
        Unmanaged<Adapter>.fromOpaque(own!).takeUnretainedValue().serve()
      }, own)
  }

  func say(_ text: [UInt8]) {
    pthread_mutex_lock(&lock)
    self.text = text
    pthread_mutex_unlock(&lock)
  }

  private func serve() -> Never {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let caller = accept(listener, nil, nil)
      pthread_mutex_lock(&lock)
      let text = text
      pthread_mutex_unlock(&lock)
      _ = text.withUnsafeBytes { write(caller, $0.baseAddress, $0.count) }
      shutdown(caller, CInt(SHUT_WR))
      while read(caller, &chunk, chunk.count) > 0 {}
      close(caller)
    }
  }
}

private let actions = [
  #"{"op": "open"}"#, #"{"op": "create", "id": "d", "body": {}}"#, #"{"op": "read", "id": "d"}"#,
  #"{"op": "leaves", "id": "d"}"#, #"{"op": "changes"}"#, #"{"op": "list"}"#,
  #"{"op": "revsDiff", "revs": [{"id": "d", "revs": ["1-a"]}]}"#,
  #"{"op": "getRevisions", "docs": [{"id": "d", "revs": ["1-a"]}]}"#,
  #"{"op": "insertRevisions", "records": [{"id": "d", "path": ["1-a"], "body": {}}]}"#,
  #"{"op": "info"}"#, #"{"op": "find", "selector": {}}"#, #"{"op": "explain", "selector": {}}"#,
  #"{"op": "readAttachment", "id": "d", "name": "x"}"#, #"{"op": "readLocal", "id": "l"}"#,
  #"{"op": "batch", "writes": [{"op": "create", "body": {}}]}"#,
  #"{"op": "replicate", "session": "s", "event": {"timer": {}}}"#,
].compactMap { try? JSONValue.parse($0) }.compactMap { action($0) }

private func action(_ json: JSONValue) -> StoreOperation? {
  var members = json.objectValue ?? [:]
  members["store"] = "a"
  return try? StoreOperation(.object(members))
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  adapter.say(bytes(data, size))
  let limits = AdapterLimits(
    operation: .seconds(2), vector: .seconds(5), start: .seconds(2))
  do throws(HarnessError) {
    let runner = try AdapterImplementation(
      .listening(.path(path)), runner: "fuzz", limits: limits)
    converse(with: runner)
    try runner.shutdown()
  } catch {
    check(!error.message.isEmpty, "an error without a message")
  }
  return 0
}

private func converse(with runner: AdapterImplementation) {
  let environment = RunEnvironment(seed: 1)
  var failure: HarnessError?
  for operation in actions {
    do throws(HarnessError) {
      let outcome = try runner.perform(operation, environment)
      check(failure == nil, "an outcome after \(failure?.message ?? "")")
      outcome.checkSpelling(of: operation.action)
    } catch {
      check(!error.message.isEmpty, "an error without a message")
      // A well-formed response with an invalid content does not end the session.
      if error.breakdown?.shape != "answer" { failure = error }
    }
  }
  // Each connection receives the same bytes, so a restart may succeed or fail.
  do throws(HarnessError) {
    try runner.begin(.vector("again"))
  } catch {
    check(!error.message.isEmpty, "an error without a message")
  }
}
