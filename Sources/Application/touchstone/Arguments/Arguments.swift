/// The arguments of one command, sorted by the options of its manual.
///
/// `--name value` and `--name=value` are the same; after `--` everything is an operand.
struct Arguments: Equatable {
  /// What was given without a flag, in order.
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  init(_ arguments: [String], for manual: Manual) throws(UsageError) {
    var left = arguments[...]
    while let argument = left.popFirst() {
      if argument == "--" {
        operands += left
        break
      }
      guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      // Alone it never comes here.
      if parts.count > 1, parts[0] == "--help" || parts[0] == "-h" {
        throw UsageError("\(parts[0]) takes no value", manual)
      }
      guard let option = manual.options.first(where: { $0.isNamed(parts[0]) }) else {
        let known = manual.options.map(\.name) + ["--help"]
        throw UsageError(
          "unknown option '\(parts[0])'", manual, suggestion: nearest(to: parts[0], among: known))
      }
      try take(option, parts.dropFirst().first, left: &left, manual: manual)
    }
    let required = manual.operands.count { $0.utf8.first != UInt8(ascii: "[") }
    if operands.count < required {
      throw UsageError("\(manual.operands[operands.count]) is missing", manual)
    }
    if operands.count > manual.operands.count, manual.operands.last?.hasSuffix("...") != true {
      throw UsageError("unexpected '\(operands[manual.operands.count])'", manual)
    }
  }

  private mutating func take(
    _ option: Manual.Option, _ attached: String?, left: inout ArraySlice<String>,
    manual: Manual
  ) throws(UsageError) {
    var value = ""
    if let kind = option.value {
      guard let given = attached ?? left.popFirst(), !given.isEmpty else {
        throw UsageError("\(option.name) needs a value: \(kind)", manual)
      }
      value = given
    } else if attached != nil {
      throw UsageError("\(option.name) takes no value", manual)
    }
    if values[option.name] != nil, !option.isRepeatable {
      throw UsageError("\(option.name) is given twice", manual)
    }
    values[option.name, default: []].append(value)
  }

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option, or nil when it was not given.
  func value(_ name: String) -> String? { values[name]?.first }

  /// The values of an option that can be given more than once, in order.
  func values(_ name: String) -> [String] { values[name] ?? [] }
}
