internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with values of objects in documents.

extension Defect {
  static let objectValues: [Defect] =
    objectScalars + objectNumbers + objectImages + objectContents + objectKinds

  private static let objectScalars: [Defect] = [
    encoding("texts-end-at-nul", "CDTIS-084", sentence: "A text ends at its first NUL.") {
      $0.each(["utf8"]) { value, _ in
        value = value.textValue.map { .text(String($0.string.prefix { $0 != "\0" })) } ?? value
      }
    },
    encoding("nil-is-null", "CDTIS-055", sentence: "A nil value is stored as null.") { encoded in
      for (name, _) in encoded.model.properties("attributes", of: encoded.entity)
      where encoded.object.objectValue?["values"]?.objectValue?[name] ?? .null == .null {
        encoded.body[name] = .null
      }
    },
    encoding("true-is-true", "CDTIS-101", sentence: "Boolean values are written as true and false.")
    {
      $0.each(["bool"]) { value, _ in value = .bool(value == 1) }
    },
    decoded("one-is-true", "CDTIS-083", sentence: "Only 1 is true.") { values, _, decoding in
      for member in values.members where member.value == true {
        let stored = decoding.body.objectValue?[member.name]
        if stored != true, stored != 1 { values[member.name] = false }
      }
    },
    encoding(
      "integers-through-doubles", "CDTIS-082", sentence: "Integers are converted through doubles."
    ) {
      $0.each(["int64"]) { value, _ in
        guard let integer = value.integerValue else { return }
        value = .integer(Int64(exactly: Double(integer)) ?? .max - 1)
      }
    },
    encoding("dates-since-2001", "CDTIS-057", sentence: "Dates are seconds since 2001.") {
      $0.each(["date1970"]) { value, _ in value = .double(number(value) - 978_307_200) }
    },
    encoding("uris-without-case", "CDTIS-154", sentence: "URIs are folded to lower case.") {
      $0.each(["id"]) { value, _ in
        value = .text(value.textValue?.string.lowercased() ?? "")
      }
    },
    encoding("one-is-a-list", "CDTIS-045", sentence: "A to-one relationship is stored as a list.") {
      encoded in
      for (name, description) in encoded.model.properties("relationships", of: encoded.entity)
      where description["many"] != true {
        if let id = encoded.body[name] { encoded.body[name] = [id] }
      }
    },
    encoding(
      "objects-in-order-of-call", "CDTIS-046",
      sentence: "To-many relationships are stored in the order of the call."
    ) {
      encoded in
      let values = encoded.object.objectValue?["values"]?.objectValue
      for (name, description) in encoded.model.properties("relationships", of: encoded.entity)
      where description["many"] == true {
        if let ids = values?[name], ids != .null { encoded.body[name] = ids }
      }
    },
    encoding(
      "no-object-is-empty-text", "CDTIS-119",
      sentence: "An empty to-one relationship is stored as the empty text."
    ) {
      encoded in
      for (name, description) in encoded.model.properties("relationships", of: encoded.entity)
      where description["many"] != true && encoded.body[name] == nil {
        encoded.body[name] = ""
      }
    },
    encoding("ids-as-numbers", "CDTIS-120", sentence: "An id of digits is a number.") { encoded in
      for (name, _) in encoded.model.properties("relationships", of: encoded.entity) {
        if let id = encoded.body[name]?.textValue, let number = Int64(id.string) {
          encoded.body[name] = .integer(number)
        }
      }
    },
    encoding(
      "properties-composed", "CDTIS-148", sentence: "Property names are normalised to NFC."
    ) {
      $0.body = JSONValue.object($0.body).mapNames { $0.composed }.objectValue ?? $0.body
    },
  ]

