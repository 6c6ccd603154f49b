internal import Conformance
internal import Datastore
internal import Digest
internal import JSON

/// What the outcomes of a campaign or of a run depend on.
struct CampaignIdentity: Hashable {
  /// The version of Touchstone, and the SHA-256 of the running program, in hexadecimal.
  var tool: JSONString
  var program: JSONString
  /// The implementation as named on the command line, and its own description.
  var implementation: JSONString
  var name: JSONString
  var version: JSONString
  var language: JSONString?
  /// The options that define the meaning of a seed, or choose the vectors.
  var options: [JSONString]
  /// The SHA-256 of `manifest.json` of the corpus, for a campaign of the default one; nil if there is none.
  var corpus: JSONString?

  /// Creates the identity of the campaigns and runs of this process.
  ///
  /// - Parameter words: the options.
  init(
    _ implementation: String, _ description: ImplementationDescription, words: [String]
  ) throws(HarnessError) {
    tool = JSONString(toolVersion)
    self.implementation = JSONString(implementation)
    (name, version) = (JSONString(description.name), JSONString(description.version))
    language = description.language.map { JSONString($0) }
    options = words.map { JSONString($0) }
    guard let digest = Self.programDigest else {
      throw HarnessError("cannot read this program, whose SHA-256 is part of a report")
    }
    program = digest
    if let folder = try? VectorsLocation.find().folder,
      let manifest = try? Files.read("\(folder)/manifest.json")
    {
      corpus = Self.sha256(manifest)
    }
  }

  /// The SHA-256 of this program, which is read once; nil if it cannot be read.
  private static let programDigest = Files.executable.flatMap { path in
    (try? Files.read(path)).map(sha256)
  }

  private static func sha256(_ bytes: [UInt8]) -> JSONString {
    JSONString(DigestAlgorithm.sha256.digest(of: bytes).hexadecimal)
  }

  /// Returns the differences from another report, such as `version 1.0 and 1.1`.
  func differences(from other: CampaignIdentity) -> [String] {
    var all: [String] = []
    func compare(_ what: String, _ mine: JSONString?, its: JSONString?) {
      if mine != its { all.append("\(what) \(its ?? "none") and \(mine ?? "none")") }
    }
    compare("implementation", implementation, its: other.implementation)
    compare("name", name, its: other.name)
    compare("version", version, its: other.version)
    compare("language", language, its: other.language)
    compare("options", Self.joined(options), its: Self.joined(other.options))
    compare("touchstone", tool, its: other.tool)
    compare("program", program, its: other.program)
    compare("corpus", corpus, its: other.corpus)
    return all
  }

  private static func joined(_ options: [JSONString]) -> JSONString {
    JSONString("'\(options.map { $0.string }.joined(separator: " "))'")
  }
}

extension CampaignIdentity {
  var json: JSONValue {
    [
      "touchstone": .string(tool), "program": .string(program),
      "implementation": .string(implementation), "name": .string(name),
      "version": .string(version), "language": language.map { .string($0) } ?? .null,
      "options": .array(options.map { .string($0) }),
      "corpus": corpus.map { .string($0) } ?? .null,
    ]
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    tool = try reader.text("touchstone")
    program = try reader.text("program")
    implementation = try reader.text("implementation")
    name = try reader.text("name")
    version = try reader.text("version")
    language = try Self.optional(try reader.required("language"), reader.path(to: "language"))
    options = try reader.elements("options") { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
    corpus = try Self.optional(try reader.required("corpus"), reader.path(to: "corpus"))
    try reader.finish()
  }

  private static func optional(
    _ json: JSONValue, _ path: String
  ) throws(DecodingFailure) -> JSONString? { json == .null ? nil : try json.text(at: path) }
}
