internal import Datastore
internal import JSON

/// The events that a diagram shows, in order, and where some are left out.
struct Excerpt {
  var items: [Item] = []

  enum Item: Hashable {
    case row(Int)
    /// So many events that are left out.
    case gap(Int)
  }

  /// - Parameters:
  ///   - isDetailed: whether events without a change are shown.
  ///   - documents: the subject of the diagram; if space is short, only events of these documents,
  ///     of replicas and of the network are shown.
  ///   - limit: the largest number of events; the last ones stay.
  init(_ timeline: Timeline, isDetailed: Bool, about documents: [DocumentID], limit: Int) {
    let wanted = timeline.rows.indices.filter { isDetailed || timeline.rows[$0].isTransition }
    guard wanted.count > limit else {
      items = wanted.map { .row($0) }
      return
    }
    let concerned = Set(documents)
    var isKept = Array(repeating: concerned.isEmpty, count: timeline.rows.count)
    var sessions: Set<JSONString> = []
    for place in wanted {
      let row = timeline.rows[place]
      guard row.isAboutTheWorld || row.documents.contains(where: { concerned.contains($0) })
      else { continue }
      isKept[place] = true
      if let session = row.session { sessions.insert(session) }
      if case .arrival(let from?)? = row.message?.end { isKept[from] = true }
    }
    for place in wanted {
      guard let session = timeline.rows[place].session, sessions.contains(session) else { continue }
      let mark = timeline.rows[place].mark
      if mark == .sessionBegan || mark == .sessionEnded { isKept[place] = true }
    }
    let last = Set(wanted.filter { isKept[$0] }.suffix(limit))
    var leftOut = 0
    for place in wanted {
      if last.contains(place) {
        if leftOut > 0 { items.append(.gap(leftOut)) }
        leftOut = 0
        items.append(.row(place))
      } else {
        leftOut += 1
      }
    }
    if leftOut > 0 { items.append(.gap(leftOut)) }
  }

  /// The rows that are shown.
  var rows: [Int] {
    items.compactMap { item in
      if case .row(let place) = item { place } else { nil }
    }
  }
}

extension Row {
  /// Whether it happened to a replica or to the network.
  fileprivate var isAboutTheWorld: Bool {
    switch mark {
    case .crash, .restart, .partition, .heal, .directive, .noReturn, .finding: true
    default: false
    }
  }
}