  private static let objectNumbers: [Defect] = [
    encoding(
      "float-of-low-half", "CDTIS-049",
      sentence: "The image of a float is one half of a double's image."
    ) {
      $0.each(["float"]) { value, meta in
        guard meta["nonFinite"] == nil else { return }
        meta["ieee754_single"] = .integer(Int64(number(value).bitPattern & 0xFFFF_FFFF))
      }
    },
    encoding(
      "halves-exchanged", "CDTIS-050",
      sentence: "The two 32-bit halves of a double's image are exchanged."
    ) {
      $0.each(["double"]) { value, meta in
        guard meta["nonFinite"] == nil else { return }
        let bits = number(value).bitPattern
        meta["ieee754_double"] = JSONValue(bits << 32 | bits >> 32)
      }
    },
    encoding("images-as-texts", "CDTIS-078", sentence: "The image of a float is written as a text.")
    {
      $0.each(["float"]) { _, meta in
        meta["ieee754_single"] = .text("\(meta["ieee754_single"]?.integerValue ?? 0)")
      }
    },
    encoding(
      "decimals-not-compact", "CDTIS-051", sentence: "The second byte of decimal images differs."
    ) {
      $0.each(["decimal"]) { _, meta in
        // In base64 the second and the third digit contain the byte.
        guard let image = meta["nsdecimal"]?.textValue?.string, !image.isEmpty else { return }
        let other = image.dropFirst().first == "C" ? "B" : "C"
        meta["nsdecimal"] = .text("\(image.prefix(1))\(other)\(image.dropFirst(2))")
      }
    },
    encoding("decimals-as-numbers", "CDTIS-070", sentence: "Decimals are stored as numbers.") {
      $0.each(["decimal"]) { value, _ in
        value = (value.textValue.flatMap { Double($0.string) }).map { .double($0) } ?? value
      }
    },
    refusing("long-decimals-refused", "CDTIS-071", sentence: "Exponents above 100 are refused.") {
      operation, _ in
      guard case .encode(_, let object, _, _)? = operation.action.objects else { return nil }
      let values = object.objectValue?["values"]?.objectValue?.members ?? []
      let numbers = values.compactMap { $0.value.textValue.flatMap { Double($0.string) } }
      return numbers.contains { $0.magnitude > 1e100 } ? .badObject(what: "outOfRange") : nil
    },
    encoding(
      "tokens-not-written", "CDTIS-073",
      sentence: "The token of a number that is not finite is not written."
    ) {
      $0.each(["double", "float", "decimal"]) { _, meta in meta["nonFinite"] = nil }
    },
    encoding(
      "infinities-of-floats", "CDTIS-074",
      sentence: "Infinite doubles are stored as the largest float."
    ) {
      $0.each(["double"]) { value, meta in
        guard meta["nonFinite"] != nil, value != .null else { return }
        let largest = Double(Float.greatestFiniteMagnitude)
        value = .double(number(value) < 0 ? -largest : largest)
      }
    },
    encoding("nan-is-zero", "CDTIS-103", sentence: "NaN is stored as 0 with a token.") {
      $0.each(["double", "float", "decimal"]) { value, meta in
        if meta["nonFinite"] == "nan" { value = 0 }
      }
    },
    encoding("minus-zero-is-zero", "CDTIS-079", sentence: "-0 has the image of 0.") {
      $0.each(["double"]) { value, meta in
        if number(value) == 0, value != .null { meta["ieee754_double"] = 0 }
      }
    },
    encoding("one-nan", "CDTIS-079", sentence: "All NaNs have the same bits.") {
      $0.each(["double"]) { _, meta in
        if meta["nonFinite"] == "nan" { meta["ieee754_double"] = JSONValue(Double.nan.bitPattern) }
      }
    },
    decoded(
      "fifteen-digits", "CDTIS-081", sentence: "Numbers without an image are rounded to 15 digits."
    ) {
      values, _, decoding in
      for member in values.members {
        guard case .double(let value) = member.value, value.magnitude < 1,
          decoding.body.objectValue?[JSONString("CDTISMeta_\(member.name)")] == nil
        else { continue }
        values[member.name] = .double((value * 1e15).rounded() / 1e15)
      }
    },
    decoded(
      "floats-without-images-are-zero", "CDTIS-053", sentence: "A float without an image is 0."
    ) {
      values, _, decoding in
      let body = decoding.body.objectValue ?? [:]
      let entity = body["CDTISEntityName"]?.textValue ?? ""
      for (name, description) in decoding.model.properties("attributes", of: entity)
      where description["type"] == "float" && body[JSONString("CDTISMeta_\(name)")] == nil {
        if values[name] != nil { values[name] = 0 }
      }
    },
  ]

  /// A number of JSON as a double; 0 for anything else.
  private static func number(_ value: JSONValue) -> Double {
    switch value {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: 0
    }
  }

  private static func isInteger(_ value: JSONValue?, below limit: UInt64) -> Bool {
    switch value {
    case .integer(let value)?: value < 0 || UInt64(value) < limit
    case .unsigned(let value)?: value < limit
    default: false
    }
  }

