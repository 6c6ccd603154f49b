internal import Datastore
internal import JSON

// Sessions of a store's own replicator.

extension Deviation {
  static let sessions: [Deviation] = [
    // Content that CouchDB compresses is never empty in its own requests, but may be in those of
    // another store, so the type does not decide.
    Deviation(
      "empty-attachment-stalls-session",
      "A session of the store's own replicator that copies an attachment of 0 bytes does not end.",
      breaks: ["REPL-027"], of: [.couchDB],
      effect: .stalledSession { attachment in
        attachment.length == 0 || attachment.content == .data("")
      }),
    Deviation(
      "losing-attachments-replaced",
      "The store's own replicator stores, with a leaf that is not the winner of the source, the "
        + "attachment that the winner has under the same name.",
      breaks: ["REPL-027"], of: [.pouchDB], contentFlaw: .attachmentsOfOtherRevisions,
      effect: .content),
  ]
}
