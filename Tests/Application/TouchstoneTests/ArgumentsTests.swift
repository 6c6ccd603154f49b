import Testing

@testable import touchstone

@Suite struct ArgumentsTests {
  static let manual = Manual(
    words: ["try", "it"], summary: "Try it.", operands: ["ID", "[DIR]"],
    options: [
      .init(name: "--flag", help: "A flag."), .init(name: "--value", value: "V", help: "A value."),
      .init(name: "--many", value: "V", isRepeatable: true, help: "Values."),
    ])

  @Test func sortsThem() throws {
    let arguments = try Arguments(
      ["a", "--many", "1", "--flag", "--many=2", "--value=x=y", "--", "--flag"], for: Self.manual)
    #expect(arguments.operands == ["a", "--flag"])
    #expect(arguments.has("--flag"))
    #expect(arguments.value("--value") == "x=y")
    #expect(arguments.values("--many") == ["1", "2"])
    #expect(!(try Arguments(["-"], for: Self.manual)).has("--flag"))
  }

  /// A manual may permit methods with one hyphen as operands; options of two are still checked.
  @Test func methodsAreOperands() throws {
    var manual = Self.manual
    #expect(throws: UsageError.self) { try Arguments(["-name:"], for: manual) }
    manual.takesMethods = true
    #expect(try Arguments(["-name:", "--flag"], for: manual).operands == ["-name:"])
    #expect(throws: UsageError.self) { try Arguments(["-x"], for: manual) }
    #expect(throws: UsageError.self) { try Arguments(["--name"], for: manual) }
  }

  @Test(
    arguments: [
      (["a", "--flg"], "unknown option '--flg'", "--flag"),
      (["a", "--hepl"], "unknown option '--hepl'", "--help"),
      (["a", "--colour"], "unknown option '--colour'", nil),
      (["a", "--help=3"], "--help takes no value", nil),
      (["a", "-x"], "unknown option '-x'", nil),
      (["a", "--value"], "--value needs a value: V", nil),
      (["a", "--value="], "--value needs a value: V", nil),
      (["a", "--value", "1", "--value", "2"], "--value is given twice", nil),
      (["a", "--flag=1"], "--flag takes no value", nil), ([], "missing argument: ID", nil),
      (["a", "b", "c"], "unexpected argument 'c'", nil),
    ] as [([String], String, String?)])
  func refuses(_ arguments: [String], _ message: String, _ suggestion: String?) {
    #expect(throws: UsageError(message, Self.manual, suggestion: suggestion)) {
      try Arguments(arguments, for: Self.manual)
    }
  }

  @Test(
    arguments: [
      ("rnu", "run"), ("vector", "vectors"), ("x", nil), ("--implementatoin", nil), ("", nil),
      ("runs", "run"), ("vetcors", "vectors"), ("banana", nil),
    ] as [(String, String?)])
  func findsTheNearest(_ word: String, _ expected: String?) {
    #expect(nearest(to: word, among: ["run", "vectors"]) == expected)
  }

  @Test(
    arguments: [
      ("winner-live", ["winner-live-beats", "winner-live-first"]), ("WINNER-DEAD", ["winner-dead"]),
      ("winer-", ["winner-live-beats", "winner-dead", "winner-live-first"]),
      ("beats", ["winner-live-beats"]), ("win-02", ["WIN-012"]), ("tree-creat", ["tree-create"]),
      ("ZZZ-", []), ("x", []), ("", []), ("edit-", []),
    ] as [(String, [String])])
  func findsTheNearestIDs(_ id: String, _ expected: [String]) {
    let known = ["winner-live-beats", "winner-dead", "winner-live-first", "tree-create", "WIN-012"]
    #expect(nearestIDs(to: id, among: known) == expected)
  }

  @Test(arguments: [
    ("plain-1.0/x:y=z,_", "plain-1.0/x:y=z,_"), ("two words", "'two words'"),
    ("it's", #"'it'\''s'"#), ("", "''"), ("TREE-*", "'TREE-*'"), ("é", "'é'"),
  ])
  func quotesForTheShell(_ word: String, _ quoted: String) {
    #expect(shellQuoted(word) == quoted)
  }

  /// Messages go to logs, and an address may have a password.
  @Test(arguments: [
    ("unknown 'http://admin:pw@127.0.0.1:5984/a'", "unknown 'http://…@127.0.0.1:5984/a'"),
    (
      "https://u@h and http://h/x@y and http://a:b@c@d",
      "https://…@h and http://h/x@y and http://…@d"
    ),
    ("nothing", "nothing"),
  ])
  func messagesHideUserInformation(text: String, hidden: String) {
    #expect(UsageError(text).message == hidden)
    #expect(CommandFailure(text).description == hidden)
  }
}