  private static let objectImages: [Defect] = [
    decoding(
      "numbers-count", "CDTIS-076",
      sentence: "The number of a double counts instead of its image, unless it is 0."
    ) {
      $0.body = $0.body.mapMetas { meta, value in
        guard let value, number(value) != 0, meta["nonFinite"] == nil,
          isInteger(meta["ieee754_double"], below: .max)
        else { return }
        meta["ieee754_double"] = nil
      }
    },
    decoding(
      "numbers-of-floats-count", "CDTIS-077",
      sentence: "The number of a float counts instead of its image, unless it is 0."
    ) {
      $0.body = $0.body.mapMetas { meta, value in
        guard let value, number(value) != 0, meta["nonFinite"] == nil,
          isInteger(meta["ieee754_single"], below: 1 << 32)
        else { return }
        meta["ieee754_single"] = nil
      }
    },
    decoding("tokens-without-case", "CDTIS-052", sentence: "Tokens are compared without case.") {
      $0.body = $0.body.mapMetas { meta, _ in
        meta["nonFinite"] = meta["nonFinite"]?.textValue.map { .text($0.string.lowercased()) }
      }
    },
    refusingDocuments(
      "numbers-as-texts-refused", "CDTIS-104", sentence: "A double stored as a text is refused.",
      what: "wrongType"
    ) { body in
      body.members.contains { member in
        member.value.textValue != nil
          && body[JSONString("CDTISMeta_\(member.name)")]?.objectValue?["ieee754_double"] != nil
      }
    },
    refusingDocuments(
      "signed-images-refused", "CDTIS-105", sentence: "Signed images are refused.", what: "badImage"
    ) { body in
      JSONValue.object(body).metas.contains { meta in
        ["ieee754_single", "ieee754_double"].contains { (meta[$0]?.integerValue ?? 0) < 0 }
      }
    },
    believing(
      "images-believed", "CDTIS-106", sentence: "Images are not validated.", what: "badImage"
    ) {
      $0.body.metas.contains { meta in
        (meta["ieee754_single"] ?? meta["ieee754_double"]) != nil
      }
    },
    decoded(
      "rounding-unnoticed", "CDTIS-107",
      sentence: "There is no warning about images that may be rounded."
    ) {
      _, warnings, _ in warnings.removeAll { $0.kind == "imageMayBeRounded" }
    },
    decoding("numbers-never-trusted", "CDTIS-108", sentence: "`trustsNumbers` has no effect.") {
      $0.trustsNumbers = nil
    },
    decoding(
      "numbers-always-trusted", "CDTIS-108", sentence: "`trustsNumbers` ignores all images."
    ) {
      decoding in
      guard decoding.trustsNumbers == true else { return }
      decoding.body = decoding.body.mapMetas { meta, _ in meta["ieee754_double"] = nil }
    },
    answering(
      "tokens-and-images-agree", "CDTIS-109",
      sentence: "A token beside a rounded image is an error."
    ) {
      operation, result, _ in
      guard case .decode(let decoding)? = operation.action.objects,
        case .object(_, let warnings, _)? = result.objects,
        warnings.contains(where: { $0.kind == "imageMayBeRounded" }),
        decoding.body.metas.contains(where: { $0["nonFinite"] != nil })
      else { return .ok(result) }
      return .badObject("badImage")
    },
    decoded(
      "integers-unnoticed", "CDTIS-110",
      sentence: "There is no warning about integers that may be rounded."
    ) {
      _, warnings, _ in warnings.removeAll { $0.kind == "integerMayBeRounded" }
    },
    believing(
      "any-layout", "CDTIS-111", sentence: "The layout of a decimal's image is not checked.",
      what: "badImage"
    ) {
      $0.body.metas.contains { $0["nsdecimal"] != nil && $0["nonFinite"] == nil }
    },
    refusingDocuments(
      "thirty-nine-digits-refused", "CDTIS-113", sentence: "A decimal of 39 digits is refused.",
      what: "outOfRange"
    ) { body in
      body.members.contains { member in
        guard let text = member.value.textValue?.string, Double(text) != nil else { return false }
        return text.count { $0.isNumber } > 38
      }
    },
    believing(
      "infinite-decimals", "CDTIS-114", sentence: "A decimal may be infinite.", what: "badImage"
    ) {
      $0.body.metas.contains { $0["nsdecimal"] != nil && $0["nonFinite"] == "infinity" }
    },
    believing(
      "decimals-not-compared", "CDTIS-165",
      sentence: "The text and the image of a decimal are not compared.",
      what: "decimalImageMismatch"),
  ]

