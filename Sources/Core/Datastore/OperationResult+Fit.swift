extension OperationResult {
  /// Whether a result of this case is a valid result of the action.
  ///
  /// Every result that a decoder reads for an action fits it. For open results, such as those of a
  /// family, only decoding can decide; then the value is false.
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
