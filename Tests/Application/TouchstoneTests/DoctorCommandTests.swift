import Datastore
import ObjectOperations
import Testing

@testable import Adapters
@testable import touchstone

/// The diagnosis of a served store, with a fault in its requests or in its responses.
@Suite struct DoctorCommandTests {
  /// - Parameters:
  ///   - requests: a script of sed for each request.
  ///   - responses: a script of sed for each response.
  private static func command(requests: String = "", responses: String = "") throws -> String {
    let serve = "'\(try BuiltProgram.path())' serve --implementation reference"
    return [
      requests.isEmpty ? nil : "sed -u \(shellQuoted(requests))", serve,
      responses.isEmpty ? nil : "sed -u \(shellQuoted(responses))",
    ].compactMap { $0 }.joined(separator: " | ")
  }

  /// The finding of one check.
  private static func finding(
    _ name: String, _ command: String
  ) throws -> Doctor.Check.Finding {
    // The served store also offers objects.
    OperationFamily.registerObjects()
    let doctor = Doctor(
      .command(command), runner: "tests", limits: AdapterLimits(operation: .seconds(10)))
    let checks = doctor.examine(where: { $0 == name })
    try #require(checks.count == 2, "\(checks)")
    #expect(!checks[0].isFailure)
    return checks[1].finding
  }

  @Test func aWorkingAdapterPassesEveryCheck() throws {
    let world = TestWorld()
    let place = "exec:\(try Self.command())"
    #expect(world.run("doctor", "--implementation", place) == .success, "\(world.output)")
    let lines = world.output.split(separator: "\n").map(String.init)
    #expect(!lines.contains { $0.hasPrefix("FAIL") })
    #expect(lines.count { $0.hasPrefix("pass") } == 12, "\(world.output)")
    // The model keeps no files, so it declares no crash.
    #expect(lines.count { $0.hasPrefix("skip  recovers from a kill") } == 1)
    #expect(lines[lines.count - 2] == "all checks passed")
    #expect(lines.last == "next: touchstone run --implementation \(shellQuoted(place))")
  }

  private static func serving(_ name: String, responses: String = "") throws -> String {
    let serve = "'\(try BuiltProgram.path())' serve --implementation \(name)"
    return "exec:" + (responses.isEmpty ? serve : "\(serve) | sed -u \(shellQuoted(responses))")
  }

