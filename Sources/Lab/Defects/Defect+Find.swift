internal import Datastore
internal import JSON

// Mutants in finding documents.

extension Defect {
  static let findings: [Defect] =
    findingDocuments + findingFields + findingValues + findingCombinations + findingWords
    + findingOrder + findingRefusals + findingIndexes + geography

  private static let findingDocuments: [Defect] = [
    finding(
      "find-limited-by-default", "FIND-001",
      sentence: "Without a limit `find` returns 25 documents."
    ) {
      found, request, _, _ throws(HarnessError) in
      request.limit == nil ? Array(found.prefix(25)) : found
    },
    finding("tombstones-found", "FIND-001", sentence: "`find` also returns deleted documents.") {
      found, request, name, store throws(HarnessError) in
      guard request.selector == [:] else { return found }
      var found = found
      for row in try store.feed(name) where row.deleted {
        guard let rev = row.leaves.first?.rev else { continue }
        found.append(FoundDocument(id: row.id, rev: rev, body: [:]))
      }
      return found
    },
    finding(
      "found-backwards", "FIND-002",
      sentence: "Without a sort, documents are returned in descending order of their ids."
    ) {
      found, request, _, _ in
      request.sort.isEmpty ? found.reversed() : found
    },
    searching(
      "ties-downwards", "FIND-002",
      sentence: "Documents with equal keys are ordered by descending id."
    ) {
      request in
      if !request.sort.isEmpty { request.sort.append(SortKey("_id", descending: true)) }
    },
  ]

