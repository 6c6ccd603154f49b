internal import Digest
internal import JSON

/// A line of the recorder of CouchDB's replicator: texts as bodies, and the time of the response.
///
/// The lines are in the order of the responses. This order agrees with causality: a client that waits
/// for a response sends its next request later. So the exchanges are read in the order of the lines
/// without times, and no finding about an order depends on two exchanges that overlap.
enum WireLine {
  static func exchange(_ value: JSONValue) throws(DecodingFailure) -> Exchange {
    var reader = try ObjectReader(value)
    let number = try reader.integer("i")
    let request = Exchange.Request(
      method: HeaderReader.capitals(try reader.text("method")), server: "",
      target: try reader.text("path"), headers: try HeaderReader.members(&reader, name: "h"),
      body: try content(&reader, "body"))
    var response: Exchange.Response?
    if let status = try reader.optionalInteger("status") {
      let type = try reader.optionalText("rct")
      response = Exchange.Response(
        status: status, headers: type.map { ["content-type": $0] } ?? [:],
        body: try content(&reader, "resp"))
    }
    return Exchange(
      number: Int(number), start: nil, end: nil, client: "", request: request, response: response)
  }

  private static func content(
    _ reader: inout ObjectReader, _ name: JSONString
  ) throws(DecodingFailure) -> Exchange.Content {
    guard let value = reader.optional(name) else { return .empty }
    if let text = value.textValue { return .of(Array(text.utf8)) }
    var bytes = try ObjectReader(value, path: reader.path(to: name))
    guard let decoded = Base64.decode(try bytes.text("base64").utf8) else {
      throw DecodingFailure(path: bytes.path(to: "base64"), message: "expected base64")
    }
    return .of(decoded)
  }
}
