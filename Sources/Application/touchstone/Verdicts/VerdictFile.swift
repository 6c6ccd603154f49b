internal import Conformance
internal import Datastore
internal import Digest
internal import JSON
internal import Scenarios

/// The outcome of a run in a form that another person can check with `touchstone verify`.
///
/// `{"format": "touchstone-verdict", "version": 1, "touchstone", "program", "corpus", "options",
/// "implementation": {name, version}, "conclusion", "counts": {verdict: number},
/// "notPassed": {id: verdict}, "digest"}`. A vector of the selection that `notPassed` does not name
/// passed.
struct VerdictFile: Hashable {
  /// The version of Touchstone, and the SHA-256 of the program that wrote the file.
  var tool: JSONString
  var program: JSONString
  /// The SHA-256 of the manifest of the corpus.
  var corpus: JSONString
  /// The options that choose the vectors and the implementation, such as `--profile`, `purge`.
  var options: [JSONString]
  /// The name and version that the implementation declares.
  var name: JSONString
  var version: JSONString
  /// The name of the conclusion in reports, such as `conformant`.
  var conclusion: JSONString
  var outcomes: VerdictOutcomes

  private static let format: JSONString = "touchstone-verdict"
  private static let formatVersion: Int64 = 1

  /// Creates the verdict of a complete run.
  ///
  /// - Parameter manifest: the SHA-256 of the manifest of the corpus.
  init(
    _ report: RunReport, manifest: String, options: [String]
  ) throws(HarnessError) {
    tool = JSONString(toolVersion)
    program = try CampaignIdentity.programDigest()
    corpus = JSONString(manifest)
    self.options = options.map { JSONString($0) }
    name = JSONString(report.implementation.name)
    version = JSONString(report.implementation.version)
    conclusion = JSONString(RunSummary(report).conclusion.name)
    outcomes = VerdictOutcomes(report.results)
  }

  var json: JSONValue {
    [
      "format": .string(Self.format), "version": .integer(Self.formatVersion),
      "touchstone": .string(tool), "program": .string(program), "corpus": .string(corpus),
      "options": .array(options.map { .string($0) }),
      "implementation": ["name": .string(name), "version": .string(version)],
      "conclusion": .string(conclusion),
      "counts": .object(
        JSONObject(outcomes.counts.map { ($0.verdict, .integer(Int64($0.number))) })),
      "notPassed": .object(
        JSONObject(outcomes.notPassed.map { ($0.id.text, .string($0.verdict)) })),
      "digest": .string(outcomes.digest),
    ]
  }

  /// Reads a verdict.
  init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: Self.formatVersion)
    tool = try reader.text("touchstone")
    program = try reader.text("program")
    corpus = try reader.text("corpus")
    options = try reader.elements("options") { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
    try Self.check(options)
    var implementation = try reader.reader("implementation")
    name = try implementation.text("name")
    version = try implementation.text("version")
    try implementation.finish()
    conclusion = try reader.text("conclusion")
    var counts: [(JSONString, Int)] = []
    for (verdict, number) in try Self.members("counts", of: &reader) {
      let path = DecodingPath.member(verdict, of: "counts")
      guard case .integer(let count) = number, count >= 0, count <= Int64(Int32.max) else {
        throw DecodingFailure(path: path, expected: "a number of vectors", found: number)
      }
      counts.append((verdict, Int(count)))
    }
    var notPassed: [(VectorID, JSONString)] = []
    for (id, verdict) in try Self.members("notPassed", of: &reader) {
      let path = DecodingPath.member(id, of: "notPassed")
      notPassed.append((VectorID(id), try verdict.text(at: path)))
    }
    outcomes = VerdictOutcomes(
      counts: counts, notPassed: notPassed, digest: try reader.text("digest"))
    try reader.finish()
  }

  /// The options that a verdict may have. None of them starts a program or writes a file.
  private static let optionNames: [JSONString] = [
    "--implementation", "--grade", "--product", "--profile", "--filter",
  ]

  private static func check(_ options: [JSONString]) throws(DecodingFailure) {
    guard options.first == "--implementation", options.count.isMultiple(of: 2) else {
      throw DecodingFailure(
        path: "options", message: "expected --implementation, a name, and other options with values"
      )
    }
    for place in stride(from: 0, to: options.count, by: 2)
    where !optionNames.contains(options[place]) {
      let known = optionNames.map(\.string).joined(separator: ", ")
      throw DecodingFailure(path: "options[\(place)]", message: "expected one of \(known)")
    }
  }

  private static func members(
    _ name: JSONString, of reader: inout ObjectReader
  ) throws(DecodingFailure) -> [(JSONString, JSONValue)] {
    let value = try reader.required(name)
    guard case .object(let object) = value else {
      throw DecodingFailure(path: reader.path(to: name), expected: "an object", found: value)
    }
    return object.members.map { ($0.name, $0.value) }
  }
}

/// The verdicts on the vectors of a run.
struct VerdictOutcomes: Hashable {
  struct Count: Hashable {
    let verdict: JSONString
    let number: Int
  }

  struct Exception: Hashable {
    let id: VectorID
    let verdict: JSONString
  }

  /// The number of vectors with each verdict, in the order of the names.
  let counts: [Count]
  /// The vectors that did not pass, in the order of the corpus.
  let notPassed: [Exception]
  /// The SHA-256 of the lines `ID VERDICT` of all vectors, in the order of the corpus.
  let digest: JSONString

  static let pass: JSONString = "pass"

  init(counts: [(JSONString, Int)], notPassed: [(VectorID, JSONString)], digest: JSONString) {
    self.counts = counts.map { Count(verdict: $0.0, number: $0.1) }
    self.notPassed = notPassed.map { Exception(id: $0.0, verdict: $0.1) }
    self.digest = digest
  }

  /// - Parameter results: in the order of the corpus.
  init(_ results: [RunReport.Result]) {
    self.init(results.map { ($0.vector.id, JSONString($0.verdict.name)) })
  }

  /// - Parameter outcomes: the verdict on each vector, in the order of the corpus.
  init(_ outcomes: [(id: VectorID, verdict: JSONString)]) {
    var numbers: [JSONString: Int] = [:]
    var text = ""
    for (id, verdict) in outcomes {
      numbers[verdict, default: 0] += 1
      text += "\(id) \(verdict)\n"
    }
    counts = numbers.keys.inByteOrder.map { Count(verdict: $0, number: numbers[$0] ?? 0) }
    notPassed = outcomes.filter { $0.verdict != Self.pass }
      .map { Exception(id: $0.id, verdict: $0.verdict) }
    digest = JSONString(DigestAlgorithm.sha256.digest(of: Array(text.utf8)).hexadecimal)
  }
}
