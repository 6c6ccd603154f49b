import JSON
import Testing
import WireConformance

@testable import WireDefects

/// The parts of which mutants are made.
@Suite struct WireFormsTests {
  private final class Echo: WireTransport {
    /// Answers with the request line, the header and the body.
    func send(_ request: WireRequest) throws(WireFailure) -> WireResponse {
      let body: JSONValue = [
        "line": .text("\(request.method) \(request.target)"),
        "match": .string(request.header("if-match") ?? "none"),
        "body": .text(request.bodyText ?? ""),
      ]
      return WireResponse(200, headers: [WireHeader("ETag", "e")], body: body.serializedBytes())
    }
  }

  private static let request = WireRequest(
    "PUT", "/db/a", query: "rev=1-a&b=2", headers: [WireHeader("If-Match", "1-a")],
    body: Array(#"{"_rev":"1-a"}"#.utf8))

  private func line(_ mutant: WireMutant, _ request: WireRequest = request) throws -> JSONValue {
    try mutant.applied(to: Echo()).send(request).json["line"]
  }

  @Test func aParameterIsIgnoredWhereTheConditionHolds() throws {
    let mutant = WireMutant.ignores(
      "a", "WIR-001", says: "A.", on: When("PUT|GET", .document), parameter: "rev")
    #expect(mutant.name == "wire-a")
    #expect(try line(mutant) == "PUT /db/a?b=2")
    #expect(try line(mutant, WireRequest("PUT", "/db", query: "rev=1")) == "PUT /db?rev=1")
    #expect(try line(mutant, WireRequest("HEAD", "/db/a", query: "rev=1")) == "HEAD /db/a?rev=1")
  }

  @Test func responsesAreChanged() throws {
    let status = WireMutant.status("a", "WIR-001", says: "A.", on: When("*"), from: 200, to: 404)
    #expect(try status.applied(to: Echo()).send(Self.request).status == 404)
    let other = WireMutant.status("a", "WIR-001", says: "A.", on: When("*"), from: 201, to: 404)
    #expect(try other.applied(to: Echo()).send(Self.request).status == 200)
    let header = WireMutant.header(
      "a", "WIR-001", says: "A.", on: When("*"), field: "etag", to: nil)
    #expect(try header.applied(to: Echo()).send(Self.request).header("etag") == nil)
    let value = WireMutant.value("a", "WIR-001", says: "A.", on: When("*"), at: "line") { _ in nil }
    #expect(try line(value) == .null)
  }

  /// A condition on earlier requests counts only those through the same connection.
  @Test func earlierRequestsCount() throws {
    let mutant = WireMutant.status(
      "a", "WIR-001", says: "A.", on: When("PUT", .document, after: .part("_purge")), to: 500)
    let server = mutant.applied(to: Echo())
    #expect(try server.send(Self.request).status == 200)
    _ = try server.send(WireRequest("POST", "/db/_purge"))
    #expect(try server.send(Self.request).status == 500)
    #expect(try mutant.applied(to: Echo()).send(Self.request).status == 200)
  }

  @Test(
    arguments: [
      ("/", .root), ("/_up", .server), ("/db", .database), ("/db/a", .document),
      ("/db/a/b", .attachment), ("/db/_local/a", .local), ("/db/_design/a", .design),
      ("/db/_design%2Fa", .design), ("/db/_design/a/b", .attachment),
      ("/db/_changes", .part("_changes")), ("/db/_index/a/json/b", .part("_index")),
    ] as [(JSONString, WireCall.Resource)])
  func pathsAreResources(path: JSONString, resource: WireCall.Resource) {
    #expect(WireCall(WireRequest("GET", path)).resource == resource)
  }

  @Test func pathsOfValues() {
    var json: JSONValue = ["rows": [["id": "a", "doc": .null], ["id": "b"]], "n": 1]
    json.change(at: ["rows", "*", "doc"]) { $0 == .null ? nil : $0 }
    json.change(at: ["none"]) { _ in 1 }
    json.change(at: ["n"]) { _ in 2 }
    #expect(json == ["rows": [["id": "a"], ["id": "b"]], "n": 2])
    #expect(Array("a.b.c".utf8).replacing(".", with: "--") == Array("a--b--c".utf8))
  }
}
