internal import Datastore
package import JSON

// The request `resolveConflict` of `Vectors/protocol.md`, and its response.

extension DocumentConflict {
  /// The value of the request.
  package var json: JSONValue {
    var object: JSONObject = [
      "device": .text(device), "document": document.json,
      "leaves": .array(leaves.map(\.json)),
    ]
    object["ancestor"] = ancestor?.json
    return .object(object)
  }

  /// Reads the value of the request.
  package init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: "resolveConflict")
    device = try reader.text("device").string
    document = try reader.identifier("document")
    leaves = try reader.elements("leaves") { (element, path) throws(DecodingFailure) in
      try Version(element, path: path)
    }
    ancestor = nil
    if let json = reader.optional("ancestor") {
      ancestor = try Version(json, path: reader.path(to: "ancestor"))
    }
    try reader.finish()
  }
}

extension DocumentConflict.Version {
  var json: JSONValue {
    var object: JSONObject = ["rev": rev.json]
    if let body { object["body"] = .object(body) } else { object["deleted"] = true }
    return .object(object)
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    rev = try reader.identifier("rev")
    if try reader.optionalBool("deleted") ?? false {
      body = nil
    } else {
      body = try reader.object("body")
    }
    try reader.finish()
  }
}

extension ConflictResolution {
  /// The response of an adapter, after `ok`.
  package var json: JSONValue {
    switch self {
    case .body(let body, let parent):
      var object: JSONObject = ["body": .object(body)]
      object["on"] = parent?.json
      return .object(object)
    case .keep(let rev): return ["keep": rev.json]
    case .delete: return ["delete": true]
    case .unresolved: return ["unresolved": true]
    }
  }

  /// Reads the response of an adapter.
  package init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: "ok")
    if json.objectValue?["body"] != nil {
      let body = try reader.object("body")
      let parent = try reader.optionalText("on")
      self = .body(body, on: parent.map { RevisionID($0) })
    } else if json.objectValue?["keep"] != nil {
      self = .keep(RevisionID(try reader.text("keep")))
    } else if reader.optional("delete") == true {
      self = .delete
    } else if reader.optional("unresolved") == true {
      self = .unresolved
    } else {
      throw DecodingFailure(
        path: "ok", message: "expected body, keep, \"delete\":true or \"unresolved\":true")
    }
    try reader.finish()
  }
}

extension ObjectReader {
  fileprivate mutating func object(_ name: JSONString) throws(DecodingFailure) -> JSONObject {
    let value = try required(name)
    guard let object = value.objectValue else {
      throw DecodingFailure(path: path(to: name), expected: "an object", found: value)
    }
    return object
  }
}
