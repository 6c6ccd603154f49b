internal import Datastore

extension Replicator {
  /// Checks the invariants between two events in debug builds.
  func assertInvariants() { assert(invariantViolation == nil, invariantViolation ?? "") }

  /// The description of a violated invariant, or nil if all hold.
  ///
  /// The checkpoint follows the completed pages. So a page must remain in the list while a request
  /// or a deferred record of it is outstanding; otherwise the checkpoint would cover a revision
  /// that the target has not stored.
  private var invariantViolation: String? {
    if state.isFinal {
      let isEmpty = requests.isEmpty && pages.isEmpty && deferredRecords.isEmpty && contents.isEmpty
      return isEmpty ? nil : "the replicator has ended but has pending work"
    }
    for (older, newer) in zip(pages, pages.dropFirst()) where older.number >= newer.number {
      return "page \(newer.number) follows page \(older.number)"
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
      return "a page was completed before its last request"
    }
    if requests.count(where: { $0.purpose.isSave }) != (save == nil ? 0 : 1) {
      return "the checkpoint that is being saved and its request do not match"
    }
    return nil
  }
}

extension Replicator.Purpose {
  /// The page that cannot complete without this request.
  fileprivate var page: Int64? {
    switch self {
    case .diff(let page), .fetch(let page, _), .lookup(let page, _),
      .insert(let page, _, _):
      page
    case .identity, .checkpoint, .changes, .content, .flush, .saveTarget, .saveSource: nil
    }
  }

  /// Whether the request is a step of saving a checkpoint.
  fileprivate var isSave: Bool {
    switch self {
    case .flush, .saveTarget, .saveSource: true
    default: false
    }
  }
}
