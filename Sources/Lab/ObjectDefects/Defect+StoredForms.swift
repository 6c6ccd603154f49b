internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants in the stored form, of stores that return the correct form.

extension Defect {
  static let storedForms: [Defect] =
    storedMetadata + storedAttributes + storedNumbers + storedRelationships + storedElsewhere

  private static let storedMetadata: [Defect] = [
    describing(
      "stored-metadata-is-anything", "CDTIS-172",
      sentence: "The metadata document has another form."
    ) { body in body = ["format": 1, "entities": .integer(Int64(body.count))] },
    describing(
      "stored-metadata-without-entities", "CDTIS-172",
      sentence: "The metadata document describes no entity."
    ) { $0["objectModel"] = [:] },
    describing(
      "stored-metadata-with-more-entities", "CDTIS-172",
      sentence: "The metadata document describes an entity that the model does not have."
    ) { body in
      var model = body["objectModel"]?.objectValue ?? [:]
      if let first = model.members.first?.value { model["StoresOwn"] = first }
      body["objectModel"] = .object(model)
    },
    describing(
      "stored-metadata-without-identifier", "CDTIS-172",
      sentence: "The metadata document lacks the identifier of the store."
    ) { body in
      var metadata = body["metaData"]?.objectValue ?? [:]
      metadata["NSStoreUUID"] = nil
      body["metaData"] = .object(metadata)
    },
    describing(
      "stored-hashes-differ", "CDTIS-172",
      sentence: "The stored hashes differ from those of describeModel."
    ) { body in
      body["objectModel"] = body["objectModel"]?.mapMembers("versionHash") { hash in
        .text(String((hash.textValue?.string ?? "").reversed()))
      }
    },
    describing(
      "stored-types-renamed", "CDTIS-172", sentence: "Type names are stored in upper case."
    ) { body in
      body["objectModel"] = body["objectModel"]?.mapMembers("typeName") { name in
        .text((name.textValue?.string ?? "").uppercased())
      }
    },
    describing(
      "stored-destinations-dropped", "CDTIS-172",
      sentence: "The metadata document lacks the destinations of relationships."
    ) { body in body["objectModel"] = body["objectModel"]?.without(["destination"]) },
    describing(
      "stored-transformers-dropped", "CDTIS-172",
      sentence: "The metadata document lacks the classes of transformers."
    ) { body in body["objectModel"] = body["objectModel"]?.without(["xform"]) },
  ]

  private static let storedAttributes: [Defect] = [
    storing(
      "stored-mime-types-dropped", "CDTIS-171", sentence: "The MIME type of bytes is not stored."
    ) {
      $0.dropMeta("mime-type")
    },
    storing(
      "stored-mime-types-guessed", "CDTIS-171",
      sentence: "All bytes are stored with the same MIME type."
    ) {
      object in
      object.each(["binary", "xform"]) { _, meta in meta["mime-type"] = "application/octet-stream" }
    },
    storing(
      "stored-bytes-as-arrays", "CDTIS-171", sentence: "Bytes are stored as an array of numbers."
    ) {
      object in
      object.each(["binary", "xform"]) { value, _ in
        value = .array((value.textValue.map { Array($0.utf8) } ?? []).map { .integer(Int64($0)) })
      }
    },
    storing(
      "stored-dates-since-2001", "CDTIS-171", sentence: "Dates are stored as seconds since 2001."
    ) {
      object in
      object.each(["date1970"]) { value, _ in
        switch value {
        case .integer(let seconds): value = .integer(seconds - 978_307_200)
        case .double(let seconds): value = .double(seconds - 978_307_200)
        default: break
        }
      }
    },
    storing(
      "stored-dates-whole", "CDTIS-171", sentence: "Dates are stored without fractions."
    ) {
      object in
      object.each(["date1970"]) { value, _ in
        if case .double(let seconds) = value { value = .double(seconds.rounded(.down)) }
      }
    },
    storing(
      "stored-truth-as-such", "CDTIS-171", sentence: "Boolean values are stored as true and false."
    ) {
      object in
      object.each(["bool"]) { value, _ in value = .bool(value != 0 && value != false) }
    },
    storing(
      "stored-integers-as-texts", "CDTIS-171", sentence: "Integers are stored as texts of digits."
    ) {
      object in
      object.each(["int16", "int32", "int64"]) { value, _ in value = .text(value.serialized()) }
    },
    storing("stored-texts-composed", "CDTIS-171", sentence: "Texts are stored in NFC.") {
      object in
      object.each(["utf8"]) { value, _ in
        if case .string(let text) = value { value = .string(text.composed) }
      }
    },
    storing(
      "stored-uris-dropped", "CDTIS-171", sentence: "Attributes of type id are not stored."
    ) {
      object in
      for (name, description) in object.model.properties("attributes", of: object.entity)
      where description["type"] == "id" {
        object.body[name] = nil
      }
    },
    storing(
      "stored-nil-as-null", "CDTIS-171", sentence: "A nil attribute is stored as null."
    ) {
      object in
      for (name, _) in object.model.properties("attributes", of: object.entity)
      where object.body[name] == nil {
        object.body[name] = .null
      }
    },
    storing("stored-envelope-lost", "CDTIS-171", sentence: "The URI of an object is not stored.") {
      $0.body["CDTISIdentifier"] = nil
    },
    storing("stored-versions-as-numbers", "CDTIS-171", sentence: "Versions are stored as numbers.")
    {
      object in
      guard let version = Int64(object.body["CDTISObjectVersion"]?.textValue?.string ?? "") else {
        return
      }
      object.body["CDTISObjectVersion"] = .integer(version)
    },
    storing(
      "stored-members-of-its-own", "CDTIS-171",
      sentence: "Documents have an additional member."
    ) { $0.body["saved"] = true },
  ]

