internal import Datastore

/// The operations of a peer that may not name files of this machine.
///
/// The process that opens a store decides which files it reads, see `SQLiteDatastore`. A peer of a
/// socket may be another user or another machine, so its file names never reach the store.
extension StoreOperation {
  /// Performs operations that name no file; the others fail with `unsupported` (`file`).
  func withoutFiles(
    _ perform: (StoreOperation) throws(HarnessError) -> Outcome
  ) throws(HarnessError) -> Outcome {
    switch action {
    case .attaching(let attachments, _) where attachments.nameFile:
      return .error(.filesAreLocal())
    case .batch(let writes):
      let place = writes.firstIndex { write in
        if case .attaching(let attachments, _) = write { attachments.nameFile } else { false }
      }
      guard let place else { return try perform(self) }
      return .error(.filesAreLocal(write: Int64(place)))
    case .insertRevisions(let records) where records.contains(where: { $0.attachments.nameFile }):
      // Each record has its own result: the other records are inserted.
      let others = records.filter { !$0.attachments.nameFile }
      let outcome = try perform(StoreOperation(store, .insertRevisions(others)))
      guard case .ok(.inserted(let results)) = outcome, results.count == others.count else {
        return outcome
      }
      var rest = results[...]
      return .ok(
        .inserted(
          records.map { record in
            record.attachments.nameFile ? .filesAreLocal() : rest.removeFirst()
          }))
    default: return try perform(self)
    }
  }
}

extension DatastoreError {
  fileprivate static func filesAreLocal(write: Int64? = nil) -> DatastoreError {
    DatastoreError(
      .unsupported(what: "file"), "a peer of a socket cannot name files of this machine",
      write: write)
  }
}

extension [RevisionAttachment] {
  /// Whether the content of an attachment comes from a file.
  fileprivate var nameFile: Bool {
    contains { attachment in
      if case .file = attachment.content { true } else { false }
    }
  }
}
