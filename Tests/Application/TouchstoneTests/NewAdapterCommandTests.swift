import Conformance
import Foundation
import JSON
import Testing

@testable import touchstone

@Suite struct NewAdapterCommandTests {
  // A language without its tools on this machine is reported as skipped, with the reason.

  @Test(.enabled(if: works("python3 --version"), "not run: there is no python3 here"))
  func beginsPython() throws {
    try answers(.python, checkedBy: "python3 -m py_compile adapter.py")
  }

  @Test(.enabled(if: works("node --version"), "not run: there is no node here"))
  func beginsJavaScript() throws {
    try answers(.javascript, checkedBy: "node --check adapter.mjs")
  }

  @Test(
    .enabled(
      if: works("make --version && cc --version && pkg-config --exists jansson"),
      "not run: make, cc, pkg-config or jansson is not here"))
  func beginsC() throws { try answers(.c) }

  @Test(.enabled(if: works("cargo --version"), "not run: there is no cargo here"))
  func beginsRust() throws { try answers(.rust) }

  @Test(.enabled(if: works("javac -version && java -version"), "not run: there is no Java here"))
  func beginsJava() throws { try answers(.java) }

  @Test(
    .enabled(
      if: works("go version"),
      "not run: no compiler for Go (apt-get install golang-go)"))
  func beginsGo() throws { try answers(.go, checkedBy: "go vet && test -z \"$(gofmt -l .)\"") }

  @Test(
    .enabled(
      if: works("command -v kotlinc && java -version"),
      "not run: no compiler for Kotlin (apt-get install kotlin)"))
  func beginsKotlin() throws { try answers(.kotlin) }

  /// The adapter is compiled with the modules of these tests: its package would compile all of them
  /// again.
  @Test func theSwiftOneKeepsToTheProtocol() throws {
    let folder = try TemporaryFolder()
    try write(.swift, to: folder)
    let built = (try BuiltProgram.path()).split(separator: "/").dropLast()
    let sources = "\(ShippedAdapter.top)/Sources"
    let compile =
      "cd '/\(built.joined(separator: "/"))' && swiftc -swift-version 6 -I Modules "
      + "-I \(sources)/Core/CCrypto -I \(sources)/Lab/CJansson -I \(sources)/Core/CSQLite "
      + "-I \(sources)/Core/CZlib "
      + "\(folder.path)/adapter/Sources/adapter/main.swift"
    guard Self.works("swiftc --version") else { try Test.cancel("not run: there is no swiftc") }
    let (end, said) = try Self.shell("\(compile) -typecheck")
    #expect(end == .exited(0), "\(said)")
    // Objects built for a sanitizer or on another system need more options.
    let program = "\(folder.path)/program"
    let linking =
      "\(compile) $(ls -d *.build/*.o | grep -v -e 'Tests.build/' -e '^touchstone.build/') "
      + "$(pkg-config --libs sqlite3 jansson zlib libcrypto) -o \(program)"
    guard try Self.shell(linking).end == .exited(0) else {
      try Test.cancel("not run: the objects of these tests cannot be linked with it")
    }
    try keepsToTheProtocol(program)
  }

  @Test func beginsSwift() throws {
    let folder = try TemporaryFolder()
    try write(.swift, to: folder)
    let vectors = try VectorsLocation.find().folder
    let checkout = try #require(Files.realPath("\(vectors)/.."))
    let package = try folder.text("adapter/Package.swift")
    #expect(package.contains(#".package(name: "touchstone", path: "\#(checkout)")"#), "\(package)")
  }

