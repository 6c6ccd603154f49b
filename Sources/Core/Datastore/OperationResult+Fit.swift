extension OperationResult {
  /// Whether a result of this case is a valid result of the action.
  ///
  /// The value is true only if the decoder reads the encoded result as the result of the action, so
  /// that a result of a store need not be encoded and decoded to be checked. Every result that a
  /// decoder reads for an action fits it, except the results of `find`: then the value is false.
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
    case (.family(let operation), .family(let answer)): answer.base.fits(operation.base)
    default: false
    }
  }
}
