internal import Datastore
package import JSON
internal import Scenarios

extension MutantList {
  private static let format: JSONString = "touchstone-mutants"
  /// The format and its member in version 0.1.
  private static let earlier: (format: JSONString, member: JSONString) = (
    "touchstone-mistakes", "mistakes"
  )

  /// The list as its file contains it.
  package var json: JSONValue {
    var json: JSONObject = [
      "format": .string(Self.format), "version": 1,
      "mutants": .array(mutants.map { $0.json }),
    ]
    if !retired.isEmpty { json["retired"] = .array(retired.map { $0.json }) }
    return .object(json)
  }

  package init(_ json: JSONValue) throws(DecodingFailure) {
    try self.init(json, (Self.format, "mutants"), file: Self.fileName)
  }

  /// Reads the list in the form of version 0.1.
  package init(earlier json: JSONValue) throws(DecodingFailure) {
    try self.init(json, Self.earlier, file: Self.earlierFileName)
  }

  private init(
    _ json: JSONValue, _ form: (format: JSONString, member: JSONString), file: String
  ) throws(DecodingFailure) {
    self.file = file
    var reader = try ObjectReader(json)
    try reader.requireFormat(form.format, version: 1)
    mutants = try reader.elements(form.member) { (element, path) throws(DecodingFailure) in
      try Mutant(element, path: path)
    }
    retired =
      try reader.optionalElements("retired") { (element, path) throws(DecodingFailure) in
        try RetiredMutant(element, path: path)
      } ?? []
    try reader.finish()
  }
}

extension Mutant {
  /// The mutant as the list contains it.
  package var json: JSONValue {
    var json: JSONObject = [
      "name": .string(name), "kind": .text(kind.rawValue),
      "implementation": .string(implementation), "sentence": .string(sentence),
      "clause": clause.json,
    ]
    json["link"] = link.map { .string($0) }
    json["end"] = .text(end.rawValue)
    json["provesClause"] = .bool(provesClause)
    json["vectors"] = .array(vectors.map { $0.json })
    json["observed"] = .count(observedCount)
    json["generated"] = .count(generatedCount)
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    name = try reader.text("name")
    kind = try reader.choice("kind")
    implementation = try reader.text("implementation")
    sentence = try reader.text("sentence")
    clause = try ClauseID(try reader.required("clause"), path: reader.path(to: "clause"))
    link = try reader.optionalText("link")
    end = try reader.choice("end")
    provesClause = try reader.bool("provesClause")
    vectors = try reader.elements("vectors") { (element, path) throws(DecodingFailure) in
      try VectorID(element, path: path)
    }
    observedCount = try reader.count("observed")
    generatedCount = try reader.count("generated")
    try reader.finish()
  }
}
