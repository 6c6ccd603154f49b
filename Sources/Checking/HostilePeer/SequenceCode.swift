#if HTTP
  internal import Digest
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// Another encoding of the sequences of a server: opaque, and valid in later requests.
  enum SequenceCode {
    private static let prefix = "again-"

    /// The response with all sequences in the other encoding; streams and other bodies stay.
    static func encoded(_ response: ServerResponse) -> ServerResponse {
      guard let bytes = response.collected(), var object = try? JSONValue.parse(bytes).objectValue
      else { return response }
      for name in ["last_seq", "update_seq"] as [JSONString] {
        if let sequence = object[name] { object[name] = encode(sequence) }
      }
      if let rows = object["results"]?.arrayValue {
        object["results"] = .array(
          rows.map { row in
            guard var entry = row.objectValue, let sequence = entry["seq"] else { return row }
            entry["seq"] = encode(sequence)
            return .object(entry)
          })
      }
      var changed = response
      changed.body = .bytes(JSONValue.object(object).serializedBytes())
      return changed
    }

    private static func encode(_ sequence: JSONValue) -> JSONValue {
      guard sequence != .null else { return .null }
      return .text(prefix + sequence.serializedBytes().hexadecimal)
    }

    /// The request with the server's own sequence in `since`.
    static func decoded(_ request: ServerRequest) -> ServerRequest {
      guard let mark = request.target.firstRange(of: "since=\(prefix)") else { return request }
      let digits = request.target[mark.upperBound...].prefix { $0.isHexDigit }
      var bytes: [UInt8] = []
      var rest = digits[...]
      while rest.count > 1, let byte = UInt8(rest.prefix(2), radix: 16) {
        bytes.append(byte)
        rest = rest.dropFirst(2)
      }
      guard let value = try? JSONValue.parse(bytes) else { return request }
      let text = value.textValue ?? JSONString(value.serialized())
      let target =
        request.target[..<mark.lowerBound] + "since=\(text.percentEncoded)"
        + request.target[digits.endIndex...]
      return request.with(target: String(target))
    }
  }

  extension ServerResponse {
    /// The whole body; nil for a stream that may wait.
    func collected() -> [UInt8]? {
      switch body {
      case .bytes(let bytes): return bytes
      case .stream(_, let next):
        var all: [UInt8] = []
        while true {
          switch next() {
          case .bytes(let bytes): all += bytes
          case .end: return all
          case .cut: return nil
          }
        }
      }
    }
  }
#endif
