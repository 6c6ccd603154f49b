internal import JSON

extension JSONValue {
  /// The number as a double, precise enough for a place or an average.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value.isFinite ? value : nil
    default: nil
    }
  }
}
