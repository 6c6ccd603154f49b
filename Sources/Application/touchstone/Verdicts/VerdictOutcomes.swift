internal import Conformance
internal import Datastore
internal import Digest
internal import JSON
internal import Scenarios

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

  private static let pass: JSONString = "pass"

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

  /// Returns the verdict on each of the selected vectors, in their order.
  func verdicts(on selected: [VectorID]) -> [(id: VectorID, verdict: JSONString)] {
    var exceptions: [VectorID: JSONString] = [:]
    for exception in notPassed { exceptions[exception.id] = exception.verdict }
    return selected.map { ($0, exceptions[$0] ?? Self.pass) }
  }
}

extension VerdictOutcomes {
  /// The members of a verdict file.
  var members: [(JSONString, JSONValue)] {
    [
      ("counts", .object(JSONObject(counts.map { ($0.verdict, .integer(Int64($0.number))) }))),
      ("notPassed", .object(JSONObject(notPassed.map { ($0.id.text, .string($0.verdict)) }))),
      ("digest", .string(digest)),
    ]
  }

  /// Reads the members of a verdict file.
  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    var counts: [Count] = []
    for member in try Self.members("counts", of: &reader) {
      guard case .integer(let number) = member.value, number >= 0, number <= Int64(Int32.max) else {
        let path = DecodingPath.member(member.name, of: "counts")
        throw DecodingFailure(path: path, expected: "a number of vectors", found: member.value)
      }
      counts.append(Count(verdict: member.name, number: Int(number)))
    }
    var notPassed: [Exception] = []
    for member in try Self.members("notPassed", of: &reader) {
      let path = DecodingPath.member(member.name, of: "notPassed")
      notPassed.append(
        Exception(id: VectorID(member.name), verdict: try member.value.text(at: path)))
    }
    self.counts = counts
    self.notPassed = notPassed
    digest = try reader.text("digest")
  }

  private static func members(
    _ name: JSONString, of reader: inout ObjectReader
  ) throws(DecodingFailure) -> [JSONObject.Member] {
    let value = try reader.required(name)
    guard case .object(let object) = value else {
      throw DecodingFailure(path: reader.path(to: name), expected: "an object", found: value)
    }
    return Array(object.members)
  }
}
