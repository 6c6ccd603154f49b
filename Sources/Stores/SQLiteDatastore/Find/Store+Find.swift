internal import Datastore
internal import JSON

// A search reads the candidates of a plan, evaluates the selector for each, and sorts the matches.
// Rows with documents have the columns id, winner, body and document.

extension Store {
  func perform(_ request: FindingRequest) throws(DatastoreError) -> OperationResult {
    switch request {
    case .find(let search): return .found(.documents(try find(search)))
    case .explain(let search):
      let plan = IndexPlan(search, try indexes().all)
      return .found(
        .explanation(
          index: plan.index?.definition.name, plan: ["by": .text(plan.name)]))
    case .createIndex(let definition, let paths):
      return .found(.created(try createIndex(definition, paths)))
    case .dropIndex(let name):
      try dropIndex(name)
      return .done
    case .listIndexes: return .found(.indexes(try indexes().all.map { $0.definition }))
    }
  }

  private func find(_ search: Search) throws(DatastoreError) -> [FoundDocument] {
    if search.limit == 0 { return [] }
    let plan = IndexPlan(search, row.indexChanges > 0 ? try indexes().all : [])
    var findings = Findings(search, isInOrder: plan.isInOrder(search))
    try collect(plan, into: &findings)
    return try documents(findings)
  }

  /// Collects the candidates of a plan.
  private func collect(
    _ plan: IndexPlan, into findings: inout Findings
  ) throws(DatastoreError) {
    switch plan {
    case .scan:
      // In id order the scan can stop early; otherwise documents are read in storage order.
      try collect(try prepare(findings.isInOrder ? .scanByID : .scan), into: &findings)
    case .entries(let index, let ranges, let isUnique):
      if !isUnique { findings.mayRepeat = true }
      for range in ranges {
        try collect(
          try prepare(.entries).integer(index.number).blob(range.low).blob(range.high),
          into: &findings)
      }
    case .words(let index, let query):
      for id in try connection.findWords(index.number, query) {
        try collect(try prepare(.liveBody).text(id), into: &findings)
      }
    case .order(let index, let descending):
      try collect(
        try prepare(descending ? .orderedDescending : .ordered).integer(index.number),
        into: &findings)
    case .union(let plans):
      findings.mayRepeat = true
      for plan in plans { try collect(plan, into: &findings) }
    }
  }

  /// Collects the matching documents among the rows, until the limit is reached.
  private func collect(
    _ statement: Statement, into findings: inout Findings
  ) throws(DatastoreError) {
    let search = findings.search
    var rows = try statement.rows()
    while !findings.isComplete, try rows.next() {
      if findings.mayRepeat, try !findings.seen.insert(rows.text(0)).inserted { continue }
      try read(rows, search.fields, needsNames: search.needsNames, into: &findings.subject)
      guard try search.matches(findings.subject) else { continue }
      let id = try rows.text(0)
      findings.list.append(
        Findings.Finding(
          id: id, rev: try rows.text(1), key: search.sortKey(findings.subject),
          body: findings.wantsBody ? try body(rows, of: id) : nil))
    }
  }

  private func body(
    _ rows: borrowing Rows, of id: JSONString
  ) throws(DatastoreError) -> JSONValue {
    try decode(rows.bytes(2), "the body of '\(id)'")
  }

  /// The results of the findings.
  private func documents(_ findings: Findings) throws(DatastoreError) -> [FoundDocument] {
    var documents: [FoundDocument] = []
    for finding in findings.page {
      var body = finding.body
      if body == nil {
        var rows = try prepare(.liveBody).text(finding.id).rows()
        if try rows.next() { body = try self.body(rows, of: finding.id) }
      }
      guard let body else { throw corrupt("lost '\(finding.id)' during the read") }
      documents.append(
        FoundDocument(
          id: DocumentID(finding.id), rev: RevisionID(finding.rev),
          body: findings.search.projected(body)))
    }
    return documents
  }
}

/// The matches so far.
private struct Findings {
  let search: Search
  /// Whether candidates arrive in result order, so that the search can stop at the limit.
  let isInOrder: Bool
  /// Whether a document may occur more than once.
  var mayRepeat = false
  var seen: Set<JSONString> = []
  /// The current document.
  var subject = Matcher.Subject()
  var list: [Finding] = []

  struct Finding {
    let id: JSONString
    let rev: JSONString
    let key: [UInt8]
    /// Nil if it was not worth reading: most matches may be beyond the limit.
    let body: JSONValue?
  }

  init(_ search: Search, isInOrder: Bool) {
    self.search = search
    self.isInOrder = isInOrder
    subject.values = Array(repeating: nil, count: search.fields.slotCount)
  }

  private var end: Int {
    guard let limit = search.limit else { return .max }
    let (end, isTooLarge) = search.skip.addingReportingOverflow(limit)
    return isTooLarge ? .max : end
  }

  var isComplete: Bool { isInOrder && list.count >= end }

  /// Whether a match of the current document is certainly part of the result.
  var wantsBody: Bool { isInOrder ? list.count >= search.skip : search.limit == nil }

  /// The result page, in order.
  var page: ArraySlice<Finding> {
    let sorted = isInOrder ? list : list.sorted { $0.precedes($1) }
    return sorted.dropFirst(search.skip).prefix(search.limit ?? .max)
  }
}

extension Findings.Finding {
  fileprivate func precedes(_ other: Findings.Finding) -> Bool {
    if key != other.key { return key.lexicographicallyPrecedes(other.key) }
    return id.withBytes { id in other.id.withBytes { id.lexicographicallyPrecedes($0) } }
  }
}

extension IndexPlan {
  /// Whether the plan yields documents in the order of the search.
  fileprivate func isInOrder(_ search: Search) -> Bool {
    switch self {
    case .scan: !search.sortsByContent && search.limit != nil
    case .entries(_, _, let isUnique): !search.sortsByContent && isUnique
    case .words, .union: false
    case .order: true
    }
  }
}
