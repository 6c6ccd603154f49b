import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

/// Rows with numbers that no store writes; fuzzing found that they caused traps.
@Suite struct DamagedRowTests {
  /// The digest of content whose first three bytes are stored.
  private static let digest = JSONString("sha256-" + String(repeating: "A", count: 43) + "=")

  /// A store with an attachment and an upload, opened after statements of another program.
  private func bench(after changes: String...) throws -> Bench {
    let builder = Bench()
    let attachment = RevisionAttachment("x", .data("aGVsbG8="), type: "text/plain")
    builder.perform(
      .insertRevisions([
        RevisionRecord(id: "f", path: ["1-a"], body: [:], attachments: [attachment])
      ]))
    for path in [["3-c", "2-b", "1-a"], ["2-x", "1-a"]] as [[RevisionID]] {
      builder.insert("d", path)
    }
    builder.perform(.historyLimit(1))
    builder.perform(.putBlob(digest: Self.digest, offset: 0, bytes: "aGVs"))
    try builder.datastore.shutdown()
    for change in changes {
      #expect(RawDatabase("notes.sqlite", in: builder.storage).execute(change) == 0)
    }
    return Bench(storage: builder.storage)
  }

  @Test func undamagedItIsAStore() throws {
    let bench = try bench()
    #expect(bench.failure(.putBlob(digest: Self.digest, offset: 3, bytes: "bG8=")) == nil)
    #expect(bench.failure(fetch) == nil)
    #expect(bench.insert("d", ["4-d", "3-c"]) == nil)
  }

  @Test(arguments: [Int64.min, -1, .max])
  func lengthsOfUploads(value: Int64) throws {
    let bench = try bench(after: "UPDATE upload SET length = \(value)")
    #expect(bench.failure(piece) == .storage(.corrupt))
  }

  @Test(arguments: [Int64.min, -1, .max])
  func numbersOfUploads(value: Int64) throws {
    let bench = try bench(after: "UPDATE upload SET number = \(value)")
    #expect(bench.failure(piece) == .storage(.corrupt))
  }

  @Test(arguments: ["size", "length"], [Int64.min, -1, .max])
  func sizesOfAttachments(column: String, value: Int64) throws {
    let bench = try bench(after: "UPDATE attachment SET \(column) = \(value)")
    #expect(bench.failure(fetch) == .storage(.corrupt))
  }

  @Test func generationsThatAreTexts() throws {
    let bench = try bench(
      after: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, ', ''), 'STRICT', '')
        """,
      "UPDATE revision SET generation = 'x' WHERE rev = CAST('2-x' AS BLOB)")
    #expect(bench.insert("d", ["4-d", "3-c"]) != nil)
  }

  /// Replaces the stored part of an upload.
  private var piece: StoreAction { .putBlob(digest: Self.digest, offset: 0, bytes: "bG8=") }

  private var fetch: StoreAction {
    .getRevisions([RevisionQuery(id: "f", revs: ["1-a"], attachmentsSince: [])])
  }
}
