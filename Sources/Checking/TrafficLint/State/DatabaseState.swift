internal import Datastore
internal import JSON

/// What the transcript says about one database.
final class DatabaseState {
  let name: JSONString
  var facts: [RevisionKey: RevisionFacts] = [:]
  /// The possible ancestors in the last response to `_revs_diff`, until a write is acknowledged.
  var ancestors: [DocumentID: [RevisionID]] = [:]
  /// The digests of all sequences that the database returned.
  var sequences: Set<UInt64> = []
  /// The `instance_start_time` of the last response that has one.
  var instance: JSONValue?
  /// The exchange that shows that the database was created again.
  var recreatedAt: Place = 0
  /// The revisions that `_revs_diff` was asked for, and those it reported as missing.
  var askedCount = 0
  var missingCount = 0
  /// Whether the body of a fetch could not be read.
  var hasUnreadFetch = false

  init(_ name: JSONString) { self.name = name }

  /// Forgets the content, because the database was deleted or created again.
  func reset(at place: Place) {
    facts = [:]
    ancestors = [:]
    sequences = []
    recreatedAt = place
    (askedCount, missingCount) = (0, 0)
  }

  /// Whether a replicator may omit `_revs_diff` for a while, because most revisions were missing.
  var isMostlyMissing: Bool { missingCount * 20 > askedCount * 19 }
}
