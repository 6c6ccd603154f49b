public import Datastore
internal import JSON

/// A minimal part of a history without a valid order.
///
/// Operations are left out one after the other while the answer stays "no order". A write that is
/// left out may still have happened, at any time after its request or never, so the rest alone
/// contradicts the rules.
public struct OrderWitness: Hashable, Sendable {
  /// An operation of the witness.
  public struct Item: Hashable, Sendable {
    /// The place in the history.
    public var operation: Int
    /// Whether the contradiction needs the outcome and the time of the response. If not, the operation
    /// is shown because others name its revision.
    public var isNeeded: Bool
    /// Whether it only overlaps with the contradiction.
    public var isBeside = false
    /// What the operation shows or does, in the words of documents.
    public var words: [String]
  }

  /// The documents of the contradiction; empty for the counts of the store.
  public var documents: [DocumentID]
  /// The possible states at the beginning of the witness.
  public var beginnings: [String]
  /// In the order of the requests.
  public var items: [Item]
  /// The states of the documents that are possible after each response of a needed operation, in the
  /// order of the responses; the last list is empty.
  public var stages: [Stage]

  /// The possible states after a response.
  public struct Stage: Hashable, Sendable {
    /// The operation whose response it is, as a place in the history.
    public var operation: Int
    /// Each state in words; at most `shownMax`.
    public var states: [String]
    /// The number of possible states.
    public var count: Int

    /// The maximum number of states that are listed.
    public static let shownMax = 8
  }

  /// Searches the witness of a finding of the check `order`; nil if the finding is of another check or
  /// cannot be confirmed.
  public init?(
    _ finding: HistoryFinding, in history: ClientHistory, _ promises: Set<ConsistencyPromise>,
    stepsMax: Int = 20_000, isStopped: @escaping () -> Bool = { false }
  ) {
    guard finding.check == .order else { return nil }
    let reading = HistoryReading(history, promises)
    guard
      let group = reading.searches(stepsMax: HistoryChecker().stepsMax).first(where: {
        $0.documents.map(\.id) == finding.documents
      })
    else { return nil }
    let search = group.answer().search
    var shrinking = OrderShrinking(
      search, until: finding.until, in: history, stepsMax: stepsMax, isStopped: isStopped)
    guard shrinking.shrink() else { return nil }
    documents = finding.documents
    let words = EventWords(reading)
    items = shrinking.kept.map { place, isNeeded in
      let entry = shrinking.entries[place]
      return Item(
        operation: entry.operation, isNeeded: isNeeded,
        words: entry.ways[0].map { words.text(of: $0) })
    }
    beginnings = Self.texts(shrinking.starts, words)
    stages = Self.stages(shrinking, words)
    items += beside(search.entries, words)
    items.sort { ($0.operation, $0.isNeeded ? 0 : 1) < ($1.operation, $1.isNeeded ? 0 : 1) }
  }

  /// Writes that overlap with the operation whose outcome is impossible: one of them is often the
  /// cause, although the contradiction is complete without them.
  private func beside(_ entries: [OrderSearch.Entry], _ words: EventWords) -> [Item] {
    guard let last = stages.last?.operation,
      let end = entries.first(where: { $0.operation == last })
    else { return [] }
    let known = Set(items.map(\.operation))
    let others = entries.filter { entry in
      !entry.isRead && !known.contains(entry.operation) && entry.end != .max
        && entry.call < end.end && end.call < entry.end
    }
    return others.suffix(Self.besideMax).map { entry in
      Item(
        operation: entry.operation, isNeeded: true, isBeside: true,
        words: entry.ways[0].map { words.text(of: $0) })
    }
  }

  private static let besideMax = 4

  private static func texts(_ points: [PossiblePoints.Point], _ words: EventWords) -> [String] {
    var texts: [String] = []
    for point in points {
      let text = words.text(of: point.forest)
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  /// The states after each response, until none is possible.
  private static func stages(_ shrinking: OrderShrinking, _ words: EventWords) -> [Stage] {
    let kept = shrinking.kept
    let entries = kept.map { place, isNeeded in
      isNeeded ? shrinking.entries[place] : shrinking.entries[place].optional
    }
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1.place, $0) })
    let starts = shrinking.starts.map { start in
      PossiblePoints.Point(forest: start.forest, done: Set(start.done.compactMap { places[$0] }))
    }
    var points = PossiblePoints(entries, from: starts)
    var stages: [Stage] = []
    for ended in PossiblePoints.ends(entries) {
      points.advance(to: ended)
      guard !points.isTooMany else { break }
      let texts = texts(points.points, words)
      stages.append(
        Stage(
          operation: entries[ended].operation, states: Array(texts.prefix(Stage.shownMax)),
          count: texts.count))
      if texts.isEmpty { break }
    }
    return stages
  }
}
