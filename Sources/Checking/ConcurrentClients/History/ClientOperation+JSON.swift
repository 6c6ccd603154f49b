internal import Datastore
public import JSON

extension ClientOperation {
  /// One line of a history: the operation with its connection, its times and its outcome.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("connection", .integer(Int64(connection))), ("call", .integer(call)),
    ]
    if let end { members.append(("end", .integer(end))) }
    members.append(("perform", operation.json))
    if let outcome { members.append(("outcome", outcome.json)) }
    return .object(JSONObject(members))
  }
}
