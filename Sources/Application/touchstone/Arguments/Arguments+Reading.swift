/// The values of options that are numbers or names.
extension Arguments {
  /// A number in a range; nil when the option was not given.
  func number(
    _ name: String, _ range: ClosedRange<Int>, for manual: Manual
  ) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(name) is a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'",
        manual)
    }
    return number
  }

  /// The known value that an option names; nil when the option was not given.
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
      "no \(noun.what) '\(text)'\(noun.whose); there is \(names.joined(separator: ", "))", manual,
      suggestion: nearest(to: text, among: names))
  }
}
