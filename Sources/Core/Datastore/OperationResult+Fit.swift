extension OperationResult {
  /// True if a result of this case is an answer to the action.
  ///
  /// Every result that a decoder reads for an action fits it. Where the answer is open, as that of a
  /// family, the result has to be decoded to find out; then this is false.
  package func fits(_ action: StoreAction) -> Bool {
    switch (action, self) {
    case (.open, .done), (.close, .done), (.destroy, .done), (.compact, .done),
      (.historyLimit, .done), (.setValidation, .done), (.flush, .done), (.writeLocal, .done),
      (.info, .info), (.create, .written), (.update, .written), (.delete, .written),
      (.read, .document), (.list, .list), (.leaves, .leaves), (.changes, .changes),
      (.revsDiff, .revsDiff), (.getRevisions, .revisions), (.insertRevisions, .inserted),
      (.readLocal, .local), (.resolve, .resolved), (.purge, .purged), (.replicate, .turn),
      (.readAttachment, .attachment), (.putBlob, .held):
      true
    case (.batch(let writes), .batch(let results)):
      writes.count == results.count && zip(writes, results).allSatisfy { $1.fits($0) }
    case (.attaching(_, let write), _): fits(write)
    default: false
    }
  }
}
