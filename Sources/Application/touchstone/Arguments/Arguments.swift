/// The arguments of one command, parsed by the options of its manual.
///
/// `--name value` and `--name=value` are equivalent; everything after `--` is an operand, and so is
/// a method such as `-name:` where the manual permits it.
struct Arguments: Equatable {
  /// The arguments that belong to no option, in order.
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  /// All options with their values, in order.
  private var given: [Occurrence] = []

  /// An option with its value; an empty value for a flag.
  struct Occurrence: Equatable {
    var name: String
    var value: String
  }

  init(_ arguments: [String], for manual: Manual) throws(UsageError) {
    var left = arguments[...]
    while let argument = left.popFirst() {
      if argument == "--" {
        operands += left
        break
      }
      let hyphens = argument.utf8.prefix { $0 == UInt8(ascii: "-") }.count
      let isMethod = manual.takesMethods && hyphens == 1 && argument.utf8.count > 2
      guard hyphens > 0, argument != "-", !isMethod else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init)
      // `--help` without a value is handled before this point.
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
      throw UsageError("missing argument: \(manual.operands[operands.count])", manual)
    }
    if operands.count > manual.operands.count, manual.operands.last?.hasSuffix("...") != true {
      throw UsageError("unexpected argument '\(operands[manual.operands.count])'", manual)
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
    given.append(Occurrence(name: option.name, value: value))
  }

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the value of an option; nil if it was not given.
  func value(_ name: String) -> String? { values[name]?.first }

  /// Returns the values of a repeatable option, in order.
  func values(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns some options with their values, in the order of the command line.
  func occurrences(of names: [String]) -> [Occurrence] {
    given.filter { names.contains($0.name) }
  }
}
