internal import Datastore
package import JSON

/// Attachments in documents, as CouchDB encodes them.
extension [RevisionAttachment] {
  /// `_attachments` of a document; throws for content that is only in a file.
  func documentMember(path: String) throws(DecodingFailure) -> JSONValue {
    var members: [(JSONString, JSONValue)] = []
    for attachment in self {
      var object = JSONObject()
      object["content_type"] = attachment.type.map { .string($0) }
      object["revpos"] = attachment.revpos.map { .integer($0) }
      object["digest"] = (attachment.digest ?? attachment.ownDigest).map { .string($0) }
      object["length"] = attachment.length.map { .integer($0) }
      object["encoding"] = attachment.encoding.map { .string($0) }
      object["encoded_length"] = attachment.encodedLength.map { .integer($0) }
      switch attachment.content {
      case .data(let text): object["data"] = .string(text)
      case .stub: object["stub"] = true
      case .chunks: object["follows"] = true
      case .file:
        throw DecodingFailure(path: path, message: "an attachment in a file cannot be sent")
      }
      members.append((attachment.name, .object(object)))
    }
    return .object(JSONObject(members))
  }

  /// Reads `_attachments`; invalid values become an attachment without a name, which the store
  /// rejects.
  package init(documentMember: JSONValue) {
    guard case .object(let object) = documentMember else {
      self = [RevisionAttachment("", .stub)]
      return
    }
    self = object.members.map { member in
      guard case .object(let object) = member.value else { return RevisionAttachment("", .stub) }
      let content: RevisionAttachment.Content =
        object["data"]?.textValue.map { .data($0) }
        ?? (object["follows"] == true ? .chunks : .stub)
      var attachment = RevisionAttachment(
        member.name, content, type: object["content_type"]?.textValue,
        length: object["length"]?.integerValue, revpos: object["revpos"]?.integerValue,
        encoding: object["encoding"]?.textValue,
        encodedLength: object["encoded_length"]?.integerValue)
      attachment.take(digest: object["digest"]?.textValue)
      return attachment
    }
  }
}

extension RevisionAttachment {
  /// Assigns a digest as ours, or as one of the server's own.
  fileprivate mutating func take(digest text: JSONString?) {
    guard let text else { return }
    if text.dropping(prefix: "sha256-") != nil { digest = text } else { ownDigest = text }
  }

  /// The number of bytes that are transferred.
  fileprivate var size: Int64? { encoding == nil ? length : encodedLength }
}

/// Content that is transferred separately.
extension HTTPForm {
  /// The header that requests a chunk; throws for an empty one.
  static func range(_ offset: Int64?, _ limit: Int64?) throws(DecodingFailure) -> JSONObject {
    guard offset != nil || limit != nil else { return [:] }
    let start = offset ?? 0
    guard let limit else { return ["range": .text("bytes=\(start)-")] }
    let (end, overflows) = start.addingReportingOverflow(max(limit, 1) - 1)
    guard limit > 0, start >= 0, !overflows else {
      throw DecodingFailure(path: "limit", message: "an empty chunk cannot be requested")
    }
    return ["range": .text("bytes=\(start)-\(end)")]
  }

