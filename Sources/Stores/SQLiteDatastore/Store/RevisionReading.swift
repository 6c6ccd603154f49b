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
