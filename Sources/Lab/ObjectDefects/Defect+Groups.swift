internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in groups of objects, and in functions over them.

extension Defect {
  static let fetchedGroups: [Defect] = groupOrder + functions + sums

  private static let groupOrder: [Defect] = [
    fetching("groups-of-one", "FETCH-011", sentence: "Each object is a group.") {
      if $0.groupBy == $0.columns.compactMap(\.textValue) { $0.groupBy = [] }
    },
    refusing("grouped-by-one", "FETCH-011", sentence: "Only one attribute of `groupBy` is used.") {
      operation, _ in
      operation.fetch?.groupBy.count ?? 0 > 1 ? .badObject(what: "unsupported") : nil
    },
    fetching(
      "groups-unsorted", "FETCH-011",
      sentence: "Groups are not in the order of their first objects."
    ) {
      if !$0.groupBy.isEmpty { $0.sort = [] }
    },
    grouping("nil-is-no-group", "FETCH-012", sentence: "Objects with a nil value are in no group.")
    {
      groups, fetch in
      let shown = fetch.groupBy.filter { fetch.columns.contains(.string($0)) }
      return groups.filter { group in shown.allSatisfy { group[$0] != nil } }
    },
    grouping("groups-with-null", "FETCH-012", sentence: "Nil is null in dictionaries.") {
      groups, fetch in
      groups.map { group in
        var group = group
        for name in fetch.columns.compactMap(\.textValue) { group[name] = group[name] ?? .null }
        return group
      }
    },
  ]

  private static let functions: [Defect] = [
    fetching("least-is-greatest", "FETCH-013", sentence: "The function min returns the maximum.") {
      $0.columns = $0.columns.map { column in
        guard column.member("function") == "min", var other = column.objectValue else {
          return column
        }
        other["function"] = "max"
        return .object(other)
      }
    },
    answering("nil-is-counted", "FETCH-013", sentence: "The function count includes nil values.") {
      operation, result, store throws(HarnessError) in
      guard var fetch = operation.fetch, fetch.groupBy.isEmpty,
        case .groups(let groups)? = result.objects, var group = groups.first?.objectValue
      else { return .ok(result) }
      let names = fetch.results(of: "count")
      fetch.result = .count
      fetch.columns = []
      guard
        case .count(let count)? = try store.ask(
          operation.store, .objects(.fetch(fetch))
        ).objects
      else { return .ok(result) }
      for name in names { group[name] = .integer(count) }
      return .ok(.objects(.groups([.object(group)])))
    },
    reckoning(
      "sums-of-nothing-nil", "FETCH-013", sentence: "A sum over no values is nil.", function: "sum"
    ) {
      $0 == 0 ? nil : $0
    },
  ]

  private static let sums: [Defect] = [
    reckoning(
      "sums-of-doubles", "FETCH-014", sentence: "Decimals are added as doubles.", function: "sum"
    ) { sum in
      (sum.textValue.flatMap { Double($0.string) }).map { .text("\($0)") } ?? sum
    },
    reckoning(
      "averages-cut", "FETCH-014", sentence: "Averages are rounded down.", function: "average"
    ) { average in
      if case .double(let number) = average { .double(number.rounded(.down)) } else { average }
    },
  ]

  static let groupRefusals: [Defect] = [
    grouping(
      "nothing-reckoned", "FETCH-015", sentence: "Functions over no objects return no dictionary."
    ) {
      groups, fetch in
      let counts = fetch.results(of: "count")
      guard fetch.groupBy.isEmpty, let group = groups.first, !counts.isEmpty else { return groups }
      return counts.allSatisfy { group[$0] == 0 } ? [] : groups
    },
    grouping("equals-once", "FETCH-015", sentence: "Equal dictionaries are returned once.") {
      groups, fetch in
      guard fetch.groupBy.isEmpty else { return groups }
      var seen: Set<JSONValue> = []
      return groups.filter { seen.insert(.object($0)).inserted }
    },
    shrugging(
      "mixtures-are-nothing", "FETCH-015",
      sentence: "An invalid mixture of columns returns no groups.",
      what: "unsupported"
    ) {
      fetch, _ in fetch.result == .groups
    },
    shrugging(
      "unknown-columns-empty", "FETCH-016", sentence: "An unknown column returns no groups.",
      what: "unknownKey"
    ) {
      fetch, _ in fetch.result == .groups && fetch.sort.isEmpty
    },
    shrugging(
      "nothing-of-any-type", "FETCH-016", sentence: "A column of a wrong type returns no groups.",
      what: "wrongType"
    ) { fetch, _ in fetch.result == .groups },
    shrugging(
      "columns-guessed", "FETCH-016", sentence: "A malformed column returns no groups.",
      what: "badFormat"
    ) {
      _, name in name == "columns"
    },
    fetching("groups-in-full", "FETCH-017", sentence: "`offset` and `limit` of groups are ignored.")
    {
      if !$0.groupBy.isEmpty, $0.limit != nil { $0.limit = nil }
    },
  ]
  /// Changes the result of a function over a group.
  private static func reckoning(
    _ name: String, _ clause: String, sentence: String, function: JSONString,
    change: @escaping @Sendable (JSONValue) -> JSONValue?
  ) -> Defect {
    grouping(name, clause, sentence: sentence) { groups, fetch in
      let names = fetch.results(of: function)
      return groups.map { group in
        var group = group
        for name in names { group[name] = group[name].flatMap(change) }
        return group
      }
    }
  }
}
