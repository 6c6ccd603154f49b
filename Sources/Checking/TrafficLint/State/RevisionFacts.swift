/// The place of an exchange in the transcript, from 1; 0 for none.
typealias Place = Int32

/// What the transcript says about a revision in one database: the place of the last exchange of each
/// kind.
struct RevisionFacts {
  // In a target.
  var asked: Place = 0
  var askedClient: Int32 = 0
  var askedSession: Int32 = 0
  var missing: Place = 0
  var known: Place = 0
  var written: Place = 0
  /// The whole request failed.
  var failed: Place = 0
  /// The row of the document has a temporary error.
  var rowFailed: Place = 0
  /// The database rejected the document for good.
  var rejected: Place = 0
  var acknowledged: Place = 0
  var acknowledgedClient: Int32 = 0
  /// The time of the acknowledgment in the order of requests and responses.
  var acknowledgedTick: Int32 = 0
  /// A descendant was acknowledged.
  var isAncestor = false

  // In a source.
  var requested: Place = 0
  /// The last request while no target had been asked for the revision.
  var requestedUnasked: Place = 0
  var received: Place = 0
  var fetchFailed: Place = 0
  /// The source reported the revision as missing, or denied access.
  var gone: Place = 0

  /// Whether the target has the revision, or rejected it for good.
  var isSettled: Bool { isAncestor || acknowledged > 0 || rejected > 0 || isKnown }

  /// Whether the last response to `_revs_diff` did not list the revision.
  var isKnown: Bool { known > 0 && known >= missing }

  /// Whether the target reported the revision as missing, and has not acknowledged it since.
  var isNeeded: Bool { missing > known && missing > acknowledged && !isAncestor }
}
