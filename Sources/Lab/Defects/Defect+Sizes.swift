internal import Datastore
internal import JSON

extension Defect {
  /// Mutants that show only with long or many values.
  static let sizes: [Defect] = [
    Defect(
      "lines-of-64-kib", "SIZE-001",
      sentence: "The process crashes at a call of more than 65,536 bytes as JSON."
    ) { Dying(bytesMax: 65_536) },
    Defect(
      "lines-of-2-mib", "SIZE-009",
      sentence: "The process crashes at a call of more than 2,097,152 bytes as JSON."
    ) { Dying(bytesMax: 2_097_152) },
    refusing(
      "bodies-of-64-kib", "SIZE-001", sentence: "A body of more than 65,535 bytes is refused."
    ) {
      operation, _ in
      operation.bodies.contains { $0.serializedBytes().count > 65_535 }
        ? .tooLarge(limit: 65_535) : nil
    },
    bodies(
      "members-cut-at-1000", "SIZE-002", sentence: "An object keeps only its first 1,000 members."
    ) { body in
      body.keepingMembers(1000)
    },
    mishearing(
      "paths-cut-at-500", "SIZE-003", sentence: "A record contains only its newest 500 revisions."
    ) {
      operation, _ in
      guard case .insertRevisions(var records) = operation.action else { return operation }
      for place in records.indices { records[place].path = Array(records[place].path.prefix(500)) }
      return StoreOperation(operation.store, .insertRevisions(records))
    },
    answering(
      "leaves-cut-at-64", "SIZE-004",
      sentence: "Only the first 64 leaves of a document are returned."
    ) {
      _, result, _ in
      switch result {
      case .leaves(let leaves): return .ok(.leaves(Array(leaves.prefix(64))))
      case .changes(var page):
        for place in page.rows.indices {
          page.rows[place].leaves = Leaves(Array(page.rows[place].leaves.prefix(64)))
        }
        return .ok(.changes(page))
      default: return .ok(result)
      }
    },
    Defect(
      "records-cut-at-500", "SIZE-005",
      sentence: "Only the first 500 records of a call are stored, and all are acknowledged."
    ) { Truncating(countMax: 500) },
    refusing(
      "batches-of-100-writes", "SIZE-006", sentence: "A batch of more than 100 writes is refused."
    ) {
      operation, _ in
      guard case .batch(let writes) = operation.action, writes.count > 100 else { return nil }
      return .tooLarge(limit: 100)
    },
    mishearing(
      "differences-cut-at-100", "SIZE-007",
      sentence: "revsDiff ignores entries after the first 100."
    ) {
      operation, _ in
      guard case .revsDiff(let queries) = operation.action else { return operation }
      return StoreOperation(operation.store, .revsDiff(Array(queries.prefix(100))))
    },
    answering(
      "pages-cut-at-100", "SIZE-008",
      sentence: "A page ends after 100 rows with `more` false."
    ) { _, result, _ in
      switch result {
      case .list(let rows): return .ok(.list(Array(rows.prefix(100))))
      case .changes(var page) where page.rows.count > 100:
        page.rows = Array(page.rows.prefix(100))
        page.more = false
        return .ok(.changes(page))
      default: return .ok(result)
      }
    },
    Defect(
      "limits-off-by-one", "SIZE-010",
      sentence: "A body or an id of exactly the declared limit is tooLarge."
    ) { Strict() },
    excusing(
      "limits-misnamed", "SIZE-010",
      sentence: "tooLarge reports another limit than the declared one."
    ) {
      _, kind, _ in
      guard case .tooLarge(let limit) = kind else { return nil }
      return .error(DatastoreError(.tooLarge(limit: limit + 1)))
    },
    refusing(
      "contents-of-8-mib", "SIZE-011",
      sentence: "Content in pieces of more than 8,388,608 bytes is refused."
    ) {
      operation, _ in
      guard case .putBlob(_, let offset, _) = operation.action, offset >= 8_388_608 else {
        return nil
      }
      return .tooLarge(limit: 8_388_608)
    },
    refusing(
      "local-ids-as-document-ids", "LOCAL-007",
      sentence: "A local document id that begins with `_` is refused."
    ) { operation, _ in
      switch operation.action {
      case .readLocal(let id), .writeLocal(let id, _):
        id.text.utf8.first == UInt8(ascii: "_") ? .badID : nil
      default: nil
      }
    },
  ]
}

/// Crashes at a long call.
private struct Dying: Misbehaviour {
  let bytesMax: Int

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if operation.json.serializedBytes().count > bytesMax {
      throw HarnessError("the process ended", breakdown: .init(shape: "SIGSEGV"))
    }
    return try store.perform(operation, environment)
  }
}

/// Stores the first records of a call.
private struct Truncating: Misbehaviour {
  let countMax: Int

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .insertRevisions(let records) = operation.action, records.count > countMax else {
      return try store.perform(operation, environment)
    }
    let first = StoreOperation(operation.store, .insertRevisions(Array(records.prefix(countMax))))
    let outcome = try store.perform(first, environment)
    guard case .ok(.inserted(let errors)) = outcome else { return outcome }
    let rest = [DatastoreError?](repeating: nil, count: records.count - countMax)
    return .ok(.inserted(errors + rest))
  }
}

/// Rejects sizes of exactly the limit.
private struct Strict: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let limits = store.store.description.limits
    if case .create(let id?, let body) = operation.action {
      if id.text.utf8.count == limits.idBytesMax {
        return .error(DatastoreError(.tooLarge(limit: Int64(limits.idBytesMax))))
      }
      if body.serializedBytes().count == limits.bodyBytesMax {
        return .error(DatastoreError(.tooLarge(limit: Int64(limits.bodyBytesMax))))
      }
    }
    return try store.perform(operation, environment)
  }
}

extension StoreOperation {
  /// The bodies of an operation.
  fileprivate var bodies: [JSONValue] {
    switch action {
    case .create(_, let body), .update(_, _, let body): [body]
    case .writeLocal(_, let body?): [body]
    case .insertRevisions(let records): records.map(\.body)
    default: []
    }
  }
}

extension JSONValue {
  /// The value with at most this many members in each object.
  fileprivate func keepingMembers(_ count: Int) -> JSONValue {
    switch self {
    case .object(let object):
      .object(
        JSONObject(object.members.prefix(count).map { ($0.name, $0.value.keepingMembers(count)) }))
    case .array(let elements): .array(elements.map { $0.keepingMembers(count) })
    default: self
    }
  }
}