  private static let storedNumbers: [Defect] = [
    storing("stored-singles-dropped", "CDTIS-171", sentence: "The image of a float is not stored.")
    {
      $0.dropMeta("ieee754_single")
    },
    storing("stored-doubles-dropped", "CDTIS-171", sentence: "The image of a double is not stored.")
    {
      $0.dropMeta("ieee754_double")
    },
    storing(
      "stored-singles-as-doubles", "CDTIS-171",
      sentence: "A float is stored with the image of a double."
    ) { object in
      object.each(["float"]) { _, meta in
        guard let image = meta["ieee754_single"]?.integerValue else { return }
        meta["ieee754_single"] = nil
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: image))
        meta["ieee754_double"] = JSONValue(Double(value).bitPattern)
      }
    },
    storing(
      "stored-tokens-dropped", "CDTIS-171",
      sentence: "The token of a number that is not finite is not stored."
    ) {
      $0.dropMeta("nonFinite")
    },
    storing(
      "stored-decimal-texts-dropped", "CDTIS-171", sentence: "The text of a decimal is not stored."
    ) {
      object in
      for (name, description) in object.model.properties("attributes", of: object.entity)
      where description["type"] == "decimal" {
        object.body[name] = nil
      }
    },
    storing(
      "stored-decimal-images-dropped", "CDTIS-171",
      sentence: "The image of a decimal is not stored."
    ) {
      $0.dropMeta("nsdecimal")
    },
    storing("stored-decimals-as-numbers", "CDTIS-171", sentence: "Decimals are stored as numbers.")
    {
      object in
      object.each(["decimal"]) { value, _ in
        if let text = value.textValue, let number = Double(text.string) { value = .double(number) }
      }
    },
  ]

  private static let storedRelationships: [Defect] = [
    storing(
      "stored-one-as-a-list", "CDTIS-171", sentence: "To-one relationships are stored as lists."
    ) {
      object in
      object.eachRelationship(toMany: false) { value in
        if case .string(let id)? = value { value = [.string(id)] }
      }
    },
    storing(
      "stored-one-as-a-reference", "CDTIS-171",
      sentence: "A to-one relationship is stored as an object."
    ) { object in
      object.eachRelationship(toMany: false) { value in
        if case .string(let id)? = value { value = ["id": .string(id)] }
      }
    },
    storing(
      "stored-many-in-another-order", "CDTIS-171",
      sentence: "Lists of ids are stored in reverse order."
    ) {
      object in
      object.eachRelationship(toMany: true) { value in
        if case .array(let ids)? = value { value = .array(ids.reversed()) }
      }
    },
    storing("stored-many-as-a-text", "CDTIS-171", sentence: "Lists of ids are stored as one text.")
    {
      object in
      object.eachRelationship(toMany: true) { value in
        if case .array(let ids)? = value {
          value = .text(ids.compactMap { $0.textValue?.string }.joined(separator: ","))
        }
      }
    },
    storing(
      "stored-empty-lists-dropped", "CDTIS-171", sentence: "An empty list of ids is not stored."
    ) {
      object in
      object.eachRelationship(toMany: true) { value in
        if case .array([])? = value { value = nil }
      }
    },
    storing(
      "stored-no-object-as-null", "CDTIS-171",
      sentence: "An empty to-one relationship is stored as null."
    ) { object in
      object.eachRelationship(toMany: false) { value in
        if value == nil { value = .some(.null) }
      }
    },
  ]

  /// The mutants of the layers above objects, and of their contents.
  private static let storedElsewhere: [Defect] = [
    storing(
      "context-stores-no-images", "CTX-074",
      sentence: "A context stores values without their images.",
      in: [.contexts]
    ) { object in
      object.dropMeta("ieee754_single")
      object.dropMeta("ieee754_double")
    },
    storing(
      "context-stores-no-mime-types", "CTX-074",
      sentence: "A context stores values without their MIME types.",
      in: [.contexts]
    ) { $0.dropMeta("mime-type") },
    storing(
      "context-stores-nil-as-null", "CTX-074",
      sentence: "A value removed in a context is stored as null.",
      in: [.contexts]
    ) { object in
      object.eachRelationship(toMany: false) { value in
        if value == nil { value = .some(.null) }
      }
    },
    storing(
      "context-stores-ends-backwards", "CTX-074",
      sentence: "A context stores the lists of updated inverses in reverse order.",
      in: [.contexts]
    ) { object in
      object.eachRelationship(toMany: true) { value in
        if case .array(let ids)? = value { value = .array(ids.reversed()) }
      }
    },
    storing(
      "context-stores-its-name", "CTX-074",
      sentence: "Documents saved by a context contain its name.",
      in: [.contexts]
    ) { $0.body["savedBy"] = "context" },
    storing(
      "collection-stores-no-nulls", "COLL-099",
      sentence: "Fields with the value null are not stored.",
      in: [.collections]
    ) { object in
      object.body["entity"] = object.body["entity"]?.withoutNulls
    },
    storing(
      "collection-stores-no-id", "COLL-099",
      sentence: "The id of an entity is stored only in the document id.",
      in: [.collections]
    ) { object in
      var entity = object.body["entity"]?.objectValue ?? [:]
      entity["_id"] = nil
      object.body["entity"] = .object(entity)
    },
    storing(
      "collection-stores-unwrapped", "COLL-099",
      sentence: "The document of an entity contains only the entity.",
      in: [.collections]
    ) { object in
      var entity = object.body["entity"]?.objectValue ?? [:]
      entity["_id"] = nil
      object.body = entity
    },
    storing(
      "collection-stores-its-own", "COLL-099",
      sentence: "Documents of entities have an additional member.",
      in: [.collections]
    ) { $0.body["modified"] = 0 },
    storing(
      "collection-stores-sorted-lists", "COLL-099", sentence: "Lists of texts are stored sorted.",
      in: [.collections]
    ) { object in
      object.body["entity"] = object.body["entity"]?.sortingTexts
    },
    storingContents(
      "stored-contents-untyped", "CDTIS-171",
      sentence: "The content of an object is stored without its type."
    ) { attachments in
      for place in attachments.indices { attachments[place].type = "application/octet-stream" }
    },
    storingContents(
      "stored-contents-renamed", "CDTIS-171",
      sentence: "The content of an object is stored under another name than its attribute."
    ) { attachments in
      attachments = attachments.map { attachment in
        var renamed = attachment
        renamed.name = JSONString("content-\(attachment.name)")
        return renamed
      }
    },
    Defect(
      "stored-contents-differ", "CDTIS-171",
      sentence: "The stored content of an object differs from the bytes of its value."
    ) { Storing([.objects], bytes: { $0.flipped }) },
    answering(
      "contents-sent-differ", "ATT-001",
      sentence: "Records contain other bytes than readAttachment returns."
    ) { _, result, _ in
      .ok(
        result.mapRecords { record in
          for place in record.attachments.indices {
            guard case .data(let bytes) = record.attachments[place].content else { continue }
            record.attachments[place].content = .data(bytes.flipped)
          }
        })
    },
    answering(
      "contents-read-differ", "ATT-001",
      sentence: "readAttachment returns other bytes than records contain."
    ) { _, result, _ in
      guard case .attachment(var piece) = result else { return .ok(result) }
      piece.bytes = piece.bytes.flipped
      return .ok(.attachment(piece))
    },
    answering(
      "locals-without-nulls", "LOCAL-001",
      sentence: "Local documents are stored without null members."
    ) {
      _, result, _ in
      guard case .local(let body) = result else { return .ok(result) }
      return .ok(.local(body: body.withoutNulls))
    },
    remembering(
      "locals-closed-without-nulls", "LOCAL-006",
      sentence: "Local documents lose their null members when the store is closed.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.close, _): memory.marks.insert(operation.key())
        case (.readLocal, .ok(.local(let body))) where memory.marks.contains(operation.key()):
          return .ok(.local(body: body.withoutNulls))
        default: break
        }
        return outcome
      }),
  ]
}

extension JSONString {
  /// Base64 of the same number of bytes, with another first byte.
  fileprivate var flipped: JSONString {
    guard let first = utf8.first else { return self }
    return JSONString((first == UInt8(ascii: "A") ? "B" : "A") + String(string.dropFirst()))
  }
}

extension JSONValue {
  /// The value with each member of a name replaced, at any depth.
  fileprivate func mapMembers(_ name: JSONString, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(
      JSONObject(
        object.members.map { member in
          let value = member.value
          return (member.name, member.name == name ? change(value) : value.mapMembers(name, change))
        }))
  }

  /// The value without null members, at any depth.
  fileprivate var withoutNulls: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutNulls))
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.value != .null }.map { ($0.name, $0.value.withoutNulls) }))
    default: self
    }
  }

  /// The value with all lists of texts in byte order, at any depth.
  fileprivate var sortingTexts: JSONValue {
    switch self {
    case .array(let elements):
      let texts = elements.compactMap(\.textValue)
      guard texts.count == elements.count else { return .array(elements.map(\.sortingTexts)) }
      return .array(
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) })
    case .object(let object):
      return .object(JSONObject(object.members.map { ($0.name, $0.value.sortingTexts) }))
    default: return self
    }
  }
}
