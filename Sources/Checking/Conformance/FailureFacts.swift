internal import Datastore
internal import JSON
internal import Scenarios

/// Facts about a failing step that its difference does not show at once.
///
/// A cause is no fact of one step: `FailureExplainer` finds it from all operations.
struct FailureFacts {
  let operation: StoreOperation
  let outcome: Outcome
  let expectation: ExpectedOutcome
  let mismatches: [Mismatch]
  let description: ImplementationDescription

  /// The facts without duplicates, the most specific first.
  var sentences: [String] {
    var sentences: [String] = []
    for sentence in [undeclared, acceptance].compactMap({ $0 })
      + mismatches.compactMap({ Self.about($0) }) + orders
    where !sentences.contains(sentence) {
      sentences.append(sentence)
    }
    return sentences
  }

  private var undeclared: String? {
    guard case .unsupported = outcome.errorKind else { return nil }
    let name = operation.action.name
    let needed = operation.action.capabilities
    guard !needed.isEmpty else { return "\(name) is core: every implementation must offer it" }
    let declared = Capability.allCases.filter { needed.contains($0) }.map(\.rawValue)
    guard needed.isSubset(of: description.capabilities) else { return nil }
    return "declares \(declared.joined(separator: ", ")), but answers unsupported"
  }

  private var acceptance: String? {
    guard case .error(let pattern) = expectation, case .ok = outcome,
      let kind = pattern.json.objectValue?["kind"]?.textValue
    else { return nil }
    return "accepts an operation that must be rejected as \(kind)"
  }

  private static func about(_ mismatch: Mismatch) -> String? {
    guard let expected = mismatch.expected, let actual = mismatch.actual else { return nil }
    if case .string(let expected) = expected, case .string(let actual) = actual {
      return about(expected, actual)
    }
    guard let exact = expected.exactInteger, case .double(let rounded) = actual.asDouble,
      exact.magnitude > 1 << 53, Double(exact) == rounded
    else { return nil }
    return "\(exact) is now the nearest double: it has lost digits"
  }

  private static func about(_ expected: JSONString, _ actual: JSONString) -> String? {
    // Here canonical equality is intended, unlike everywhere else.
    if expected.string == actual.string {
      return "the texts differ only in their Unicode normalisation"
    }
    if expected.utf8.count == actual.utf8.count,
      expected.foldingCase().elementsEqual(actual.foldingCase())
    {
      return "the texts differ only in the case of letters"
    }
    return nil
  }

  /// Lists with the expected elements in another order.
  private var orders: [String] {
    var lists: [ValuePath] = []
    for mismatch in mismatches {
      guard let list = mismatch.path.enclosingList, !lists.contains(list) else { continue }
      lists.append(list)
    }
    return lists.compactMap { list in
      guard let expected = list.value(in: expectation.json)?.arrayValue?.compactMap(\.listKey),
        let actual = list.value(in: outcome.json)?.arrayValue?.compactMap(\.listKey),
        expected.count == actual.count, expected.count > 1, expected != actual,
        Set(expected) == Set(actual)
      else { return nil }
      if actual.isOrdered({ $0.string.utf16.lexicographicallyPrecedes($1.string.utf16) }) {
        return "\(list) is ordered by UTF-16 code units, not by bytes of UTF-8"
      }
      return "\(list) has the expected elements in another order"
    }
  }
}

extension ValuePath {
  /// The list that contains the element at the path, or a part of it.
  fileprivate var enclosingList: ValuePath? {
    guard
      let place = components.lastIndex(where: {
        if case .element = $0 { true } else { false }
      })
    else { return nil }
    return ValuePath(Array(components[..<place]))
  }
}

extension JSONValue {
  /// The key of a list element: itself, or its id or revision.
  fileprivate var listKey: JSONString? {
    textValue ?? objectValue?["id"]?.textValue ?? objectValue?["rev"]?.textValue
  }

  fileprivate var exactInteger: Int128? {
    switch self {
    case .integer(let value): Int128(value)
    case .unsigned(let value): Int128(value)
    default: nil
    }
  }

  fileprivate var asDouble: JSONValue {
    exactInteger.map { .double(Double($0)) } ?? self
  }
}

extension JSONString {
  fileprivate func foldingCase() -> [UInt8] {
    utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

extension [JSONString] {
  fileprivate func isOrdered(_ precedes: (JSONString, JSONString) -> Bool) -> Bool {
    zip(self, dropFirst()).allSatisfy { precedes($0, $1) }
  }
}