  private static let objectContents: [Defect] = [
    encoding("no-bytes-are-nil", "CDTIS-085", sentence: "A binary value of 0 bytes is nil.") {
      encoded in
      for (name, _) in encoded.model.properties("attributes", of: encoded.entity)
      where encoded.body[name] == "" && encoded.meta(name)["mime-type"] != nil {
        encoded.body[name] = nil
        encoded.body[JSONString("CDTISMeta_\(name)")] = nil
      }
    },
    encoding(
      "no-type-of-no-bytes", "CDTIS-048", sentence: "A binary value of 0 bytes has no MIME type."
    ) {
      encoded in
      for (name, _) in encoded.model.properties("attributes", of: encoded.entity)
      where encoded.body[name] == "" {
        encoded.body[JSONString("CDTISMeta_\(name)")] = nil
      }
    },
    encoding(
      "bytes-of-base64", "CDTIS-058",
      sentence: "The MIME type describes the base64 text instead of the bytes."
    ) {
      $0.each(["binary", "xform"]) { _, meta in
        if meta["mime-type"] == "application/octet-stream" {
          meta["mime-type"] = "application/base64"
        }
      }
    },
    hearing(
      "transformers-not-asked", "CDTIS-059",
      sentence: "The MIME type of a transformer is ignored."
    ) {
      action in
      guard case .encode(let model, let object, let form, _) = action else { return action }
      return .encode(model: model, object: object, form: form)
    },
    encoding(
      "class-beside-value", "CDTIS-060",
      sentence: "The class of a transformer is written in the metadata of values."
    ) {
      encoded in
      for (name, description) in encoded.model.properties("attributes", of: encoded.entity) {
        guard let transformer = description["transformer"], encoded.body[name] != nil else {
          continue
        }
        var meta = encoded.meta(name)
        meta["xform"] = transformer
        encoded.setMeta(name, meta)
      }
    },
    decoding(
      "class-of-model-only", "CDTIS-112",
      sentence: "A transformer class in the metadata of a value is ignored."
    ) {
      $0.body = $0.body.mapMetas { meta, _ in meta["xform"] = nil }
    },
    decoding(
      "contents-not-read", "CDTIS-116", sentence: "Content stored in attachments is ignored."
    ) {
      $0.attachments = []
    },
    hearing(
      "released-form-forgotten", "CDTIS-117",
      sentence: "The option for the released form has no effect."
    ) {
      action in
      guard case .encode(let model, let object, "released", let transformers) = action else {
        return action
      }
      return .encode(model: model, object: object, form: nil, transformers: transformers)
    },
    hearing(
      "types-of-models-ignored", "CDTIS-153", sentence: "The MIME types of the model are ignored."
    ) {
      action in
      guard case .encode(let model, let object, let form, let transformers) = action else {
        return action
      }
      return .encode(
        model: model.without(["mimeType"]), object: object, form: form, transformers: transformers)
    },
    excusing(
      "bytes-for-values", "CDTIS-151",
      sentence: "Without a transformer the stored bytes are returned as the value."
    ) {
      operation, kind, _ in
      guard case .decode(let decoding)? = operation.action.objects,
        kind.what == "unknownTransformer", decoding.transformers.isEmpty
      else { return nil }
      return .object(decoding.id)
    },
  ]

  private static let objectKinds: [Defect] = [
    believing(
      "entities-not-asked-for", "CDTIS-040", sentence: "Any document is an object.",
      what: "noEntity"),
    believing(
      "anything-beside-values", "CDTIS-047",
      sentence: "The metadata beside a value may be any JSON value.",
      what: "badEnvelope"
    ) { decoding in
      decoding.body.objectValue?.members.contains {
        $0.name.utf8.starts(with: "CDTISMeta_".utf8) && $0.value.objectValue == nil
      } ?? false
    },
    believing(
      "any-version", "CDTIS-142", sentence: "Invalid versions are accepted.", what: "badEnvelope"
    ) {
      $0.body.objectValue?["CDTISObjectVersion"]?.textValue.flatMap { Int64($0.string) } == nil
    },
    refusingDocuments(
      "versions-are-texts", "CDTIS-121", sentence: "A version stored as a number is refused.",
      what: "badEnvelope"
    ) { $0["CDTISObjectVersion"]?.integerValue != nil },
    believing(
      "numbers-cut", "CDTIS-128", sentence: "Numbers out of range are cut to fit.",
      what: "outOfRange"),
    believing(
      "kinds-not-compared", "CDTIS-129", sentence: "The type of a value is not checked.",
      what: "wrongType"
    ),
    believing(
      "base64-not-checked", "CDTIS-130", sentence: "Invalid base64 is accepted.", what: "badBase64"),
    answering(
      "no-version-is-none", "CDTIS-042", sentence: "A document without a version has the version 0."
    ) {
      operation, result, _ in
      guard case .decode(let decoding)? = operation.action.objects,
        case .object(let object, let warnings, let value)? = result.objects,
        decoding.body.objectValue?["CDTISObjectVersion"] == nil, var json = object.objectValue
      else { return .ok(result) }
      json["version"] = 0
      return .ok(.objects(.object(.object(json), warnings: warnings, value: value)))
    },
  ]
}
