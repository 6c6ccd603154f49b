package import JSON

extension Manifest {
  private static let format: JSONString = "touchstone-vectors"

  /// The manifest as its file contains it.
  package var json: JSONValue {
    [
      "format": .string(Self.format), "version": 1, "files": .array(files.map { $0.json }),
      "retired": [
        "vectors": .array(retiredVectors.map { $0.json }),
        "clauses": .array(retiredClauses.map { $0.json }),
      ],
    ]
  }

  package init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: 1)
    files = try reader.elements("files") { (element, path) throws(DecodingFailure) in
      try File(element, path: path)
    }
    var retired = try reader.reader("retired")
    retiredVectors = try retired.elements("vectors") { (element, path) throws(DecodingFailure) in
      try Retired(element, path: path)
    }
    retiredClauses = try retired.elements("clauses") { (element, path) throws(DecodingFailure) in
      try Retired(element, path: path)
    }
    try retired.finish()
    try reader.finish()
  }
}

extension Manifest.File {
  fileprivate var json: JSONValue {
    var json: JSONObject = [
      "path": .string(path), "sha256": .string(sha256), "count": .count(count),
    ]
    json["ids"] = ids.map { .array($0.map { .string($0) }) }
    return .object(json)
  }

  fileprivate init(_ json: JSONValue, path place: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: place)
    path = try reader.text("path")
    sha256 = try reader.text("sha256")
    count = try reader.count("count")
    ids = try reader.optionalElements("ids") { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
    try reader.finish()
  }
}

extension Manifest.Retired {
  fileprivate var json: JSONValue { ["id": .string(id), "reason": .string(reason)] }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = try reader.text("id")
    reason = try reader.text("reason")
    try reader.finish()
  }
}