  /// The declarations of the store are those of the file.
  @Test func aProductThatFits() throws {
    let world = TestWorld()
    let place = try Self.serving("product:couchdb-3.5")
    #expect(
      world.run("doctor", "--implementation", place, "--product", "couchdb-3.5") == .success,
      "\(world.output)")
    #expect(
      world.output.contains("pass  declares what the product file declares equal to the"),
      "\(world.output)")
    #expect(world.output.hasSuffix(" --product couchdb-3.5\n"))
  }

  @Test func aDeclarationThatDoesNotFitIsCorrected() throws {
    let world = TestWorld()
    let place = try Self.serving(
      "product:couchdb-3.5", responses: #"s/"purge",//; s/"bodyBytes":8000000/"bodyBytes":7000000/"#
    )
    #expect(
      world.run("doctor", "--implementation", place, "--product", "couchdb-3.5") == .failure)
    let text = world.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for part in [
      "the file declares the capability purge, and hello does not",
      "limit bodyBytes: 8000000 in the file, 7000000 in hello",
      "fix Declare the capability purge in the response to hello, or remove it from the file.",
      "Fix first: declares what the product file declares",
    ] { #expect(text.contains(part), "\(world.output)") }
  }

  /// Only a response that the declared deviations explain is excused.
  @Test(arguments: [["known"], []])
  func aFailureIsExplained(deviations: [String]) throws {
    let fault = #"s/"body":{"n":1}}}/"body":{"n":2}}}/"#
    OperationFamily.registerObjects()
    let product = Doctor.Product(ImplementationDescription(name: "s", version: "1")) {
      exchanges, _ in
      // The operations since the last reset.
      #expect(exchanges.map(\.0.action.name) == ["open", "create", "read"])
      return deviations
    }
    let doctor = Doctor(
      .command(try Self.command(responses: fault)), runner: "tests",
      limits: AdapterLimits(operation: .seconds(10)), product: product)
    let checks = doctor.examine(where: { $0 == "stores a document" })
    let last = try #require(checks.last)
    switch last.finding {
    case .explained(let text, let by):
      #expect(text.contains("read returned"))
      #expect(by == deviations && !deviations.isEmpty)
    case .fail: #expect(deviations.isEmpty)
    default: Issue.record("\(last)")
    }
  }

  @Test func anUnknownProductHasASuggestion() {
    let world = TestWorld()
    #expect(world.run("doctor", "--implementation", "exec:x", "--product", "couchdb") == .usage)
    #expect(
      world.error.contains(
        "expected a file or one of cdtdatastore-2.1, couchdb-3.5, couchdb-3.5-cluster, pouchdb-9; did "
          + "you mean 'couchdb-3.5'"), "\(world.error)")
  }

  @Test(
    arguments: [
      (
        "stores a document", #"s/"body":{"n":1}}}/"body":{"n":2}}}/"#,
        #"{"op":"read","store":"a","id":"d"}"#, #"{"n":1}, and read returned {"id":"d""#,
        "Implement open, create and read first"
      ),
      (
        "removes everything at reset", #"s/"kind":"noSuchStore"/"kind":"conflict"/"#,
        #"{"op":"read","store":"a","id":"d"}"#, "expected noSuchStore", "reset must remove"
      ),
      (
        "rejects invalid requests", #"s/"what":"frobnicate"/"what":"other"/"#,
        #"{"op":"frobnicate","store":"a"}"#, "expected unsupported", "Answer an unknown operation"
      ),
      (
        "carries any text and large bodies", "s/\u{2028}/ /", "a\u{2028}b",
        "U+2028, a line separator", "Read and write bytes"
      ),
      (
        "stores a document", #"s/^\(.*"rev".*\)$/created\n\1/"#,
        #"{"op":"create","store":"a","id":"d","body":{"n":1}}"#, "created",
        "Print messages to standard error"
      ),
    ] as [(String, String, String, String, String)])
  func aFaultInResponsesIsNamed(
    check: String, fault: String, request: String, text: String, advice: String
  ) throws {
    try expect(
      try Self.finding(check, Self.command(responses: fault)), request, text, advice)
  }

  @Test(
    arguments: [
      (
        "reads numbers and sequences", #"s/,"limit":[0-9]*//"#,
        #"{"op":"changes","store":"a","limit":2}"#, "expected 2 of 3 documents", "limit is a number"
      ),
      (
        "reads numbers and sequences", #"s/,"since":[^,}]*//"#,
        #"{"op":"changes","store":"a","since":"#, "expected 1 of 3 documents",
        "since is what an earlier response had as last"
      ),
      (
        "keeps stores apart", #"s/"store":"b"/"store":"a"/"#,
        #"{"op":"read","store":"b","id":"d"}"#, "after creation of d in store a",
        "Each store must have its own documents"
      ),
    ] as [(String, String, String, String, String)])
  func aFaultInRequestsIsNamed(
    check: String, fault: String, request: String, text: String, advice: String
  ) throws {
    try expect(
      try Self.finding(check, Self.command(requests: fault)), request, text, advice)
  }

  private func expect(
    _ finding: Doctor.Check.Finding, _ request: String, _ text: String, _ advice: String
  ) throws {
    guard case .fail(let found, let sent, let fix) = finding else {
      Issue.record("\(finding)")
      return
    }
    #expect(try #require(sent).contains(request), "\(sent ?? "")")
    #expect(found.contains(text), "\(found)")
    #expect(fix.contains(advice), "\(fix)")
  }

  /// A store that grows step by step has no operation but the first ones.
  @Test func anOperationThatIsNotSupportedYetSkipsItsCheck() throws {
    let command = try Self.command(
      requests: #"s/"op":"changes"/"op":"unknown"/"#,
      responses: #"s/"what":"unknown"/"what":"changes"/"#)
    #expect(
      try Self.finding("reads numbers and sequences", command)
        == .skipped("the store answers changes with unsupported"))
    // open, create and read must work first.
    let first = try Self.command(
      requests: #"s/"op":"create"/"op":"unknown"/"#,
      responses: #"s/"what":"unknown"/"what":"create"/"#)
    try expect(
      try Self.finding("stores a document", first), #""op":"create""#, "unsupported",
      "Implement open, create and read first")
  }

  /// A program that ends with a stack trace: the first line and the last ones name the cause.
  @Test func theEndOfStandardErrorIsShown() throws {
    let trace = "for n in 1 2 3 4 5 6; do echo line $n >&2; done; exit 1"
    // hello, reset and begin, then the end of its input.
    let finding = try Self.finding(
      "stores a document", "\(try Self.command(requests: "3q")); \(trace)")
    guard case .fail(let found, _, _) = finding else {
      Issue.record("\(finding)")
      return
    }
    #expect(
      found.hasSuffix(
        "standard error: touchstone: the runner closed the connection | … | line 5 | line 6"),
      "\(found)")
  }

  @Test func anExitCodeAtByeIsAFailure() throws {
    let finding = try Self.finding("exits at bye", "\(try Self.command()); exit 3")
    guard case .fail(let found, _, let fix) = finding else {
      Issue.record("\(finding)")
      return
    }
    #expect(found == "after bye: the adapter exited with code 3", "\(found)")
    #expect(fix == "Answer bye, then exit with code 0.")
  }

  /// The failure to fix first is the first one, and the text of an equal one is not repeated.
  @Test func failuresArePrintedWithRequestAndFix() throws {
    let world = TestWorld()
    let noise = try Self.command(responses: #"2,$s/^/noise /"#)
    #expect(world.run("doctor", "--implementation", "exec:\(noise)") == .failure)
    let lines = world.output.split(separator: "\n").map(String.init)
    #expect(lines.count < 60, "\(world.output)")
    #expect(lines.contains("FAIL  stores a document"), "\(world.output)")
    #expect(lines.contains { $0.hasPrefix("      request  {") })
    #expect(lines.contains { $0.hasPrefix("      fix      Write nothing but responses") })
    #expect(lines.last?.hasSuffix("Fix first: stores a document") == true)
  }
}
