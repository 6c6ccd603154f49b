package import JSON

extension RevisionAttachment {
  /// The members other than the name; nil members are not written.
  var members: [(JSONString, JSONValue)] {
    var members: [(JSONString, JSONValue)] = []
    if let type { members.append(("type", .string(type))) }
    if let digest { members.append(("digest", .string(digest))) }
    if let length { members.append(("length", .integer(length))) }
    if let revpos { members.append(("revpos", .integer(revpos))) }
    if let encoding { members.append(("encoding", .string(encoding))) }
    if let encodedLength { members.append(("encodedLength", .integer(encodedLength))) }
    if let ownDigest { members.append(("ownDigest", .string(ownDigest))) }
    switch content {
    case .data(let text): members.append(("data", .string(text)))
    case .stub: members.append(("stub", true))
    case .file(let path): members.append(("file", .string(path)))
    case .chunks: members.append(("chunks", true))
    }
    return members
  }

  /// Reads the members of the attachment of the given name.
  init(name: JSONString, _ reader: inout ObjectReader) throws(DecodingFailure) {
    self.init(name, try Self.content(&reader))
    type = try reader.optionalText("type")
    digest = try reader.optionalText("digest")
    length = try reader.optionalInteger("length")
    revpos = try reader.optionalInteger("revpos")
    encoding = try reader.optionalText("encoding")
    encodedLength = try reader.optionalInteger("encodedLength")
    ownDigest = try reader.optionalText("ownDigest")
  }

  /// Reads the one member that locates the bytes.
  private static func content(_ reader: inout ObjectReader) throws(DecodingFailure) -> Content {
    var contents: [Content] = []
    if let data = try reader.optionalText("data") { contents.append(.data(data)) }
    if try reader.optionalTrue("stub") { contents.append(.stub) }
    if let file = try reader.optionalText("file") { contents.append(.file(file)) }
    if try reader.optionalTrue("chunks") { contents.append(.chunks) }
    guard contents.count == 1 else {
      throw DecodingFailure(
        path: reader.path, message: "expected one of data, stub, file, chunks")
    }
    return contents[0]
  }
}

extension [RevisionAttachment] {
  /// The attachments as the members of one object.
  package var json: JSONValue {
    .object(JSONObject(map { ($0.name, .object(JSONObject($0.members))) }))
  }
}

extension AttachmentPiece {
  var json: JSONValue {
    .object(
      JSONObject(attachment.members + [("offset", .integer(offset)), ("bytes", .string(bytes))]))
  }

  init(_ reader: inout ObjectReader, name: JSONString) throws(DecodingFailure) {
    attachment = try RevisionAttachment(name: name, &reader)
    offset = try reader.integer("offset")
    bytes = try reader.text("bytes")
  }
}

extension ObjectReader {
  /// The attachments of a member, in its order; nil if it is absent.
  package mutating func optionalAttachments(
    _ name: JSONString = "attachments"
  ) throws(DecodingFailure) -> [RevisionAttachment]? {
    guard let value = optional(name) else { return nil }
    let path = path(to: name)
    guard case .object(let object) = value else {
      throw DecodingFailure(path: path, message: "expected an object, found \(value.kind)")
    }
    var attachments: [RevisionAttachment] = []
    for member in object.members {
      var reader = try ObjectReader(
        member.value, path: DecodingPath.member(member.name, of: path))
      attachments.append(try RevisionAttachment(name: member.name, &reader))
      try reader.finish()
    }
    return attachments
  }

  /// The write with its attachments, if there are any.
  mutating func attaching(to write: StoreAction) throws(DecodingFailure) -> StoreAction {
    guard let attachments = try optionalAttachments() else { return write }
    return .attaching(attachments, to: write)
  }

  /// Reads an optional member whose only valid value is `true`.
  fileprivate mutating func optionalTrue(_ name: JSONString) throws(DecodingFailure) -> Bool {
    guard let value = try optionalBool(name) else { return false }
    guard value else {
      throw DecodingFailure(path: path(to: name), message: "expected true")
    }
    return true
  }
}
