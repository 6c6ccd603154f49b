internal import Datastore
internal import JSON

/// Documents by the value of one of their fields, ten at a time.
///
/// The baseline queries a plain table with a column for the field: a hand-written query, over the
/// same index or none, and Jansson's parse of the returned bodies.
final class FindContest: Contest {
  private let workbench: Workbench
  private let operations: [StoreOperation]
  private let groups: [Int64]
  private let plain: RawStatement

  /// The number of documents in a group.
  static let perGroup = 10

  /// Queries some groups of a store with this many documents.
  init(
    _ workbench: Workbench, documents: Int, questions: Int, hasIndex: Bool
  ) throws(BenchmarkError) {
    self.workbench = workbench
    let index = StoreAction.finding(.createIndex(IndexDefinition("group", fields: ["group"])))
    try workbench.begin(with: Self.filling(count: documents) + (hasIndex ? [index] : []))
    let database = try workbench.floorDatabase()
    for sql in Self.plainTable { try database.prepare(sql).run() }
    if hasIndex { try database.prepare("CREATE INDEX plain_group ON plain (member)").run() }
    plain = try database.prepare(
      hasIndex
        ? "SELECT id, rev, body FROM plain WHERE member = ?1 ORDER BY id"
        : """
        SELECT id, rev, body FROM plain WHERE json_extract(body, '$.group') = ?1 ORDER BY id
        """)
    let generator = RunEnvironment(seed: 3)
    groups = (0..<questions).map { _ in
      Int64(generator.nextRandom() % UInt64(documents / Self.perGroup))
    }
    operations = groups.map {
      Workbench.operation(.finding(.find(FindRequest(["group": .integer($0)]))))
    }
  }

  private static let plainTable = [
    "CREATE TABLE plain (id TEXT, rev BLOB, member INTEGER, body TEXT)",
    """
    INSERT INTO plain SELECT d.id, d.winner, json_extract(r.body, '$.group'), r.body
    FROM document d JOIN revision r ON r.document = d.document AND r.rev = d.winner
    ORDER BY d.sequence
    """,
  ]

  private static func filling(count: Int) -> [StoreAction] {
    stride(from: 0, to: count, by: 1000).map { start in
      .insertRevisions(
        (start..<min(start + 1000, count)).map { number in
          var body = Documents.body(number).objectValue ?? [:]
          // The documents of a group are not adjacent, like most results.
          body["group"] = .integer(Int64(number % (count / perGroup)))
          return RevisionRecord(
            id: Documents.id(number), path: [Documents.rev(number, generation: 1)],
            body: .object(body))
        })
    }
  }

  /// Only the baseline has the table.
  func finish() throws(BenchmarkError) {
    try workbench.floorDatabase().prepare("DROP TABLE plain").run()
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for operation in operations {
      let result = try workbench.perform(operation)
      guard case .found(.documents(let documents)) = result, documents.count == Self.perGroup else {
        throw Workbench.unexpected(operation, .ok(result))
      }
      for document in documents {
        tally.addRow()
        tally.add(name: document.id.text)
        tally.add(name: document.rev.text)
        tally.add(marks: document.body.objectValue?.count ?? 0)
      }
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for group in groups {
      plain.bind(1, group)
      while try plain.row() {
        tally.addRow()
        tally.add(name: plain.bytes(0))
        tally.add(name: plain.bytes(1))
        tally.add(marks: try BodyText.parse(plain.bytes(2)))
      }
      plain.reset()
    }
    return tally
  }
}
