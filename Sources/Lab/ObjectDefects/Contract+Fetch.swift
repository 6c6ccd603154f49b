internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Helpers that change fetches and their results.

extension StoreOperation {
  /// The fetch of an operation; nil for other operations.
  var fetch: ObjectFetch? {
    if case .fetch(let fetch)? = action.objects { fetch } else { nil }
  }

  /// The operation with another fetch, if it has one.
  func mapFetch(_ change: (inout ObjectFetch) -> Void) -> StoreOperation {
    guard var fetch else { return self }
    change(&fetch)
    return StoreOperation(store, .objects(.fetch(fetch)))
  }
}

extension ObjectFetch {
  /// The predicate; nil if it is absent or invalid.
  var parsed: FetchPredicate? {
    guard let predicate else { return nil }
    var operands: [PredicateArgument] = []
    for argument in arguments {
      guard let operand = try? PredicateArgument(argument) else { return nil }
      operands.append(operand)
    }
    return try? FetchPredicate(predicate, operands)
  }

  mutating func ask(_ predicate: FetchPredicate) {
    let (text, operands) = predicate.format
    self.predicate = text
    arguments = operands.map { $0.json }
  }

  /// True if a text is part of the predicate.
  func says(_ part: String) -> Bool { predicate?.string.contains(part) ?? false }

  /// The key, if there is exactly one.
  var key: JSONString? { sort.count == 1 ? sort[0].path : nil }

  /// The empty result.
  var nothing: Outcome {
    switch result {
    case .objects: .ok(.objects(.objects([])))
    case .ids: .ok(.objects(.ids([])))
    case .count: .ok(.objects(.count(0)))
    case .groups: .ok(.objects(.groups([])))
    }
  }

  /// The names of the columns with functions.
  func results(of function: JSONString) -> [JSONString] {
    columns.filter { $0.member("function")?.textValue == function }
      .compactMap { $0.member("as")?.textValue }
  }

  /// True if the predicate contains one of some words, given in upper case, in another case.
  func saysInSmallLetters(_ words: Set<String>) -> Bool {
    let said = predicate?.string.split { !$0.isLetter }.map { String($0) } ?? []
    return said.contains { words.contains($0.uppercased()) && !words.contains($0) }
  }
}

/// The value in a document for a sort key.
struct SortedValue {
  let value: JSONValue?
  let meta: JSONValue?

  var isNil: Bool { value ?? .null == .null && meta == nil }

  var isNaN: Bool { meta?.member("nonFinite") == "nan" }
}

extension FetchPredicate {
  /// The predicate with some comparisons replaced.
  func mapComparisons(_ change: (PredicateComparison) -> FetchPredicate?) -> FetchPredicate {
    switch self {
    case .truth: self
    case .and(let parts): .and(parts.map { $0.mapComparisons(change) })
    case .or(let parts): .or(parts.map { $0.mapComparisons(change) })
    case .not(let part): .not(part.mapComparisons(change))
    case .comparison(let comparison): change(comparison) ?? self
    }
  }
}

extension PredicateComparison {
  /// The names of a key path; empty for the object itself.
  var path: [JSONString] {
    switch subject {
    case .object: []
    case .path(let names), .count(let names): names
    }
  }

  /// The attribute of the object itself.
  var name: JSONString? {
    if case .path(let names) = subject, names.count == 1 { names[0] } else { nil }
  }

  var isCount: Bool { if case .count = subject { true } else { false } }

  var constant: PredicateValue? { if case .value(let value) = operand { value } else { nil } }

  var text: JSONString? { if case .text(let text)? = constant { text } else { nil } }

  var integer: Int64? { if case .integer(let number)? = constant { number } else { nil } }

  var number: Double? { if case .double(let number)? = constant { number } else { nil } }

  var list: [PredicateValue]? { if case .list(let values) = operand { values } else { nil } }

  /// The comparison with parts of it changed.
  func with(_ change: (inout PredicateComparison) -> Void) -> FetchPredicate {
    var copy = self
    change(&copy)
    return .comparison(copy)
  }

