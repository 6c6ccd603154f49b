internal import Datastore
internal import JSON

// Finding is: get at the documents that may be meant by a plan, ask the selector about each, and put
// those that are meant in order. Rows with documents have the columns id, winner, body and document.

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

  /// Takes what a plan brings.
  private func collect(
    _ plan: IndexPlan, into findings: inout Findings
  ) throws(DatastoreError) {
    switch plan {
    case .scan:
      // By id, one may stop early; otherwise documents are taken as they lie.
      try collect(try ask(findings.isInOrder ? .scanByID : .scan), into: &findings)
    case .entries(let index, let ranges, let isUnique):
      if !isUnique { findings.mayRepeat = true }
      for range in ranges {
        try collect(
          try ask(.entries).integer(index.number).blob(range.low).blob(range.high),
          into: &findings)
      }
    case .words(let index, let query):
      for id in try connection.findWords(index.number, query) {
        try collect(try ask(.liveBody).text(id), into: &findings)
      }
    case .order(let index, let descending):
      try collect(
        try ask(descending ? .orderedDescending : .ordered).integer(index.number),
        into: &findings)
    case .union(let plans):
      findings.mayRepeat = true
      for plan in plans { try collect(plan, into: &findings) }
    }
  }

  /// Takes the documents among the rows that are meant, as long as more are wanted.
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

  /// What is answered of what was found.
  private func documents(_ findings: Findings) throws(DatastoreError) -> [FoundDocument] {
    var documents: [FoundDocument] = []
    for finding in findings.page {
      var body = finding.body
      if body == nil {
        var rows = try ask(.liveBody).text(finding.id).rows()
        if try rows.next() { body = try self.body(rows, of: finding.id) }
      }
      guard let body else { throw corrupt("lost '\(finding.id)' while it was read") }
      documents.append(
        FoundDocument(
          id: DocumentID(finding.id), rev: RevisionID(finding.rev),
          body: findings.search.projected(body)))
    }
    return documents
  }
}

/// What was found so far.
private struct Findings {
  let search: Search
  /// Whether documents come in the order of the answer, so that enough of them are enough.
  let isInOrder: Bool
  /// Whether a document may come more than once.
  var mayRepeat = false
  var seen: Set<JSONString> = []
  /// The document that is looked at.
  var subject = Matcher.Subject()
  var list: [Finding] = []

  struct Finding {
    let id: JSONString
    let rev: JSONString
    let key: [UInt8]
    /// Nil when it was not worth reading: most of what is found may be cut off.
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

  /// Whether the document that is looked at will surely be answered, once it is found.
  var wantsBody: Bool { isInOrder ? list.count >= search.skip : search.limit == nil }

  /// What is answered, in its order.
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
  /// Whether documents come in the order that a search wants them in.
  fileprivate func isInOrder(_ search: Search) -> Bool {
    switch self {
    case .scan: !search.sortsByContent && search.limit != nil
    case .entries(_, _, let isUnique): !search.sortsByContent && isUnique
    case .words, .union: false
    case .order: true
    }
  }
}
