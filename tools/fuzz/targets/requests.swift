import Adapters
import Datastore
import Glibc
import JSON
import ReferenceDatastore

// Lines of the protocol as an adapter reads them. Each request has one response with its id, in order. A
// malformed request ends the session with an error.
//
// The input is lines. `hello` is sent before them, and `bye` after them.

private let greeting =
  #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","serves":[]}}"#
private let farewell = #"{"id":"last","bye":{}}"#

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let input = bytes(data, size)
  let text = Array((greeting + "\n").utf8) + input + Array(("\n" + farewell + "\n").utf8)
  let (failure, written) = session(text)
  let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  let answers = written.split(separator: UInt8(ascii: "\n"))
  check(written.last == UInt8(ascii: "\n"), "the last line has no end")
  check(answers.count <= lines.count, "more answers than requests")
  var (place, asks) = (0, 0)
  for answer in answers {
    let reply = object(answer)
    if reply["ask"] != nil {
      asks += 1
    } else {
      checkReply(reply, to: lines[place])
      // Requests during a session have their own responses.
      place += 1 + asks
      asks = 0
    }
  }
  if failure == nil {
    check(answers.last.map { object($0)["ok"] != nil } ?? false, "no response to bye at the end")
  }
  return 0
}

/// Returns a new unnamed file.
private func temporaryFile() -> CInt {
  var path = Array("/tmp/touchstone-fuzz-XXXXXX".utf8CString)
  let file = mkstemp(&path)
  check(file >= 0, "cannot create a file in /tmp")
  unlink(path)
  // A server closes its streams, so use duplicates: the next server needs the same descriptors.
  guard file <= 2 else { return file }
  defer { close(file) }
  return fcntl(file, F_DUPFD, 3)
}

/// Serves a session over files instead of the standard streams.
private func session(_ text: [UInt8]) -> (failure: HarnessError?, written: [UInt8]) {
  let (input, output) = (temporaryFile(), temporaryFile())
  check(text.withUnsafeBytes { write(input, $0.baseAddress, $0.count) } == text.count, "write")
  lseek(input, 0, SEEK_SET)
  dup2(input, 0)
  dup2(output, 1)
  close(input)
  defer { close(output) }
  var failure: HarnessError?
  do throws(HarnessError) {
    var server = AdapterServer { (_: String?) throws(HarnessError) in
      (implementation: ReferenceDatastore(), keepsFolder: false)
    }
    try server.serve()
  } catch {
    check(!error.message.isEmpty, "it ended without an error message")
    failure = error
  }
  var written = [UInt8](repeating: 0, count: Int(lseek(output, 0, SEEK_END)))
  lseek(output, 0, SEEK_SET)
  check(read(output, &written, written.count) == written.count, "read")
  return (failure, written)
}

private func object(_ answer: ArraySlice<UInt8>) -> JSONObject {
  guard let object = (try? JSONValue.parse(answer))?.objectValue else {
    violated("not an object: \(String(decoding: answer, as: UTF8.self))")
  }
  return object
}

private func checkReply(_ reply: JSONObject, to line: ArraySlice<UInt8>) {
  let shown = JSONValue.object(reply).serialized()
  let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  guard let request = (try? JSONValue.parse(line))?.objectValue else {
    violated("a response to an invalid request: \(shown)")
  }
  check(reply["id"] == request["id"], "the id of another request: \(shown)")
  check(reply["ok"] != nil || reply["error"] != nil, "neither ok nor error: \(shown)")
  // A request with `hello` or `reset` beside an operation performs only `hello` or `reset`.
  if request["hello"] != nil || request["reset"] != nil { return }
  guard let value = request["perform"], let operation = try? StoreOperation(value) else { return }
  var outcome = reply
  outcome["id"] = nil
  check(
    (try? Outcome(.object(outcome), of: operation.action)) != nil,
    "not an outcome of \(operation): \(shown)")
}
