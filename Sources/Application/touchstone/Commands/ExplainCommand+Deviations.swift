internal import Conformance
internal import JSON
internal import ReferenceDatastore

// Deviations of products, which `touchstone explain` knows by their ids.

extension ExplainCommand {
  /// Prints a deviation, or the list of all for `deviations`; returns false for another query.
  func explainDeviation(_ context: Context) -> Bool {
    if query == "deviations" {
      if isJSON {
        context.output(JSONValue.array(Deviation.all.map(\.json)).pretty() + "\n")
        return true
      }
      for deviation in Deviation.all {
        context.output(
          TextLayout.abbreviated(
            "\(deviation.id)  \(deviation.sentence)", width: context.width, remark: "…") + "\n")
      }
      return true
    }
    guard let deviation = Deviation.named(query.string) else { return false }
    if isJSON {
      context.output(deviation.json.pretty() + "\n")
      return true
    }
    var lines = ["\(context.style.strong(deviation.id))  (deviation)"]
    lines += TextLayout.wrapped(deviation.sentence, width: context.width, indent: "  ")
    lines.append("  breaks     \(deviation.clauses.joined(separator: ", "))")
    for product in deviation.products {
      lines.append(
        "  product    \(product.product) \(product.versions) (\(product.evidence.rawValue))")
    }
    if deviation.isConditional {
      lines += TextLayout.wrapped(
        "The product decides by state that no answer shows, so both outcomes are accepted.",
        width: context.width, indent: "  ")
    }
    lines.append(
      "  example    touchstone run --implementation deviation:\(deviation.id)")
    context.output(lines.joined(separator: "\n") + "\n")
    return true
  }
}

extension Deviation {
  /// The deviation as JSON.
  var json: JSONValue {
    [
      "id": .text(id), "sentence": .text(sentence),
      "clauses": .array(clauses.map { .text($0) }), "conditional": .bool(isConditional),
      "products": .array(
        products.map { product in
          [
            "product": .text(product.product), "versions": .text(product.versions),
            "evidence": .text(product.evidence.rawValue),
          ]
        }),
    ]
  }
}
