import Testing

@testable import touchstone

/// The bundled stores behind the protocol: started by the runner, listening, and connecting.
@Suite struct ServeCommandTests {
  static let passed = "core 14/14"

  @Test(arguments: ["sqlite --storage memory", "sqlite", "reference"])
  func isStarted(store: String) throws {
    let (end, output) = try BuiltProgram.shell(
      #"""
      "$TOUCHSTONE" run --implementation "exec:'$TOUCHSTONE' serve --implementation \#(store)" \
        --filter 'winner-*' 2>&1
      """#)
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains(Self.passed), "\(output)")
  }

  @Test func isCalled() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try BuiltProgram.shell(
      #"""
      "$TOUCHSTONE" serve --listen '\#(folder.path)/socket' &
      "$TOUCHSTONE" run --implementation 'connect:\#(folder.path)/socket' --filter 'winner-*' 2>&1
      code=$?
      wait
      exit $code
      """#)
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains(Self.passed), "\(output)")
  }

  @Test func calls() throws {
    let folder = try TemporaryFolder()
    let (end, output) = try BuiltProgram.shell(
      #"""
      "$TOUCHSTONE" serve --implementation reference --connect '\#(folder.path)/socket' &
      "$TOUCHSTONE" run --implementation 'listen:\#(folder.path)/socket' --filter 'winner-*' 2>&1
      code=$?
      wait
      exit $code
      """#)
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains("waiting for an adapter to connect"), "\(output)")
    #expect(output.contains("connected to process "), "\(output)")
    #expect(output.contains(Self.passed), "\(output)")
  }

  @Test func saysTheSameTwiceWhenTheRunnerServesTime() throws {
    // Two processes with different hash seeds, and the runner's time and randomness.
    let (end, output) = try BuiltProgram.shell(
      #"""
      "$TOUCHSTONE" simulate --prove --seeds 1..2 --operations 20 \
        --implementation "exec:'$TOUCHSTONE' serve --implementation reference" 2>&1
      """#)
    #expect(end == .exited(0), "\(output)")
  }

  @Test(arguments: [
    (
      #""$TOUCHSTONE" doctor --implementation "exec:'$TOUCHSTONE' serve""#,
      "all checks passed\nnext: "
    ),
    (
      #""$TOUCHSTONE" doctor --implementation "exec:'$TOUCHSTONE' serve --storage memory""#,
      "all checks passed\n"
    ),
  ])
  func passes(command: String, says: String) throws {
    let (end, output) = try BuiltProgram.shell(command)
    #expect(end == .exited(0), "\(output)")
    #expect(output.contains(says), "\(output)")
  }

  @Test(arguments: [
    ("true", "starts and responds to hello", "the adapter exited with code 0"),
    (
      #"read l; echo '{"id":0,"ok":{"protocol":1,"name":"n","version":"1"}}'; exit 5"#,
      "stores a document", "Find the cause in standard error, and repair it."
    ),
  ])
  func fails(adapter: String, name: String, says: String) throws {
    let folder = try TemporaryFolder([("adapter", adapter)])
    let (end, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" doctor --implementation 'exec:sh \(folder.path)/adapter'")
    #expect(end == .exited(1))
    #expect(output.contains("Fix first: \(name)"), "\(output)")
    // The text is wrapped at the width of the terminal.
    let words = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(says), "\(output)")
  }

  /// The doctor prints the defaults of a store, and checks that they are valid.
  @Test(arguments: [
    (#"["couchdb"]"#, "revisionIDs couchdb, collation couchdb"),
    ("[]", "the declared default revisionIDs couchdb needs the profile couchdb"),
  ])
  func theDoctorShowsDefaults(profiles: String, says: String) throws {
    let about =
      #"{"id":0,"ok":{"protocol":1,"name":"n","version":"1","profiles":\#(profiles),"#
      + #""defaults":{"revisionIDs":"couchdb","collation":"couchdb"}}}"#
    let folder = try TemporaryFolder([
      (
        "adapter",
        """
        while read -r line; do
          id=${line#*'"id":'}; id=${id%%,*}
          case $line in
          *'"hello"'*) echo '\(about)' ;;
          *'"collation":"bytes"'*) exit 9 ;;
          *) echo '{"id":'$id',"ok":{}}' ;;
          esac
        done
        """
      )
    ])
    let (_, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" doctor --implementation 'exec:sh \(folder.path)/adapter'")
    let words = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let found = profiles == "[]" ? "found " : ""
    #expect(words.contains("opens with its defaults \(found)\(says)"), "\(output)")
  }

  /// `protocol.md`: a request has one purpose.
  @Test(arguments: [
    (#"{"id":1,"reset":{}"#, "a line that is not JSON: byte"),
    ("[]", "a line that is not an object"),
    (
      #"{"id":1,"perform":{"op":"list","store":"a","limit":99999999999999999999}}"#,
      "a line that is not JSON: byte"
    ),
    (#"{"reset":{}}"#, "request without an id"),
    (#"{"id":1,"rest":{}}"#, "request 1 has no known action"),
    (#"{"id":1,"bye":{},"reset":{}}"#, "request 1 has several actions"),
    (
      #"{"id":1,"bye":{},"perform":{"op":"open","store":"s"}}"#, "request 1 has several actions"
    ),
    (
      #"{"id":1,"hello":{"protocol":{"first":1,"last":1},"runner":"r","serves":[]}}"#,
      "second hello, in request 1"
    ),
  ])
  func aLineThatIsNoRequestEndsIt(line: String, says: String) throws {
    let hello = #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","serves":[]}}"#
    let folder = try TemporaryFolder([("lines", "\(hello)\n\(line)\n")])
    let (end, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" serve --implementation reference < '\(folder.path)/lines' 2>&1")
    #expect(end == .exited(1))
    #expect(output.contains(says), "\(output)")
    // Responses to earlier requests are still sent.
    #expect(output.contains(#"{"id":0,"ok""#))
  }

  /// The server reports that it listens only after a peer can connect.
  @Test func whatCannotListenDoesNotSayThatItDoes() throws {
    let folder = try TemporaryFolder([("taken", "")])
    let (end, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" serve --listen '\(folder.path)/taken' 2>&1")
    #expect(end == .exited(3))
    #expect(output.contains("\(folder.path)/taken: "), "\(output)")
    #expect(!output.contains("listening"), "\(output)")
  }
}
