internal import Datastore
internal import JSON

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
