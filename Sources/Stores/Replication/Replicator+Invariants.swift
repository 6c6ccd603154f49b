internal import Datastore

extension Replicator {
  /// Checks the invariants between two events in debug builds.
  func assertInvariants() { assert(invariantViolation == nil, invariantViolation ?? "") }

  /// The invariant that does not hold, or nil.
  ///
  /// The checkpoint follows the settled pages. So a page must not leave the list while a request or
  /// a deferred record of it is outstanding: the checkpoint would pass a revision that the target
  /// has not stored.
  private var invariantViolation: String? {
    if state.isFinal {
      let isEmpty = requests.isEmpty && pages.isEmpty && deferredRecords.isEmpty && contents.isEmpty
      return isEmpty ? nil : "the replicator has ended and still has work"
    }
    for (older, newer) in zip(pages, pages.dropFirst()) where older.number >= newer.number {
      return "page \(newer.number) is behind page \(older.number)"
    }
    var open = 0
    for page in pages {
      let outstanding =
        requests.count { $0.purpose.page == page.number }
        + deferredRecords.count { $0.page == page.number }
      if page.open != outstanding {
        return "page \(page.number) counts \(page.open) open requests; it has \(outstanding)"
      }
      open += outstanding
    }
    if open != requests.count(where: { $0.purpose.page != nil }) + deferredRecords.count {
      return "a page was settled before its last request"
    }
    if requests.count(where: { $0.purpose.isSave }) != (save == nil ? 0 : 1) {
      return "the checkpoint that is being saved and its request do not match"
    }
    return nil
  }
}

extension Replicator.Purpose {
  /// The page that is not settled without this request.
  fileprivate var page: Int64? {
    switch self {
    case .diff(let page), .fetch(let page, _), .lookup(let page, _),
      .insert(let page, _, _):
      page
    case .identity, .checkpoint, .changes, .content, .flush, .saveTarget, .saveSource: nil
    }
  }

  /// True for the steps of saving a checkpoint.
  fileprivate var isSave: Bool {
    switch self {
    case .flush, .saveTarget, .saveSource: true
    default: false
    }
  }
}
