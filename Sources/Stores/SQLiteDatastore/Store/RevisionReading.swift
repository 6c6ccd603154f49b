internal import Datastore
internal import JSON

/// What one call of `getRevisions` has read of the paths of revisions, and how long its answer is.
///
/// Where a call may need several paths of one document, each parent is read once and equal paths share
/// their memory.
struct RevisionReading {
  /// Revision ids from a revision down, and their bytes in an answer.
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

  /// Documents of which several paths may be needed; of others nothing is kept.
  private var repeated: Set<DocumentID> = []
  private var paths: [Int64: [RevisionName: Path]] = [:]
  private var parents: [Int64: [RevisionName: RevisionName?]] = [:]
  private var parentCount = 0
  private var bytes: Int64 = 0
  private var records = 0

  /// How many parents are kept at most, which takes some 100 MB.
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

  /// The parent of a revision; nil when it was not read in this call.
  func parent(of name: RevisionName, in document: Int64) -> RevisionName?? {
    parents[document]?[name]
  }

  /// Keeps a parent, or that there is none.
  mutating func note(
    _ parent: RevisionName?, above name: RevisionName, in document: Int64, of id: DocumentID
  ) {
    guard parentCount < Self.parentsMax, repeated.contains(id) else { return }
    let old = parents[document, default: [:]].updateValue(parent, forKey: name)
    if old == nil { parentCount += 1 }
  }

  // MARK: Length

  /// Fails when the answer becomes too long with so many bytes more; a single record never does.
  mutating func count(_ more: Int) throws(DatastoreError) {
    bytes += Int64(more)
    guard bytes > RevisionAnswer.bytesMax, records > 0 else { return }
    throw DatastoreError(
      .tooLarge(limit: RevisionAnswer.bytesMax),
      "the answer is longer than \(RevisionAnswer.bytesMax) bytes: request fewer revisions at once")
  }

  /// Counts the contents in a record, which is whole.
  mutating func close(_ record: RevisionRecord) throws(DatastoreError) {
    for attachment in record.attachments {
      if case .data(let text) = attachment.content { try count(text.utf8.count) }
    }
    records += 1
  }
}
