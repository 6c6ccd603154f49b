internal import JSON
internal import WireConformance

extension WireMutant {
  private static let get = When("GET", .attachment)
  private static let put = When("PUT", .attachment)
  private static let document = When("GET", .document)

  /// Changes the attachments of a document that is written.
  private static func written(
    _ name: String, _ clause: String, says sentence: String,
    change: @escaping @Sendable (JSONValue) -> JSONValue?
  ) -> WireMutant {
    .request(name, clause, says: sentence, on: When("PUT", .document)) { call in
      call.with(json: { $0.change(at: ["_attachments", "*"], change) })
    }
  }

  /// The JSON of the first part of a body.
  private static func firstPart(_ body: [UInt8]) -> JSONValue? {
    let empty = Array("\r\n\r\n".utf8)
    let starts = body.indices.filter { body[$0...].starts(with: empty) }
    guard let start = starts.first else { return nil }
    let content = body[(start + empty.count)...]
    guard let end = content.indices.first(where: { content[$0...].starts(with: "\r\n--".utf8) })
    else { return nil }
    return try? JSONValue.parse(Array(content[..<end]))
  }

  static let ofAttachments: [WireMutant] = [
    .status(
      "attachment-created-200", "WIR-235", says: "PUT of an attachment answers 200.", on: put,
      from: 201, to: 200),
    .response(
      "attachment-as-text", "WIR-236", says: "Attachments are read as text.", on: get
    ) { _, response in
      response.body = response.body.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
    },
    .header(
      "attachment-typeless", "WIR-237", says: "Every attachment is read as binary.", on: get,
      field: "content-type", to: "application/octet-stream"),
    .response(
      "attachment-missing-empty", "WIR-238", says: "An unknown attachment is empty.", on: get
    ) { _, response in
      if response.status == 404 { response = WireResponse(200) }
    },
    .retry(
      "attachment-overwrites", "WIR-239", says: "PUT of an attachment needs no revision.", on: put,
      after: 409, change: withCurrentRevision),
    .ignores(
      "attachment-if-match", "WIR-240", says: "PUT of an attachment ignores If-Match.", on: put,
      header: "if-match"),
    .value(
      "attachment-no-revpos", "WIR-241", says: "Stubs have no revpos.", on: document,
      at: "_attachments.*.revpos"
    ) { _ in nil },
    .value(
      "attachment-length-encoded", "WIR-242", says: "length is the number of digits in base64.",
      on: document, at: "_attachments.*.length"
    ) { length in .integer(((length.integerValue ?? 0) + 2) / 3 * 4) },
    written(
      "attachment-stubs-dropped", "WIR-243", says: "An attachment is lost if it is a stub."
    ) { $0["stub"] == true ? nil : $0 },
    WireMutant(
      "attachment-never-removed", "WIR-244", says: "Omitted attachments are kept."
    ) { call, server throws(WireFailure) in
      guard call.request.method == "PUT", call.resource == .document,
        let current = try server.winner(of: call)["_attachments"].objectValue
      else { return try server.send(call.request) }
      let request = call.with(json: { json in
        var attachments = json["_attachments"].objectValue ?? [:]
        for member in current.members where attachments[member.name] == nil {
          attachments[member.name] = member.value
        }
        json["_attachments"] = .object(attachments)
      })
      return try server.send(request)
    },
    .retry(
      "attachment-stub-unchecked", "WIR-245", says: "Unknown stubs are ignored.",
      on: When("PUT", .document), after: 412
    ) { call, _ in call.with(json: { $0 = $0.without("_attachments") }) },
    .instead(
      "attachment-not-deleted", "WIR-246", says: "DELETE of an attachment has no effect.",
      on: When("DELETE", .attachment)
    ) { call in
      WireResponse(200, json: ["ok": true, "id": .text(call.segments[1]), "rev": "2-0"])
    },
    .header(
      "attachment-head-no-length", "WIR-247", says: "HEAD of an attachment has no length.",
      on: When("HEAD", .attachment), field: "content-length", to: nil),
    .header(
      "attachment-no-etag", "WIR-248", says: "Attachments have no ETag.", on: get, field: "etag",
      to: nil),
    .ignores(
      "attachment-no-ranges", "WIR-249", says: "Range is ignored.", on: get, header: "range"),
    .retry(
      "attachment-range-unchecked", "WIR-250", says: "A range after the end is the whole content.",
      on: get, after: 416
    ) { call, _ in call.with(header: "range", nil) },
    .request(
      "attachment-range-suffix", "WIR-251", says: "A range of the last bytes is of the first ones.",
      on: get
    ) { call in
      guard let range = call.request.header("range"), range.utf8.starts(with: "bytes=-".utf8) else {
        return call.request
      }
      let count = String(decoding: range.utf8.dropFirst("bytes=-".utf8.count), as: UTF8.self)
      return call.with(header: "range", JSONString("bytes=0-\(count)"))
    },
    written(
      "attachment-undecoded", "WIR-253", says: "Inline data lose their first 4 digits."
    ) { attachment in
      var attachment = attachment
      if let data = attachment["data"].textValue {
        attachment["data"] = .text(String(decoding: data.utf8.dropFirst(4), as: UTF8.self))
      }
      return attachment
    },
    .retry(
      "attachment-data-unchecked", "WIR-254", says: "Data that are not base64 are ignored.",
      on: When("PUT", .document), after: 400
    ) { call, _ in call.with(json: { $0 = $0.without("_attachments") }) },
    .request(
      "attachment-parts-dropped", "WIR-255", says: "The parts after the document are ignored.",
      on: When("PUT", .document)
    ) { call in
      guard let body = call.request.body,
        call.request.header("content-type")?.utf8.starts(with: "multipart/".utf8) == true,
        let json = firstPart(body)
      else { return call.request }
      var request = call.with(header: "content-type", "application/json")
      request.body = json.without("_attachments").serializedBytes()
      return request
    },
    .ignores(
      "attachment-only-stubs", "WIR-256", says: "attachments=true is ignored.", on: document,
      parameter: "attachments"),
    .request(
      "attachment-no-related", "WIR-257", says: "GET never answers multipart/related.",
      on: document
    ) { call in
      guard call.request.header("accept") == "multipart/related" else { return call.request }
      return call.with(header: "accept", "application/json")
    },
    .instead(
      "attachment-name-slash", "WIR-259", says: "Names of attachments have no slash.",
      on: When("*", .attachment, where: { $0.segments.count > 3 })
    ) { _ in .failure(404, "not_found") },
    .status(
      "attachment-name-unchecked", "WIR-260", says: "Every name of an attachment is accepted.",
      on: When("PUT", .document), from: 400, to: 201),
    .ignores(
      "attachment-of-winner", "WIR-261", says: "Attachments are always those of the winner.",
      on: get, parameter: "rev"),
    .ignores(
      "attachment-atts-since", "WIR-262", says: "atts_since is ignored.", on: document,
      parameter: "atts_since"),
    .response(
      "attachment-revpos-moves", "WIR-263", says: "revpos is the generation of the revision.",
      on: document
    ) { _, response in
      response.edit { json in
        let text = json["_rev"].textValue?.string.split(separator: "-").first ?? ""
        let generation = Int64(text) ?? 0
        json.change(at: ["_attachments", "*", "revpos"]) { _ in .integer(generation) }
      }
    },
    .response(
      "attachment-open-single", "WIR-264", says: "A document with attachments is one binary part.",
      on: When("GET", .document, with: "open_revs")
    ) { _, response in
      response.body = response.body.replacing(
        "multipart/related", with: "application/octet-stream")
    },
    .value(
      "attachment-digest-constant", "WIR-265", says: "All attachments have the same digest.",
      on: document, at: "_attachments.*.digest"
    ) { _ in "md5-1B2M2Y8AsgTpgAmY7PhCfg==" },
    WireMutant(
      "attachment-survives", "WIR-266", says: "A deletion keeps the attachments."
    ) { call, server throws(WireFailure) in
      guard call.request.method == "DELETE", call.resource == .document,
        let stubs = try server.winner(of: call)["_attachments"].objectValue,
        let rev = call.parameter("rev")
      else { return try server.send(call.request) }
      return try server.send(
        "PUT", call.document,
        json: ["_rev": .text(rev), "_deleted": true, "_attachments": .object(stubs)])
    },
    WireMutant(
      "attachment-not-replaced", "WIR-267", says: "An existing attachment is not replaced."
    ) { call, server throws(WireFailure) in
      guard put(call), try server.send(WireRequest("GET", call.request.path)).status == 200 else {
        return try server.send(call.request)
      }
      return WireResponse(201, json: ["ok": true, "id": .text(call.segments[1]), "rev": "2-0"])
    },
  ]
}
