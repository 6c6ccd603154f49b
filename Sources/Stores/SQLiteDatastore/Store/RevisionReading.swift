internal import Datastore
internal import JSON

/// The paths of revisions that one call of `getRevisions` has read, and the length of its response.
///
/// If a call may need several paths of one document, each parent is read once and equal paths share
/// their memory.
struct RevisionReading {
  /// The ids of a revision and its ancestors, and their length in a response in bytes.
  struct Path {
    private(set) var ids: [RevisionID]
    private(set) var bytes: Int

    init(_ name: RevisionName) {
      (ids, bytes) = ([], 0)
      append(name)
    }

    mutating func append(_ name: RevisionName) {
      ids.append(name.id)
      // Two quotes and a comma.
      bytes += name.text.utf8.count + 3
    }
  }

  /// Documents that may need several paths; for others nothing is cached.
  private var repeated: Set<DocumentID> = []
  private var paths: [Int64: [RevisionName: Path]] = [:]
  private var parents: [Int64: [RevisionName: RevisionName?]] = [:]
  private var parentCount = 0
  private var bytes: Int64 = 0
  private var records = 0

  /// The maximum number of cached parents, which needs about 100 MB.
  private static let parentsMax = 1 << 20

  init(_ queries: [RevisionQuery]) {
    var seen: Set<DocumentID> = []
    for query in queries {
      let isNew = seen.insert(query.id).inserted
      if !isNew || query.revs.count > 1 { repeated.insert(query.id) }
    }
  }

  // MARK: Paths

  /// Whether the paths of a document are cached, because a call may need several of them.
  func caches(_ id: DocumentID) -> Bool { repeated.contains(id) }

  func path(of name: RevisionName, in document: Int64) -> Path? { paths[document]?[name] }

  mutating func keep(_ path: Path, of name: RevisionName, in document: Int64, _ id: DocumentID) {
    guard repeated.contains(id) else { return }
    paths[document, default: [:]][name] = path
  }

  /// The cached parent of a revision; nil if it was not read in this call.
  func parent(of name: RevisionName, in document: Int64) -> RevisionName?? {
    parents[document]?[name]
  }

  /// Caches a parent, or its absence.
  mutating func cache(
    _ parent: RevisionName?, above name: RevisionName, in document: Int64, of id: DocumentID
  ) {
    guard parentCount < Self.parentsMax, repeated.contains(id) else { return }
    let old = parents[document, default: [:]].updateValue(parent, forKey: name)
    if old == nil { parentCount += 1 }
  }

  // MARK: Length

  /// Throws `tooLarge` if the response would become too long; a single record never does.
  mutating func count(_ more: Int) throws(DatastoreError) {
    bytes += Int64(more)
    guard bytes > RevisionAnswer.bytesMax, records > 0 else { return }
    throw DatastoreError(
      .tooLarge(limit: RevisionAnswer.bytesMax),
      "the response is longer than \(RevisionAnswer.bytesMax) bytes: request fewer revisions at once"
    )
  }

  /// Counts the contents in a completed record.
  mutating func close(_ record: RevisionRecord) throws(DatastoreError) {
    for attachment in record.attachments {
      if case .data(let text) = attachment.content { try count(text.utf8.count) }
    }
    records += 1
  }
}

/// The ancestors of a revision among the rows of its document, which are read once, from the highest
/// generation down.
///
/// In a document with few branches they are neighbours, and moving to the next row takes a fraction of
/// the time of a look-up. Among many branches the scan is given up.
struct AncestorRows: ~Copyable {
  enum Place {
    /// The row of the revision, with its parent.
    case found(parent: RevisionName?)
    /// No row.
    case missing
    /// Too far to scan for, as are all older ones.
    case far
  }

  private var rows: Rows
  private var passedCount = 0
  private var foundCount = 0

  init(_ rows: consuming Rows) { self.rows = rows }

  /// Finds an ancestor; each call names an older one.
  mutating func find(_ name: RevisionName) throws(DatastoreError) -> Place {
    // Passing three rows takes about as long as a look-up; a few more at the start cost nothing that counts.
    while passedCount <= 2 * foundCount + 16 {
      guard try rows.next(), rows.integer(2) >= name.generation else { return .missing }
      if rows.integer(2) == name.generation, rows.hasBytes(0, of: name) {
        foundCount += 1
        return .found(parent: try rows.parent(1, of: name))
      }
      passedCount += 1
    }
    return .far
  }
}