  @Test(arguments: AdapterLanguage.allCases)
  func marksWhatIsToBeDone(language: AdapterLanguage) throws {
    let folder = try TemporaryFolder()
    try write(language, to: folder)
    let text = try folder.text("adapter/\(language.mainFile)")
    for number in 1...3 { #expect(text.contains("TO DO \(number): "), "\(number)") }
  }

  @Test(arguments: AdapterLanguage.allCases)
  func copiesTheWholeSkeleton(language: AdapterLanguage) throws {
    let vectors = try VectorsLocation.find().folder
    let adapters = "\(vectors)/../tools/adapters/\(language.rawValue)"
    let skeleton = language.files.filter { $0.hasPrefix("skeleton/") }.map { $0.dropFirst(9) }
    for file in try FileManager.default.subpathsOfDirectory(atPath: "\(adapters)/skeleton")
    where !Files.isFolder("\(adapters)/skeleton/\(file)") {
      #expect(skeleton.contains { $0 == file }, "\(file)")
    }
  }

  @Test func writesNothingOver() throws {
    let folder = try TemporaryFolder([("mine.py", "mine"), (".git/HEAD", "")])
    let world = TestWorld()
    #expect(world.run("new-adapter", "python", folder.path) == .usage)
    #expect(world.error.contains("\(folder.path) exists and is not empty"), "\(world.error)")
    #expect(try Files.names(inFolder: folder.path) == ["mine.py"])
    try Files.remove("\(folder.path)/mine.py")
    #expect(world.run("new-adapter", "python", "\(folder.path)//") == .success)
    #expect(world.output.contains("\(folder.path)/adapter.py answers every operation"))
    #expect(world.run("new-adapter", "python", "\(folder.path)/adapter.py") == .harness)
    #expect(world.run("new-adapter", "python", "\(folder.path)/not/there") == .harness)
  }

  @Test(
    arguments: [
      (
        ["pyhton", "x"],
        "no skeleton in 'pyhton'; expected one of python, javascript, c, rust, go, java, kotlin, swift"
      ),
      (["pyhton", "x"], "did you mean 'python'?"), (["c"], "missing argument: DIR"),
      ([], "missing argument: LANGUAGE"), (["c", ""], "DIR is empty"),
    ] as [([String], String)])
  func refuses(_ arguments: [String], _ part: String) {
    let world = TestWorld()
    #expect(CommandTable.run(["new-adapter"] + arguments, world.context) == .usage)
    #expect(world.error.contains(part), "\(world.error)")
    #expect(world.output == "")
  }

  /// An installation has the skeletons, but not the package dependency of an adapter in Swift.
  @Test func anInstallationBeginsAllLanguagesButSwift() throws {
    let adapters = "\(try VectorsLocation.find().folder)/../tools/adapters"
    var files = [("Vectors/clauses.json", "{}")]
    for language in [AdapterLanguage.python, .swift] {
      for file in language.files {
        let path = "\(language.rawValue)/\(file)"
        let text = String(decoding: try Files.read("\(adapters)/\(path)"), as: UTF8.self)
        files.append(("tools/adapters/\(path)", text))
      }
    }
    let installation = try TemporaryFolder(files)
    let script = """
      exec 2>&1; cd \(installation.path); export TOUCHSTONE_VECTORS=$PWD/Vectors
      "$TOUCHSTONE" new-adapter python a > /dev/null; echo $?
      "$TOUCHSTONE" new-adapter swift b; echo $?
      ls a/adapter.py b
      """
    let (_, said) = try BuiltProgram.shell(script)
    #expect(said.hasPrefix("0\n"), "\(said)")
    #expect(said.contains("has no Package.swift"), "\(said)")
    #expect(said.contains("\n3\n"), "\(said)")
    #expect(said.contains("\na/adapter.py\n") && said.contains("'b'"), "\(said)")
  }

  @Test func needsTheAdaptersBesideTheCorpus() throws {
    let corpus = try TemporaryFolder.corpus()
    let (end, said) = try BuiltProgram.shell(
      "TOUCHSTONE_VECTORS=\(corpus.path) \"$TOUCHSTONE\" new-adapter c \(corpus.path)/new 2>&1")
    #expect(end == .exited(ExitCode.harness.rawValue))
    #expect(said.contains("no folder tools/adapters beside the folder Vectors"), "\(said)")
    #expect(!Files.exists("\(corpus.path)/new"))
  }

  // MARK: By hand

  /// Whether a script succeeds in the environment of these tests.
  static func works(_ script: String) -> Bool {
    (try? shell(script))?.end == .exited(0)
  }

  /// The end and the output of a shell script, with its standard error.
  private static func shell(_ script: String) throws -> (end: Subprocess.End?, output: String) {
    // No test here needs a network.
    let process = try Subprocess(
      "/bin/sh", ["-c", "exec 2>&1; \(script)"],
      variables: ["CARGO_NET_OFFLINE=true", "GOPROXY=off"])
    while !process.advance(milliseconds: 20) {}
    return (process.end, String(decoding: process.output, as: UTF8.self))
  }

  private func write(_ language: AdapterLanguage, to folder: TemporaryFolder) throws {
    let world = TestWorld()
    #expect(world.run("new-adapter", language.rawValue, "\(folder.path)/adapter") == .success)
    #expect(world.error == "")
    let start = language.startCommand(shellQuoted("\(folder.path)/adapter"))
    let place = shellQuoted("exec:\(start)")
    #expect(world.output.contains("touchstone doctor --implementation \(place)\n"))
  }

  /// Builds the adapter with the printed command, and exchanges messages with it.
  private func answers(_ language: AdapterLanguage, checkedBy check: String? = nil) throws {
    let folder = try TemporaryFolder()
    try write(language, to: folder)
    let place = shellQuoted("\(folder.path)/adapter")
    for line in [check, language.buildCommand(place)] {
      guard let line else { continue }
      // Without GOCACHE the compiler for Go needs a home folder.
      let (end, said) = try Self.shell(
        "export GOCACHE=\(shellQuoted("\(folder.path)/cache")); cd \(place) && \(line)")
      #expect(end == .exited(0), "\(said)")
      // The virtual machine that runs the compiler for Kotlin warns of one of its own options.
      let warnings = said.split(separator: "\n").filter {
        $0.contains("warning") && !$0.contains("VM warning: Options -Xverify:none")
      }
      #expect(warnings == [], "\(said)")
    }
    let requests = [
      #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"folder":"/nowhere"}}"#,
      #"{"id":1,"reset":{}}"#, #"{"id":2,"perform":{"op":"open","store":"a"}}"#,
      #"{"id":3,"bye":{}}"#,
    ]
    let (end, said) = try Self.shell(
      "printf '%s\\n' '\(requests.joined(separator: "' '"))' | \(language.startCommand(place))")
    #expect(end == .exited(0))
    let replies = try said.split(separator: "\n").map { try JSONValue.parse(String($0)) }
    try #require(replies.count == 4, "\(said)")
    #expect(replies[0].objectValue?["ok"]?.objectValue?["protocol"] == 1, "\(said)")
    let expected: [JSONValue] = [
      ["id": 1, "ok": [:]],
      ["id": 2, "error": ["kind": "unsupported", "what": "open"]],
      ["id": 3, "ok": [:]],
    ]
    // The adapter chooses the order of the members.
    for (reply, wanted) in zip(replies.dropFirst(), expected) {
      #expect(reply.isSameValue(as: wanted), "\(said)")
    }
    try keepsToTheProtocol(language.startCommand(place))
  }

  /// `protocol.md`, Lines: the end of an adapter.
  private func keepsToTheProtocol(_ command: String) throws {
    let hello =
      #"{"id":0,"hello":{"protocol":{"first":1,"last":1},"runner":"r","folder":"/nowhere"}}"#
    let inputs: [(rest: String, code: Int32)] = [
      // The end of the input, an invalid line, and two inputs that end within a line.
      ("", 0), (#"{"id":1,"reset":{}\n"#, 1), (#"{"id":1,"reset":{}"#, 1),
      (#"{"id":1,"reset":{}}\n{"id":2,"#, 1),
    ]
    for (rest, code) in inputs {
      let (end, said) = try Self.shell("printf '\(hello)\\n\(rest)' | \(command) 2> /dev/null")
      #expect(end == .exited(code), "\(rest): \(said)")
      let whole = rest.contains(#"{}}\n"#) ? 2 : 1
      #expect(said.split(separator: "\n").count == whole, "\(rest): \(said)")
      guard code != 0 else { continue }
      let (_, log) = try Self.shell("printf '\(hello)\\n\(rest)' | \(command) 2>&1 > /dev/null")
      #expect(!log.isEmpty, "\(rest)")
    }
  }

  /// `touchstone serve` is an adapter, too.
  @Test func serveKeepsToTheProtocol() throws {
    try keepsToTheProtocol(
      "\(shellQuoted(try BuiltProgram.path())) serve --implementation reference")
  }
}