  /// A request for content; nil for a path that does not name content.
  func content(
    _ rest: JSONString, _ request: HTTPRequest, parameters: Parameters
  ) throws(HTTPRefusal) -> PeerRequest? {
    if let digest = rest.dropping(prefix: "/_blobs/") {
      guard request.method == "PUT" else {
        throw HTTPRefusal(405, "method_not_allowed", reason: request.method)
      }
      guard let digest = digest.percentDecoded, let bytes = request.bytes,
        let offset = Int64((parameters["offset"] ?? "0").string)
      else { throw .badRequest("a chunk of content needs a digest, an offset and bytes") }
      return .putBlob(digest: digest, offset: offset, bytes: bytes)
    }
    guard rest.utf8.first == UInt8(ascii: "/") else { return nil }
    var segments = rest.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard segments.count == 2, let first = segments.first, let last = segments.last else {
      return nil
    }
    if first.elementsEqual("_design".utf8) {
      // The id of a design document itself contains a slash.
      segments = last.split(
        separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
      guard segments.count == 2 else { return nil }
      segments[0] = rest.utf8.dropFirst()[first.startIndex..<segments[0].endIndex]
    } else if first.first == UInt8(ascii: "_"), !first.starts(with: "_design%".utf8) {
      return nil
    }
    guard request.method == "GET" else {
      throw HTTPRefusal(405, "method_not_allowed", reason: request.method)
    }
    guard let id = JSONString(validating: segments[0])?.percentDecoded,
      let name = JSONString(validating: segments[1])?.percentDecoded
    else { throw .badRequest("the path is not valid") }
    let range = try Self.range(request.headers["range"]?.textValue)
    return .readAttachment(
      id: DocumentID(id), rev: parameters["rev"].map { RevisionID($0) }, name: name,
      offset: range?.offset, limit: range?.limit)
  }

  /// Parses `bytes=5-` or `bytes=5-9`.
  private static func range(
    _ header: JSONString?
  ) throws(HTTPRefusal) -> (offset: Int64, limit: Int64?)? {
    guard let header else { return nil }
    let ends = header.dropping(prefix: "bytes=")?.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = ends?.map { Int64(String(decoding: $0, as: UTF8.self)) }
    guard let ends, let numbers, numbers.count == 2, let start = numbers[0], start >= 0 else {
      throw .badRequest("only one range with a start is supported")
    }
    if ends[1].isEmpty { return (start, nil) }
    guard let end = numbers[1], end >= start, end < .max else {
      throw .badRequest("the end of the range is not valid")
    }
    return (start, end - start + 1)
  }

  /// A chunk of content as an HTTP response.
  static func response(_ piece: AttachmentPiece) -> HTTPResponse {
    let attachment = piece.attachment
    let size = attachment.size ?? 0
    let count = piece.bytes.base64Count
    var headers = JSONObject()
    headers["content-type"] = attachment.type.map { .string($0) }
    headers["content-encoding"] = attachment.encoding.map { .string($0) }
    headers["etag"] = (attachment.digest ?? attachment.ownDigest).map { .text("\"\($0)\"") }
    if count == size, piece.offset == 0 {
      return HTTPResponse(200, headers: headers, bytes: piece.bytes)
    }
    guard count > 0 else {
      headers["content-range"] = .text("bytes */\(size)")
      return HTTPResponse(416, headers: headers)
    }
    // An implementation may return any offset; an overflow is an error in any case.
    headers["content-range"] = .text(
      "bytes \(piece.offset)-\(piece.offset &+ count &- 1)/\(size)")
    return HTTPResponse(206, headers: headers, bytes: piece.bytes)
  }

  /// Reads a chunk of content, or the response that nothing follows the offset.
  static func piece(
    _ response: HTTPResponse, of name: JSONString, from asked: Int64
  ) throws(DecodingFailure) -> AttachmentPiece {
    let bytes = response.status == 416 ? "" : response.bytes
    guard let bytes else {
      throw DecodingFailure(path: "bytes", message: "expected a chunk of content")
    }
    let headers = response.headers
    var attachment = RevisionAttachment(
      name, .stub, type: headers["content-type"]?.textValue,
      encoding: headers["content-encoding"]?.textValue)
    let tag = headers["etag"]?.textValue
    attachment.take(digest: tag?.dropping(prefix: "\"")?.droppingLast ?? tag)
    var (offset, size) = (response.status == 416 ? asked : 0, bytes.base64Count)
    if let range = headers["content-range"]?.textValue {
      let parts = range.string.split { " -/".contains($0) }
      guard let whole = parts.last.flatMap({ Int64($0) }), parts.count == 4 || parts.count == 3
      else {
        throw DecodingFailure(path: "content-range", message: "'\(range)' is not a valid range")
      }
      size = whole
      if parts.count == 4, let start = Int64(parts[1]) { offset = start }
    }
    if attachment.encoding == nil {
      attachment.length = size
    } else {
      attachment.encodedLength = size
    }
    return AttachmentPiece(of: attachment, offset: offset, bytes: bytes)
  }
}

extension JSONString {
  /// The text without its last byte.
  fileprivate var droppingLast: JSONString? { JSONString(validating: utf8.dropLast()) }
}
