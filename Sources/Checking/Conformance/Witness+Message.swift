internal import Datastore
internal import JSON
internal import Scenarios

extension Witness {
  /// The failure in one line, such as `step 3 update: accepts an operation that must be rejected as
  /// conflict`.
  ///
  /// It has no ids, values or messages of the store, so that equal failures of a vector have equal
  /// messages.
  public var message: String { "\(place): \(reason)" }

  /// The message without the number of the step, so that equal failures of several vectors have
  /// equal forms.
  package var form: String { "\(TextLayout.printable(exchange.name)): \(reason)" }

  private var reason: String { breakdown?.form?.string ?? diagnosis.first ?? difference }

  private var place: String {
    let name = TextLayout.printable(exchange.name)
    return step.map { "step \($0) \(name)" } ?? "before the first step, \(name)"
  }

  /// How the outcome differs, by its form.
  private var difference: String {
    if let kind = Self.errorKind(exchange.outcome) {
      let wanted = Self.errorKind(expected).map { ", not \($0)" } ?? ""
      return "returns the error \(kind)\(wanted)"
    }
    var places: [String] = []
    for mismatch in mismatches {
      let place = mismatch.path.description
      if !place.isEmpty, !places.contains(place) { places.append(place) }
    }
    guard let first = places.first else { return "returns another outcome" }
    return "differs at \(first)" + (places.count > 1 ? " and \(places.count - 1) more" : "")
  }

  /// The kind of error, with its reason if that is part of the contract.
  private static func errorKind(_ outcome: JSONValue) -> String? {
    guard let error = outcome.objectValue?["error"]?.objectValue,
      let kind = error["kind"]?.textValue
    else { return nil }
    let reason = error["reason"]?.textValue.map { " (\($0))" } ?? ""
    return TextLayout.printable("\(kind)\(kind == "notFound" ? reason : "")")
  }
}

extension Witness.Exchange {
  /// The name of the operation or of the directive.
  var name: String {
    guard let object = operation.objectValue else { return "" }
    return object["op"]?.textValue?.string ?? object.members.first?.name.string ?? ""
  }
}
