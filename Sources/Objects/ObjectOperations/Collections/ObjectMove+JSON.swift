internal import Datastore
internal import JSON

extension ObjectMove {
  var arguments: [(JSONString, JSONValue)] {
    let members: [(JSONString, JSONValue?)] = [
      ("from", .string(from.text)), ("collections", .texts(collections)),
      ("batch", batch.map { .integer($0) }), ("flag", flag.map { .string($0) }),
      ("deletes", deletes.map { .bool($0) }), ("ids", ids.map { .string($0) }),
      ("background", background.map { .bool($0) }), ("costs", costs),
      ("steps", steps.map { .integer($0) }),
    ]
    return members.present
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      from: StoreName(try reader.text("from")), try reader.texts("collections"),
      batch: try reader.optionalInteger("batch"), flag: try reader.optionalText("flag"),
      deletes: try reader.optionalBool("deletes"), ids: try reader.optionalText("ids"),
      background: try reader.optionalBool("background"), costs: reader.optional("costs"),
      steps: try reader.optionalInteger("steps"))
  }
}

extension MoveReport {
  var json: JSONObject {
    var json: JSONObject = [
      "state": .string(state), "steps": .array(steps), "requests": .array(requests),
      "progress": .array(progress),
    ]
    json["problem"] = problem
    json["longestMainBlock"] = .integer(longestMainBlock)
    return json
  }

  init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(
      state: try reader.text("state"), steps: try reader.array("steps"),
      requests: try reader.array("requests"), progress: try reader.array("progress"),
      problem: reader.optional("problem"),
      longestMainBlock: try reader.integer("longestMainBlock"))
  }
}
