internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mistakes in making groups of objects, and in reckoning with them.

extension Defect {
  static let fetchedGroups: [Defect] = groupOrder + functions + sums

  private static let groupOrder: [Defect] = [
    fetching("groups-of-one", "FETCH-011", "Each object is a group.") {
      if $0.groupBy == ["k"], $0.columns == ["k"], $0.predicate == nil, $0.sort.isEmpty,
        $0.limit == nil
      {
        $0.groupBy = []
      }
    },
    refusing("grouped-by-one", "FETCH-011", "Objects are grouped by one attribute.") {
      operation, _ in
      operation.fetch?.groupBy.count ?? 0 > 1 ? .badObject(what: "unsupported") : nil
    },
    fetching("groups-unsorted", "FETCH-011", "Groups have an order of their own.") {
      if !$0.groupBy.isEmpty { $0.sort = [] }
    },
    grouping("nil-is-no-group", "FETCH-012", "Objects without a value are in no group.") {
      groups, fetch in
      guard fetch.groupBy == ["k"], fetch.columns.contains("k") else { return groups }
      return groups.filter { $0["k"] != nil }
    },
    grouping("groups-with-null", "FETCH-012", "Nil is null in dictionaries.") { groups, fetch in
      guard fetch.groupBy == ["k"], fetch.columns.contains("k") else { return groups }
      return groups.map { group in
        var group = group
        group["k"] = group["k"] ?? .null
        return group
      }
    },
    fetching("grouped-by-spelling", "FETCH-012", "Decimals agree when they are spelled alike.") {
      if $0.groupBy == ["m"] { $0.groupBy = ["m", "n"] }
    },
  ]

  private static let functions: [Defect] = [
    fetching("least-is-greatest", "FETCH-013", "The greatest value is the least one.") {
      $0.columns = $0.columns.map { column in
        guard column.member("of") == "n", column.member("function") == "min",
          let name = column.member("as")
        else { return column }
        return ["function": "max", "of": "n", "as": name]
      }
    },
    answering("nil-is-counted", "FETCH-013", "Objects are counted, not values.") {
      operation, result, store throws(HarnessError) in
      guard var fetch = operation.fetch, fetch.reckons("count", of: "d"),
        case .groups(let groups)? = result.objects, var group = groups.first?.objectValue
      else { return .ok(result) }
      fetch.result = .count
      fetch.columns = []
      guard
        case .count(let count)? = try store.ask(
          operation.store, .objects(.fetch(fetch))
        ).objects
      else { return .ok(result) }
      group["c"] = .integer(count)
      return .ok(.objects(.groups([.object(group)])))
    },
    grouping("sums-of-nothing-nil", "FETCH-013", "Nothing has no sum.") { groups, fetch in
      groups.map { group in
        var group = group
        if group["s"] == 0 { group["s"] = nil }
        return group
      }
    },
    refusing("texts-without-extremes", "FETCH-013", "Only numbers have extremes.") {
      operation, _ in
      guard let fetch = operation.fetch, fetch.reckons("min", of: "t") else { return nil }
      return .badObject(what: "wrongType", name: "t")
    },
  ]

  private static let sums: [Defect] = [
    grouping("sums-of-doubles", "FETCH-014", "Decimals are added as doubles.") { groups, fetch in
      guard fetch.reckons("sum", of: "m") else { return groups }
      return groups.map { group in
        JSONObject(
          group.members.map { member in
            guard let digits = member.value.textValue, digits != "0",
              let number = Double(digits.string)
            else { return (member.name, member.value) }
            return (member.name, .text("\(number)"))
          })
      }
    },
    excusing("sums-on-their-way", "FETCH-014", "A sum is 0 where it cannot be held.") {
      operation, kind, _ in
      guard operation.fetch != nil, case .badObject("wrongType", let name) = kind,
        name == "i" || name == "m"
      else { return nil }
      return .ok(.objects(.groups([["s": 0]])))
    },
    refusing("sums-overflow-early", "FETCH-014", "A sum may not be too large on its way.") {
      operation, _ in
      guard let fetch = operation.fetch, fetch.reckons("sum", of: "i"),
        fetch.reckons("sum", of: "m")
      else { return nil }
      return .badObject(what: "wrongType", name: "i")
    },
    grouping("averages-cut", "FETCH-014", "The average of integers is an integer.") {
      groups, fetch in
      guard fetch.reckons("average", of: "n") else { return groups }
      return groups.map { group in
        var group = group
        if case .double(let number)? = group["a"] { group["a"] = .double(number.rounded(.down)) }
        return group
      }
    },
  ]

  static let groupRefusals: [Defect] = [
    grouping("nothing-reckoned", "FETCH-015", "Of nothing there is no dictionary.") {
      groups, fetch in
      groups == [["c": 0]] && fetch.reckons("count", of: "n") ? [] : groups
    },
    grouping("equals-once", "FETCH-015", "Equal dictionaries are told once.") { groups, fetch in
      guard fetch.groupBy.isEmpty else { return groups }
      var seen: Set<JSONValue> = []
      return groups.filter { seen.insert(.object($0)).inserted }
    },
    shrugging(
      "mixtures-are-nothing", "FETCH-015", "A mixture of columns has no groups.",
      what: "unsupported"
    ) {
      fetch, _ in fetch.result == .groups
    },
    shrugging(
      "unknown-columns-empty", "FETCH-016", "A column that is unknown has no groups.",
      what: "unknownKey"
    ) {
      fetch, _ in fetch.result == .groups && fetch.sort.isEmpty
    },
    shrugging(
      "nothing-of-any-type", "FETCH-016", "Where there is nothing, types do not count.",
      what: "wrongType"
    ) {
      fetch, name in fetch.result == .groups && name != "i" && name != "m"
    },
    shrugging(
      "columns-guessed", "FETCH-016", "A column that is none has no groups.", what: "badFormat"
    ) {
      _, name in name == "columns"
    },
    fetching("groups-in-full", "FETCH-017", "Groups have no pages.") {
      if !$0.groupBy.isEmpty, $0.limit != nil { $0.limit = nil }
    },
    fetching("pages-of-objects", "FETCH-017", "A page of groups is made of a page of objects.") {
      if $0.result == .groups, $0.groupBy.isEmpty, let limit = $0.limit, limit == 1 {
        $0.predicate = "n == 1"
      }
    },
  ]
}
