import CouchDBInterface
import Datastore
import HTTPServer
import JSON
import ReferenceDatastore

// Requests of CouchDB's interface. Every request has a response: no server error, and JSON where the header
// says so. The database `a` has a document with a conflict, a tombstone and an attachment.
//
// The input is a method, a target and a body, each on one line; the body may be anything.

nonisolated(unsafe) private var service: CouchDBService?
nonisolated(unsafe) private var count = 0

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let input = bytes(data, size)
  let parts = input.split(
    separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count == 3 else { return 0 }
  // A new service now and then: a long history makes each input slower.
  count += 1
  if count % 256 == 1 { service = makeService() }
  let target = String(decoding: parts[1], as: UTF8.self)
  // Replications start threads and use the network, and feeds wait.
  guard !target.contains("replicat"), !target.contains("feed="), !target.contains("timeout") else {
    return 0
  }
  let response = send(String(decoding: parts[0], as: UTF8.self), target, Array(parts[2]))
  check((200..<600).contains(response.status), "the status \(response.status)")
  check(
    response.status != 500, "a server error: \(String(decoding: body(response), as: UTF8.self))")
  let isJSON = response.headers.contains { $0 == ("Content-Type", "application/json") }
  if isJSON, response.status < 300 {
    check((try? JSONValue.parse(body(response))) != nil, "the body is not JSON")
  }
  return 0
}

private func send(_ method: String, _ target: String, _ content: [UInt8]) -> ServerResponse {
  guard let service else { violated("no service") }
  return service.response(
    to: ServerRequest(
      method: method, target: target,
      headers: [
        "content-type": content.starts(with: "--b".utf8)
          ? "multipart/related; boundary=b" : "application/json",
        "accept": "application/json",
      ], body: content, connection: 1))
}

private func body(_ response: ServerResponse) -> [UInt8] {
  switch response.body {
  case .bytes(let bytes): return bytes
  case .stream(_, let next):
    var all: [UInt8] = []
    while true {
      switch next() {
      case .bytes(let bytes): all += bytes
      case .end: return all
      case .cut: violated("the body is cut")
      }
    }
  }
}

private func makeService() -> CouchDBService {
  do throws(HarnessError) {
    let made = try CouchDBService(ReferenceDatastore())
    service = made
  } catch {
    violated("\(error)")
  }
  for (method, target, text) in [
    ("PUT", "/a", ""), ("PUT", "/a/x", #"{"v":1}"#),
    (
      "POST", "/a/_bulk_docs",
      #"{"new_edits":false,"docs":[{"_id":"x","_rev":"1-a","v":2},{"_id":"t","_rev":"1-b","_deleted":true}]}"#
    ), ("PUT", "/a/f", #"{"_attachments":{"n":{"data":"aGVsbG8=","content_type":"text/plain"}}}"#),
  ] {
    _ = send(method, target, Array(text.utf8))
  }
  guard let service else { violated("no service") }
  return service
}
