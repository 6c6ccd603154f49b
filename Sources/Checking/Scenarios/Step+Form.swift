public import Datastore
public import JSON

extension Step {
  /// The number of times that the step is performed; 1 by default.
  public var times: Int64 { form?.times ?? 1 }

  /// The operation or directive for readers: its arguments and the forms of generated values.
  public var shownDeed: JSONValue { form?.shown ?? deed }

  /// The expected outcome for readers: as in the file, or the default expectation.
  public var shownExpectation: JSONValue {
    form.map { $0.expectation ?? ["ok": [:]] } ?? effectiveExpectation.json
  }

  /// The step with a form in place of each long text that repeats one letter.
  public func shortened() throws(DecodingFailure) -> Step {
    guard form == nil, case .object(var object) = json else { return self }
    var fills: [Fill] = []
    for name in ["do", "expect"] as [JSONString] {
      object[name] = object[name].map { $0.filled(by: &fills, ValuePath([.member(name)])) }
    }
    guard !fills.isEmpty else { return self }
    object["fill"] = .array(fills.map(\.json))
    return try Step(.object(object), path: "")
  }

  /// The limits that its sizes refer to.
  var limits: [LimitName] { form?.fills.compactMap(\.limit) ?? [] }

  /// The step with generated values, for an implementation with these limits.
  ///
  /// - Parameter repetition: the number of earlier repetitions.
  public func made(
    for limits: ImplementationDescription.Limits, repetition: Int64 = 0
  ) throws(DecodingFailure) -> Step {
    guard let form else { return self }
    return try Step(form, FillScale(limits: limits, repetition: repetition), path: "")
  }
}

extension Step.Form {
  /// The step as its file contains it.
  var json: JSONValue {
    var members: [(JSONString, JSONValue)] = times == 1 ? [] : [("times", .integer(times))]
    members.append(("do", deed))
    if let expectation { members.append(("expect", expectation)) }
    if !fills.isEmpty { members.append(("fill", .array(fills.map(\.json)))) }
    return .object(JSONObject(members))
  }

  /// The operation with its arguments and the forms of generated values.
  fileprivate var shown: JSONValue {
    guard var object = deed.objectValue else { return deed }
    if times != 1 { object["times"] = .integer(times) }
    if !fills.isEmpty { object["fill"] = .array(fills.map(\.json)) }
    return .object(object)
  }

  /// Reads the fills and repetitions of a step; nil if it has none.
  init?(_ reader: inout ObjectReader) throws(DecodingFailure) {
    let fills = try reader.optionalElements("fill") { (element, path) throws(DecodingFailure) in
      try Fill(element, path: path)
    }
    let times = try reader.optionalInteger("times")
    guard fills != nil || times != nil else { return nil }
    deed = try reader.required("do")
    expectation = reader.optional("expect")
    self.fills = fills ?? []
    self.times = times ?? 1
    try reader.finish()
    guard (1...Fill.repetitionsMax).contains(self.times) else {
      throw DecodingFailure(
        path: reader.path(to: "times"), message: "expected 1 to \(Fill.repetitionsMax)")
    }
  }

  /// The step with all fills applied.
  func filled(_ scale: FillScale, path: String) throws(DecodingFailure) -> JSONValue {
    var step: JSONObject = ["do": deed]
    step["expect"] = expectation
    var json = JSONValue.object(step)
    for (index, fill) in fills.enumerated() {
      let value = fill.value.made(scale)
      guard let filled = json.replacing(fill.place.components[...], by: value) else {
        throw DecodingFailure(
          path: DecodingPath.element(index, of: DecodingPath.member("fill", of: path)),
          message: "the step has no member '\(fill.place)'")
      }
      json = filled
    }
    return json
  }
}

extension JSONValue {
  /// The value with an empty text in place of each long one that repeats one letter.
  fileprivate func filled(by fills: inout [Fill], _ path: ValuePath) -> JSONValue {
    switch self {
    case .string(let text):
      guard let first = text.utf8.first, text.utf8.count > 2048,
        first < 0x80, text.utf8.allSatisfy({ $0 == first })
      else { return self }
      let size = Fill.Size.fixed(Int64(text.utf8.count))
      let unit = JSONString(String(decoding: [first], as: UTF8.self))
      fills.append(Fill(place: path, value: .text(bytes: size, unit: unit)))
      return ""
    case .array(let elements):
      return .array(
        elements.enumerated().map { place, element in
          element.filled(by: &fills, path.appending(.element(place)))
        })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map {
            ($0.name, $0.value.filled(by: &fills, path.appending(.member($0.name))))
          }))
    default: return self
    }
  }
}
