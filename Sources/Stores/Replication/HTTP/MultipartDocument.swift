internal import Compression
internal import Digest
package import JSON

/// A document and the content of its new attachments, as a body of the type `multipart/related`.
package struct MultipartDocument {
  /// The content type with the boundary.
  package let type: String
  package let body: [UInt8]

  /// Returns nil if there is no content, or content that is not valid base64.
  ///
  /// - Parameter document: a document with inline content.
  package init?(_ document: JSONObject) {
    var (document, members) = (document, document["_attachments"]?.objectValue ?? [:])
    var contents: [(type: String, bytes: [UInt8])] = []
    for member in members.members {
      guard var attachment = member.value.objectValue else { return nil }
      guard let text = attachment["data"]?.textValue else { continue }
      let type = attachment["content_type"]?.textValue ?? "application/octet-stream"
      guard let bytes = Base64.decode(text.utf8), !type.utf8.contains(where: { $0 < 32 }) else {
        return nil
      }
      attachment["data"] = nil
      attachment["follows"] = true
      attachment["content_type"] = .string(type)
      let count = JSONValue.integer(Int64(bytes.count))
      if attachment["encoding"] == nil {
        attachment["length"] = count
        // CouchDB's digest is that of its compressed content, and the receiver compares it with
        // these bytes.
        attachment["digest"] = nil
      } else {
        attachment["encoded_length"] = count
      }
      members[member.name] = .object(attachment)
      contents.append((type.string, bytes))
    }
    guard !contents.isEmpty else { return nil }
    document["_attachments"] = .object(members)
    let parts =
      [("application/json", JSONValue.object(document).serializedBytes())]
      + contents.map { ($0.type, $0.bytes) }
    let boundary = Self.boundary(of: parts.map(\.1))
    var body: [UInt8] = []
    for (type, bytes) in parts {
      let header =
        "--\(boundary)\r\nContent-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n\r\n"
      body += Array(header.utf8) + bytes + Array("\r\n".utf8)
    }
    self.body = body + Array("--\(boundary)--".utf8)
    type = "multipart/related; boundary=\"\(boundary)\""
  }

  /// Documents as the parts of one body of the type `multipart/mixed`.
  ///
  /// - Parameter parts: each is a document, or an error in its place.
  package static func mixed(
    _ parts: [(document: JSONObject?, error: JSONValue)]
  ) -> (type: String, body: [UInt8]) {
    let contents = parts.map { part -> (type: String, bytes: [UInt8]) in
      guard let document = part.document else {
        return ("application/json; error=\"true\"", part.error.serializedBytes())
      }
      guard let multipart = MultipartDocument(document) else {
        return ("application/json", JSONValue.object(document).serializedBytes())
      }
      return (multipart.type, multipart.body)
    }
    // No part may contain the beginning of this boundary, but a part has boundaries of its own.
    let boundary = "parts-\(boundary(of: contents.map(\.bytes)))"
    var body: [UInt8] = []
    for (type, bytes) in contents {
      body += Array("--\(boundary)\r\nContent-Type: \(type)\r\n\r\n".utf8)
      body += bytes + Array("\r\n".utf8)
    }
    return ("multipart/mixed; boundary=\"\(boundary)\"", body + Array("--\(boundary)--".utf8))
  }

  /// A boundary that no part contains.
  private static func boundary(of parts: [[UInt8]]) -> String {
    var number = 0
    while true {
      let boundary = "touchstone-\(number)"
      let line = Array("--\(boundary)".utf8)
      if !parts.contains(where: { $0[...].place(of: line) != nil }) { return boundary }
      number += 1
    }
  }

  /// The maximum length of decoded content.
  private static let bytesMax: Int64 = 256 << 20

  /// The document of such a body, with its content inline; nil if the body is not one.
  package static func reading(_ body: [UInt8], type: String) -> JSONObject? {
    guard let mark = type.firstRange(of: "boundary=") else { return nil }
    let boundary = type[mark.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
    var parts = parts(of: body, between: Array("--\(boundary)".utf8))[...]
    guard let first = parts.popFirst(),
      var document = (try? JSONValue.parse(first))?.objectValue
    else { return nil }
    var members = document["_attachments"]?.objectValue ?? [:]
    for member in members.members where member.value.objectValue?["follows"] == true {
      guard var attachment = member.value.objectValue, var content = parts.popFirst() else {
        return nil
      }
      // Contents follow in the order of the attachments; the lengths show whether that is so.
      let stated = attachment["encoding"] == nil ? "length" : "encoded_length"
      guard attachment[JSONString(stated)]?.integerValue == Int64(content.count) else { return nil }
      attachment["follows"] = nil
      // Not every store can keep an encoding (capability `attachmentEncoding`).
      if attachment["encoding"] == "gzip" {
        guard let decoded = try? GzipEncoding.decode(content, limit: bytesMax) else { return nil }
        content = decoded
        attachment["encoding"] = nil
        attachment["encoded_length"] = nil
        attachment["digest"] = nil
      }
      attachment["data"] = .text(Base64.encode(content))
      members[member.name] = .object(attachment)
    }
    if !members.isEmpty { document["_attachments"] = .object(members) }
    return document
  }

  /// The contents of the parts, without their headers.
  private static func parts(of body: [UInt8], between boundary: [UInt8]) -> [[UInt8]] {
    let newline = Array("\r\n".utf8)
    var (parts, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], body[...])
    while let mark = rest.place(of: boundary) {
      rest = rest[mark.upperBound...]
      guard let end = rest.place(of: newline + boundary),
        let header = rest.place(of: newline + newline),
        header.upperBound <= end.lowerBound
      else { continue }
      parts.append(Array(rest[header.upperBound..<end.lowerBound]))
    }
    return parts
  }
}
