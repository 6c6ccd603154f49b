/// The values of options that take numbers or names.
extension Arguments {
  /// Returns a number in a range; nil if the option was not given.
  func number(
    _ name: String, _ range: ClosedRange<Int>, for manual: Manual
  ) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(name) '\(text)': expected a number from \(range.lowerBound) to \(range.upperBound)",
        manual)
    }
    return number
  }

  /// Returns the known value that an option names; nil if the option was not given.
  ///
  /// - Parameter noun: what the option names, such as `mutant of a replicator`.
  func choice<Value>(
    _ name: String, _ noun: (what: String, whose: String), among known: [Value],
    named: KeyPath<Value, String>, for manual: Manual
  ) throws(UsageError) -> Value? {
    guard let text = value(name) else { return nil }
    if let found = known.first(where: { $0[keyPath: named] == text }) { return found }
    let names = known.map { $0[keyPath: named] }
    throw UsageError(
      "unknown \(noun.what) '\(text)'\(noun.whose); expected one of \(names.joined(separator: ", "))",
      manual,
      suggestion: nearest(to: text, among: names))
  }
}