  private static let findingFields: [Defect] = [
    selecting(
      "points-always-part", "FIND-005", sentence: "A backslash before a point in a path is ignored."
    ) {
      $0.mapFields { path, value in
        [[JSONString(path.string.split(separator: #"\."#).joined(separator: ".")): value]]
      }
    },
    selecting(
      "ways-through-arrays", "FIND-005", sentence: "Paths also go through the elements of arrays."
    ) {
      $0.mapFields { path, value in
        let names = path.string.split(separator: ".")
        guard names.count == 2, !path.utf8.contains(UInt8(ascii: "\\")) else {
          return [[path: value]]
        }
        let through: JSONValue = [
          JSONString(String(names[0])): ["$elemMatch": [JSONString(String(names[1])): value]]
        ]
        return [["$or": [[path: value], through]]]
      }
    },
    selecting(
      "one-operator-counts", "FIND-006",
      sentence: "Only one of several operators on a field is used."
    ) {
      $0.mapFields { path, value in
        guard let object = value.objectValue, object.hasOperators else { return [[path: value]] }
        let first = object.members.prefix(1).map { ($0.name, $0.value) }
        return [[path: .object(JSONObject(first))]]
      }
    },
    selecting(
      "one-field-counts", "FIND-006", sentence: "Only one of several members of a selector is used."
    ) {
      guard let object = $0.objectValue, object.count > 1 else { return $0 }
      return .object(JSONObject(object.members.prefix(1).map { ($0.name, $0.value) }))
    },
  ]

  private static let findingValues: [Defect] = [
    conditions(
      "null-finds-nothing-there", "FIND-004",
      sentence: "`$eq` null also selects documents without the field."
    ) {
      $0 == "$eq" && $1 == .null ? [("$not", ["$exists": true, "$ne": .null])] : [($0, $1)]
    },
    conditions("digits-are-numbers", "FIND-004", sentence: "A text of digits equals the number.") {
      guard $0 == "$eq", let text = $1.textValue, let number = Int64(text.string) else {
        return [($0, $1)]
      }
      return [("$in", [$1, .integer(number)])]
    },
    selecting(
      "elements-unseen", "FIND-007",
      sentence: "Operators apply only to an array itself, not to its elements."
    ) {
      $0.mapFields { path, value in
        guard value.arrayValue == nil else { return [[path: value]] }
        return [[path: value], [path: ["$not": ["$type": "array"]]]]
      }
    },
    selecting(
      "one-element-for-all", "FIND-007",
      sentence: "One element of an array must meet all operators on the field."
    ) {
      $0.mapFields { path, value in
        guard let object = value.objectValue, object.hasOperators, object.count > 1 else {
          return [[path: value]]
        }
        let alone: JSONValue = ["$and": [[path: value], [path: ["$not": ["$type": "array"]]]]]
        return [["$or": [alone, [path: ["$elemMatch": value]]]]]
      }
    },
    conditions(
      "negation-needs-a-field", "FIND-008",
      sentence: "`$ne` does not select documents without the field."
    ) {
      $0 == "$ne" ? [($0, $1), ("$exists", true)] : [($0, $1)]
    },
    conditions("kinds-apart", "FIND-009", sentence: "`$gt` with a number does not hold for texts.")
    {
      guard $0 == "$gt" || $0 == "$gte", $1.integerValue != nil else { return [($0, $1)] }
      return [($0, $1), ("$lt", "")]
    },
    conditions(
      "null-is-missing", "FIND-010", sentence: "A field with the value null does not exist."
    ) {
      $0 == "$exists" && $1 == true ? [($0, $1), ("$ne", .null)] : [($0, $1)]
    },
    selecting(
      "kind-of-elements", "FIND-011", sentence: "`$type` also applies to the elements of an array."
    ) {
      $0.mapFields { path, value in
        guard let type = value.member("$type") else { return [[path: value]] }
        return [["$or": [[path: value], [path: ["$elemMatch": ["$type": type]]]]]]
      }
    },
    conditions(
      "in-nothing-finds-all", "FIND-012",
      sentence: "An empty list of `$in` holds for every document."
    ) {
      $0 == "$in" && $1 == [] ? [("$nin", [])] : [($0, $1)]
    },
    conditions(
      "all-is-any", "FIND-013", sentence: "`$all` holds if the array has one of the values."
    ) {
      $0 == "$all" ? [("$in" as JSONString, $1)] : [($0, $1)]
    },
    conditions("any-size", "FIND-014", sentence: "`$size` holds for every array.") {
      $0 == "$size" ? [("$type", "array")] : [($0, $1)]
    },
    conditions(
      "elements-together", "FIND-015",
      sentence: "Different elements may meet the conditions of one `$elemMatch`."
    ) {
      guard $0 == "$elemMatch", let object = $1.objectValue, object.members.first?.name == "$gt"
      else {
        return [($0, $1)]
      }
      return [("$type", "array")] + object.members.map { ($0.name, $0.value) }
    },
    conditions(
      "remainders-are-positive", "FIND-016",
      sentence: "`$mod` of negative numbers has positive remainders."
    ) {
      guard $0 == "$mod", let pair = $1.arrayValue, let divisor = pair[0].integerValue,
        let remainder = pair[1].integerValue, remainder < 0
      else { return [($0, $1)] }
      return [($0, [pair[0], .integer(remainder + abs(divisor))])]
    },
    excusing(
      "too-much-work-finds-nothing", "FIND-040",
      sentence: "A text that needs too much work is not matched, instead of tooLarge."
    ) { operation, kind, _ in
      guard case .finding(.find) = operation.action, case .tooLarge = kind else { return nil }
      return .ok(.found(.documents([])))
    },
    selecting("decimals-as-texts", "FIND-021", sentence: "Decimal operands are compared as texts.")
    {
      $0.mapConditions { name, value in [(name, value.withoutDecimals)] }
    },
  ]

  private static let findingCombinations: [Defect] = [
    selecting(
      "or-of-nothing", "FIND-017", sentence: "`$or` with an empty list selects every document."
    ) {
      $0.member("$or") == [] ? [:] : $0
    },
    selecting(
      "nor-of-all", "FIND-017",
      sentence: "`$nor` excludes only documents that meet all of its selectors."
    ) {
      guard let parts = $0.member("$nor"), parts != [] else { return $0 }
      return ["$not": ["$and": parts]]
    },
    refusing(
      "shallow-selectors", "FIND-034", sentence: "Selectors nested deeper than 16 are refused."
    ) {
      operation, _ in
      (operation.search?.selector.depth ?? 0) > 16 ? .tooLarge(limit: 16) : nil
    },
  ]

  private static let findingWords: [Defect] = [
    selecting("any-word", "FIND-018", sentence: "`$text` holds if one of the words occurs.") {
      guard let text = $0.member("$text"), let fields = text.member("$fields"),
        let search = text.member("$search")?.textValue
      else { return $0 }
      let words = search.string.split(separator: " ").map { word -> JSONValue in
        ["$text": ["$search": .text(String(word)), "$fields": fields]]
      }
      return words.count > 1 ? ["$or": .array(words)] : $0
    },
    selecting(
      "all-letters-folded", "FIND-018",
      sentence: "`$text` also ignores the case of non-ASCII letters."
    ) {
      guard let text = $0.member("$text"), let fields = text.member("$fields"),
        let search = text.member("$search")?.textValue
      else { return $0 }
      let small: JSONValue = [
        "$text": ["$search": .text(search.string.lowercased()), "$fields": fields]
      ]
      return ["$or": [$0, small]]
    },
    conditions(
      "expressions-match-all", "FIND-019", sentence: "`$regex` must match the whole text."
    ) {
      guard $0 == "$regex", let pattern = $1.textValue else { return [($0, $1)] }
      return [($0, .text("^(\(pattern))$"))]
    },
    searching(
      "lazy-is-greedy", "FIND-020", sentence: "A question mark after a repetition is ignored."
    ) {
      $0.selector = $0.selector.withoutLaziness
    },
  ]

  private static let findingOrder: [Defect] = [
    finding(
      "sorted-as-texts", "FIND-022", sentence: "Values are sorted by their JSON text."
    ) {
      found, request, _, _ in
      guard let key = request.sort.first, request.skip == nil, request.limit == nil else {
        return found
      }
      func spelled(_ document: FoundDocument) -> String {
        document.body.member(key.path)?.serialized() ?? ""
      }
      let sorted = found.sorted { spelled($0).isBelow(spelled($1)) }
      return key.descending ? sorted.reversed() : sorted
    },
    finding("missing-last", "FIND-022", sentence: "Documents without the sort field come last.") {
      found, request, _, _ in
      guard let key = request.sort.first, !key.descending else { return found }
      return found.filter { $0.body.member(key.path) != nil }
        + found.filter { $0.body.member(key.path) == nil }
    },
    searching(
      "first-key-only", "FIND-023", sentence: "Only the first of several sort keys is used."
    ) {
      $0.sort = Array($0.sort.prefix(1))
    },
    searching("upwards-only", "FIND-023", sentence: "`desc` is ignored.") {
      $0.sort = $0.sort.map { SortKey($0.path) }
    },
    searching(
      "pages-before-sorting", "FIND-024", sentence: "skip and limit are applied before the sort."
    ) {
      if $0.limit != nil { $0.sort = [] }
    },
    searching("limit-of-zero", "FIND-024", sentence: "A limit of 0 in `find` means no limit.") {
      if $0.limit == 0 { $0.limit = nil }
    },
    finding(
      "absent-fields-are-null", "FIND-025",
      sentence: "Requested fields that are absent are returned as null."
    ) {
      found, request, _, _ in
      found.map { document in
        guard var body = document.body.objectValue else { return document }
        for field in request.fields ?? [] where !field.utf8.contains(UInt8(ascii: ".")) {
          body[field] = body[field] ?? .null
        }
        return FoundDocument(id: document.id, rev: document.rev, body: .object(body))
      }
    },
  ]
}

extension JSONValue {
  /// The operand with texts instead of decimal numbers.
  fileprivate var withoutDecimals: JSONValue {
    if let text = member("$decimal") { return text }
    return arrayValue.map { .array($0.map { $0.withoutDecimals }) } ?? self
  }

  /// The selector with greedy repetitions instead of lazy ones.
  fileprivate var withoutLaziness: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutLaziness))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            guard member.name == "$regex", let pattern = member.value.textValue else {
              return (member.name, member.value.withoutLaziness)
            }
            return (member.name, .text(pattern.string.replacing("*?", with: "*")))
          }))
    default: self
    }
  }
}
