// Deviations in the merge of records.

extension Deviation {
  static let records: [Deviation] = [
    Deviation(
      "late-body-brings-flag",
      "A body that arrives for a revision without one brings its own deletion flag.",
      breaks: ["TREE-006", "TREE-027"], of: [.couchDB], isConditional: true,
      effect: .merging(.lateBodyBringsFlag)),
    Deviation(
      "join-replaces-tip",
      "A history that joins two parts of a document replaces body and deletion flag of its known "
        + "newest revision.",
      breaks: ["TREE-006", "TREE-013", "TREE-027"], of: [.couchDB], isConditional: true,
      effect: .merging(.joinReplacesTip)),
    Deviation(
      "limit-cuts-without-change",
      "A known record makes the store apply a lowered history limit and move the row in the feed.",
      breaks: ["LIMIT-002", "TREE-007"], of: [.couchDB], effect: .merging(.cutsWithoutChange)),
    Deviation(
      "limit-cuts-before-join",
      "A history that joins two parts of a document is cut before it joins them. Each leaf keeps its "
        + "own part of the history, and nothing is cut afterwards.",
      breaks: ["LIMIT-001"], of: [.couchDB], effect: .merging(.cutsBeforeJoin)),
    Deviation(
      "path-ends-at-known-revision",
      "The store reads the path of a new revision down to its newest known revision only.",
      breaks: ["TREE-005"], of: [.cdtDatastore], effect: .merging(.endsAtKnownRevision)),
    Deviation(
      "design-records-not-validated",
      "The validation does not apply to records of design documents.",
      breaks: ["VALID-001", "VALID-005"], of: [.couchDB], effect: .merging(.skipsDesignDocuments)),
  ]
}