  /// The predicate that the value at a path is nil, or is not.
  static func isNil(_ path: [JSONString], _ operator: Operator = .equal) -> FetchPredicate {
    .comparison(PredicateComparison(.path(path), `operator`, operand: .value(.none)))
  }
}

extension Honest {
  /// The body of a document; empty for an unknown one.
  func body(_ name: StoreName, _ id: DocumentID) throws(HarnessError) -> JSONObject {
    try document(name, id)?.body.objectValue ?? [:]
  }
}

extension Defect {
  /// Changes the fetch.
  static func fetching(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout ObjectFetch) -> Void
  ) -> Defect {
    mishearing(name, clause, sentence: sentence) { operation, _ in operation.mapFetch(change) }
  }

  /// Changes the predicate, if it is valid.
  static func predicating(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (FetchPredicate) -> FetchPredicate
  ) -> Defect {
    fetching(name, clause, sentence: sentence) { fetch in
      guard let predicate = fetch.parsed else { return }
      let other = change(predicate)
      if other != predicate { fetch.ask(other) }
    }
  }

  /// Replaces some comparisons.
  static func comparing(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (PredicateComparison) -> FetchPredicate?
  ) -> Defect {
    predicating(name, clause, sentence: sentence) { $0.mapComparisons(change) }
  }

  /// Changes the found ids.
  static func identified(
    _ name: String, _ clause: String, sentence: String,
    change:
      @escaping @Sendable ([DocumentID], ObjectFetch, StoreName, Honest) throws(HarnessError) ->
      [DocumentID]
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, store throws(HarnessError) in
      guard let fetch = operation.fetch, case .ids(let ids)? = result.objects else {
        return .ok(result)
      }
      return .ok(.objects(.ids(try change(ids, fetch, operation.store, store))))
    }
  }

  /// Removes some found documents.
  static func overlooking(
    _ name: String, _ clause: String, sentence: String,
    isOverlooked: @escaping @Sendable (JSONObject, PredicateComparison) -> Bool
  ) -> Defect {
    identified(name, clause, sentence: sentence) { ids, fetch, store, honest throws(HarnessError) in
      guard case .comparison(let comparison)? = fetch.parsed else { return ids }
      var kept: [DocumentID] = []
      for id in ids where !isOverlooked(try honest.body(store, id), comparison) { kept.append(id) }
      return kept
    }
  }

  /// Sorts the result by another order if it was sorted by one ascending key: by the value in the
  /// document and its metadata.
  static func sorting(
    _ name: String, _ clause: String, sentence: String,
    isBefore: @escaping @Sendable (SortedValue, SortedValue) -> Bool
  ) -> Defect {
    identified(name, clause, sentence: sentence) { ids, fetch, store, honest throws(HarnessError) in
      guard let key = fetch.key, !fetch.sort[0].descending else { return ids }
      var sorted: [(id: DocumentID, value: SortedValue)] = []
      // Insertion sort, which keeps the order of equal elements.
      for id in ids {
        let body = try honest.body(store, id)
        let value = SortedValue(value: body[key], meta: body[JSONString("CDTISMeta_\(key)")])
        let place = sorted.lastIndex { !isBefore(value, $0.value) }
        sorted.insert((id, value), at: (place ?? -1) + 1)
      }
      return sorted.map { $0.id }
    }
  }

  /// Changes dictionaries of groups.
  static func grouping(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable ([JSONObject], ObjectFetch) -> [JSONObject]
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, _ in
      guard let fetch = operation.fetch, case .groups(let groups)? = result.objects else {
        return .ok(result)
      }
      let changed = change(groups.map { $0.objectValue ?? [:] }, fetch)
      return .ok(.objects(.groups(changed.map { .object($0) })))
    }
  }

  /// Returns an empty result instead of an error.
  static func shrugging(
    _ name: String, _ clause: String, sentence: String, what: String,
    isShrugged: @escaping @Sendable (ObjectFetch, JSONString?) -> Bool = { _, _ in true }
  ) -> Defect {
    excusing(name, clause, sentence: sentence) { operation, kind, _ in
      guard let fetch = operation.fetch, case .badObject(what, let name) = kind,
        isShrugged(fetch, name)
      else { return nil }
      return fetch.nothing
    }
  }
}
