internal import CSQLite
public import Datastore
public import Storage

/// A mutant of the bundled SQLite store that damages the files of another version when it opens
/// them, as a wrong migration does.
public struct OpeningDefect: Sendable {
  /// The name of the mutant.
  public let name: String
  /// The error of such a version.
  public let sentence: String
  /// The statements that it performs on each database.
  private let statements: String

  private init(_ name: String, _ sentence: String, statements: String) {
    (self.name, self.sentence, self.statements) = (name, sentence, statements)
  }

  /// All mutants, in the order of their names.
  public static let all: [OpeningDefect] = [
    OpeningDefect(
      "opening-forgets-attachments", "Attachments of losing leaves are lost.",
      statements: """
        DELETE FROM attachment WHERE rev NOT IN
          (SELECT winner FROM document d WHERE d.document = attachment.document)
        """),
    OpeningDefect(
      "opening-forgets-bodies", "Bodies of losing leaves are lost.",
      statements: """
        UPDATE revision SET body = '{}', long_body = NULL
          WHERE rank IS NOT NULL AND deleted = 0 AND rev NOT IN
            (SELECT winner FROM document d WHERE d.document = revision.document)
        """),
    OpeningDefect(
      "opening-forgets-collation", "The order of revisions is that of a new store.",
      statements: "UPDATE store SET collation = 'bytes'"),
    OpeningDefect(
      "opening-forgets-counts", "The number of deleted documents is lost.",
      statements: "UPDATE store SET deleted_documents = 0"),
    OpeningDefect(
      "opening-forgets-filter", "The filter of validation is lost.",
      statements: "UPDATE store SET refuse = NULL"),
    OpeningDefect(
      "opening-forgets-history-limit", "The history limit is lost.",
      statements: "UPDATE store SET history_limit = NULL"),
    OpeningDefect(
      "opening-forgets-indexes", "Indexes are lost.",
      statements: "DELETE FROM entry; DELETE FROM field_index"),
    OpeningDefect(
      "opening-forgets-leaves", "Losing leaves are lost.",
      statements: """
        DELETE FROM revision WHERE rank IS NOT NULL AND rev NOT IN
          (SELECT winner FROM document d WHERE d.document = revision.document)
        """),
    OpeningDefect(
      "opening-forgets-local-documents", "Local documents are lost.",
      statements: "DELETE FROM local"),
    OpeningDefect(
      "opening-forgets-stubs", "Revisions that are known without a body are lost.",
      statements: "DELETE FROM revision WHERE deleted IS NULL"),
    OpeningDefect(
      "opening-forgets-tombstones", "Deleted documents are lost.",
      statements: """
        DELETE FROM revision WHERE document IN (SELECT document FROM document WHERE deleted = 1);
        DELETE FROM document WHERE deleted = 1;
        UPDATE store SET deleted_documents = 0
        """),
    OpeningDefect(
      "opening-renames-store", "Each store gets a new incarnation.",
      statements: "UPDATE store SET incarnation = 'f' || substr(incarnation, 2, 30) || 'f'"),
    OpeningDefect(
      "opening-renumbers-feed", "The feed is numbered from 1 without gaps.",
      statements: """
        CREATE TEMP TABLE renumbered AS
          SELECT row_number() OVER (ORDER BY sequence) AS sequence, document, deleted, branched,
            winner, id FROM document;
        DELETE FROM document;
        INSERT INTO document SELECT * FROM renumbered;
        UPDATE store SET last_sequence = (SELECT count(*) FROM document)
        """),
    OpeningDefect(
      "opening-revives-tombstones", "Deleted leaves beside the winner are live.",
      statements: """
        UPDATE revision SET deleted = 0, body = '{}' WHERE leaf = 1 AND deleted = 1 AND rev NOT IN
          (SELECT winner FROM document d WHERE d.document = revision.document)
        """),
  ]

  /// Damages every database in a storage.
  public func damage(_ storage: any Storage) throws(HarnessError) {
    let names: [String]
    do throws(StorageError) { names = try storage.fileNames() } catch {
      throw HarnessError("\(error)")
    }
    for name in names where name.hasSuffix(".sqlite") {
      var handle: OpaquePointer?
      defer { sqlite3_close_v2(handle) }
      guard
        sqlite3_open_v2(
          storage.path(of: name), &handle, SQLITE_OPEN_READWRITE, storage.vfsName) == SQLITE_OK,
        sqlite3_exec(handle, "BEGIN; \(statements); COMMIT", nil, nil, nil) == SQLITE_OK
      else {
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
        throw HarnessError("the mutant \(self.name) cannot change \(name): \(message)")
      }
    }
  }
}
