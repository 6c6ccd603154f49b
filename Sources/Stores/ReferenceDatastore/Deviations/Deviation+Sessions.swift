internal import Datastore
internal import JSON

// Sessions of a store's own replicator.

extension Deviation {
  static let sessions: [Deviation] = [
    Deviation(
      "empty-attachment-stalls-session",
      "A session of the store's own replicator never ends if it copies an attachment of 0 bytes "
        + "whose type is not compressed.",
      breaks: ["REPL-027"], of: [.couchDB],
      effect: .stalledSession { attachment in
        (attachment.length == 0 || attachment.content == .data("")) && attachment.encoding == nil
          && !isCompressed(attachment.type ?? "application/octet-stream")
      })
  ]

  /// The types whose content CouchDB compresses by default; compressed content is never empty.
  private static func isCompressed(_ type: JSONString) -> Bool {
    let type = type.string.lowercased()
    return ["text/", "application/javascript", "application/json", "application/xml"].contains {
      type.hasPrefix($0)
    }
  }
}
