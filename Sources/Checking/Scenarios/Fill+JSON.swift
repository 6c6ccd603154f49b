internal import Datastore
public import JSON

extension Fill {
  /// The fill as its file contains it.
  public var json: JSONValue {
    let place = place.components.map { component -> JSONValue in
      switch component {
      case .member(let name): .string(name)
      case .element(let index): .integer(Int64(index))
      case .someElement: .null
      }
    }
    return .object(JSONObject([("at", .array(place)), (value.name, value.json)]))
  }

  /// Reads a fill; an unknown form or a size beyond the bound is a failure.
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let components = try reader.elements("at") {
      (element, path) throws(DecodingFailure) -> ValuePath.Component in
      if let index = element.integerValue, let place = Int(exactly: index), place >= 0 {
        return .element(place)
      }
      return .member(try element.text(at: path))
    }
    guard components.count > 1, [.member("do"), .member("expect")].contains(components[0]) else {
      throw DecodingFailure(
        path: reader.path(to: "at"), message: "expected a path that begins with 'do' or 'expect'")
    }
    place = ValuePath(components)
    value = try Value(&reader)
    try reader.finish()
    for case .fixed(let size) in value.sizes where !(0...value.sizeMax).contains(size) {
      throw DecodingFailure(
        path: path, message: "expected a size from 0 to \(value.sizeMax), found \(size)")
    }
  }
}

extension Fill.Value {
  /// The member that identifies the form.
  var name: JSONString {
    switch self {
    case .text: "text"
    case .base64: "base64"
    case .list: "list"
    case .object: "object"
    case .nested: "nested"
    case .number, .counted: "number"
    }
  }

  /// The largest fixed size.
  fileprivate var sizeMax: Int64 {
    if case .nested = self { Fill.depthMax } else { Fill.sizeMax }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .text(let bytes, let unit):
      return unit == "x" ? ["bytes": bytes.json] : ["bytes": bytes.json, "of": .string(unit)]
    case .base64(let bytes): return ["bytes": bytes.json]
    case .list(let count, let counter, let element):
      return .object(
        JSONObject([("count", count.json)] + counter.members + [("of", element)]))
    case .object(let count, let counter, let name, let value):
      return .object(
        JSONObject(
          [("count", count.json)] + counter.members + [("name", .string(name)), ("of", value)]))
    case .nested(let depth, let isArray):
      return ["depth": depth.json, "of": isArray ? "array" : "object"]
    case .number(let size): return size.json
    case .counted(let from, let step): return ["from": .integer(from), "step": .integer(step)]
    }
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    if var form = try reader.optionalReader("text") {
      let unit = try form.optionalText("of") ?? "x"
      guard !unit.isEmpty else {
        throw DecodingFailure(path: form.path(to: "of"), message: "expected a text to repeat")
      }
      self = .text(bytes: try Fill.Size("bytes", &form), unit: unit)
      try form.finish()
    } else if var form = try reader.optionalReader("base64") {
      self = .base64(bytes: try Fill.Size("bytes", &form))
      try form.finish()
    } else if var form = try reader.optionalReader("list") {
      self = .list(
        count: try Fill.Size("count", &form), try Fill.Counter(&form),
        element: try form.required("of"))
      try form.finish()
    } else if var form = try reader.optionalReader("object") {
      self = .object(
        count: try Fill.Size("count", &form), try Fill.Counter(&form), name: try form.text("name"),
        value: try form.required("of"))
      try form.finish()
    } else if var form = try reader.optionalReader("nested") {
      let kind = try form.text("of")
      guard kind == "array" || kind == "object" else {
        throw DecodingFailure(path: form.path(to: "of"), message: "expected 'array' or 'object'")
      }
      self = .nested(depth: try Fill.Size("depth", &form), isArray: kind == "array")
      try form.finish()
    } else if let number = reader.optional("number") {
      self = try Self.number(number, path: reader.path(to: "number"))
    } else {
      throw DecodingFailure(
        path: reader.path(to: "at"),
        message: "expected one of text, base64, list, object, nested, number beside it")
    }
  }

  private static func number(_ json: JSONValue, path: String) throws(DecodingFailure) -> Self {
    guard let object = json.objectValue, object["from"] != nil else {
      return .number(try Fill.Size(json, path: path))
    }
    var form = ObjectReader(object, path: path)
    let (from, step) = (try form.integer("from"), try form.integer("step"))
    try form.finish()
    guard from.magnitude <= Fill.sizeMax, step.magnitude <= Fill.sizeMax else {
      throw DecodingFailure(path: path, message: "expected numbers up to \(Fill.sizeMax)")
    }
    return .counted(from: from, step: step)
  }
}

extension Fill.Size {
  fileprivate var json: JSONValue {
    switch self {
    case .fixed(let count): .integer(count)
    case .limit(let name, 0): ["limit": .text(name.rawValue)]
    case .limit(let name, let plus): ["limit": .text(name.rawValue), "plus": .integer(plus)]
    }
  }

  fileprivate init(_ name: JSONString, _ reader: inout ObjectReader) throws(DecodingFailure) {
    try self.init(try reader.required(name), path: reader.path(to: name))
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    if let count = json.integerValue {
      self = .fixed(count)
      return
    }
    var reader = try ObjectReader(json, path: path)
    let name: LimitName = try reader.choice("limit")
    let plus = try reader.optionalInteger("plus") ?? 0
    try reader.finish()
    guard plus.magnitude <= 65_536 else {
      throw DecodingFailure(path: path, message: "expected -65536 to 65536 beside a limit")
    }
    self = .limit(name, plus: plus)
  }
}

extension Fill.Counter {
  fileprivate var members: [(JSONString, JSONValue)] {
    let all: [(JSONString, Int64, Int64)] = [
      ("from", from, 1), ("step", step, 1), ("digits", digits, 1),
    ]
    return all.filter { $0.1 != $0.2 }.map { ($0.0, .integer($0.1)) }
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    from = try reader.optionalInteger("from") ?? 1
    step = try reader.optionalInteger("step") ?? 1
    digits = try reader.optionalInteger("digits") ?? 1
    guard from.magnitude <= Fill.sizeMax, step.magnitude <= 1024, (1...16).contains(digits) else {
      throw DecodingFailure(
        path: reader.path(to: "from"),
        message: "expected numbers up to \(Fill.sizeMax), steps up to 1024, 1 to 16 digits")
    }
  }
}
