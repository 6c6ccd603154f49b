internal import Datastore
package import JSON
internal import Scenarios

extension MistakeList {
  private static let format: JSONString = "touchstone-mistakes"

  /// The list as it stands in its file.
  package var json: JSONValue {
    var json: JSONObject = [
      "format": .string(Self.format), "version": 1,
      "mistakes": .array(mistakes.map { $0.json }),
    ]
    if !retired.isEmpty { json["retired"] = .array(retired.map { $0.json }) }
    return .object(json)
  }

  package init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: 1)
    mistakes = try reader.elements("mistakes") { (element, path) throws(DecodingFailure) in
      try Mistake(element, path: path)
    }
    retired =
      try reader.optionalElements("retired") { (element, path) throws(DecodingFailure) in
        try RetiredMutant(element, path: path)
      } ?? []
    try reader.finish()
  }
}

extension Mistake {
  /// The mistake as it stands in the list.
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
