internal import JSON
public import ObjectMapping

/// Observes the results of one fetch of a context.
///
/// It does not receive notifications: after a save, a merge, a refresh, or processed conflicts,
/// `update()` fetches again and returns the changes of the results. Changes saved by another
/// context become visible only after the context of the fetch has merged or refreshed them.
///
/// Source: Core Data, `NSFetchedResultsController`.
public struct FetchedResultsController {
  /// The observed fetch.
  public let request: ObjectFetchRequest
  /// The results of the last fetch.
  public private(set) var fetchedObjects: [ManagedObject]
  private let context: ManagedObjectContext
  private let resets: Int

  /// Fetches for the first time.
  public init(
    _ request: ObjectFetchRequest, in context: ManagedObjectContext
  ) throws(ContextError) {
    self.request = request
    self.context = context
    resets = context.resets
    fetchedObjects = try context.fetch(request)
  }

  /// True after a reset of the context: the results are no longer objects of the context.
  public var isEnded: Bool { context.resets != resets }

  /// Fetches again and returns the changes, in the order of `FetchedResultChange`.
  ///
  /// If it throws, the results are unchanged.
  public mutating func update() throws(ContextError) -> [FetchedResultChange] {
    let objects = try context.fetch(request)
    let changes = FetchedResultChange.changes(from: fetchedObjects, to: objects)
    fetchedObjects = objects
    return changes
  }
}

/// The change of one result; deletions come first, then insertions, moves and updates, each by
/// index.
public enum FetchedResultChange: Hashable, Sendable {
  /// The object at an index of the old results is no longer a result.
  case deleted(ObjectID, at: Int)
  /// The object at an index of the new results was not a result before.
  case inserted(ObjectID, at: Int)
  /// The object has changed its position among the remaining ones, from an index of the old results
  /// to one of the new; its values may have changed as well.
  case moved(ObjectID, from: Int, to: Int)
  /// The values of the object have changed; the index is that of the new results.
  case updated(ObjectID, at: Int)

  /// The changes between two lists of results.
  ///
  /// An unchanged object has not moved, because its position relative to other unchanged objects
  /// depends only on their values. Of the changed objects, as few as possible count as moved.
  static func changes(
    from old: [ManagedObject], to new: [ManagedObject]
  ) -> [FetchedResultChange] {
    var oldPlaces: [ObjectID: Int] = [:]
    for (place, object) in old.enumerated() { oldPlaces[object.id] = place }
    let newIDs = Set(new.map { $0.id })
    let kept = new.enumerated().compactMap { place, object in
      oldPlaces[object.id].map { from in
        Kept(
          old: from, new: place,
          isChanged: RowSnapshot(old[from]).values != RowSnapshot(object).values)
      }
    }
    let resting = resting(kept)
    var changes: [FetchedResultChange] = []
    for (place, object) in old.enumerated() where !newIDs.contains(object.id) {
      changes.append(.deleted(object.id, at: place))
    }
    for (place, object) in new.enumerated() where oldPlaces[object.id] == nil {
      changes.append(.inserted(object.id, at: place))
    }
    for object in kept where !resting.contains(object.new) {
      changes.append(.moved(new[object.new].id, from: object.old, to: object.new))
    }
    for object in kept where object.isChanged && resting.contains(object.new) {
      changes.append(.updated(new[object.new].id, at: object.new))
    }
    return changes
  }

  /// An object that is in the old and in the new results.
  private struct Kept {
    var old: Int
    var new: Int
    var isChanged: Bool
  }

  /// The new indexes of objects that have not moved.
  private static func resting(_ kept: [Kept]) -> Set<Int> {
    // A changed object can only count as unmoved between the same unchanged ones.
    var next = kept.map { _ in Int.max }
    var last = Int.max
    for place in kept.indices.reversed() {
      next[place] = last
      if !kept[place].isChanged { last = kept[place].old }
    }
    var before = -1
    var candidates: [Kept] = []
    for (place, object) in kept.enumerated() {
      if !object.isChanged {
        before = object.old
        candidates.append(object)
      } else if before < object.old, object.old < next[place] {
        candidates.append(object)
      }
    }
    return Set(longestRise(candidates.map { $0.old }).map { candidates[$0].new })
  }

  /// The indexes of a longest increasing subsequence of distinct numbers.
  private static func longestRise(_ numbers: [Int]) -> [Int] {
    // For each length, the index at which a subsequence of that length has its lowest last element.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[place] = low == 0 ? nil : ends[low - 1]
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var rise: [Int] = []
    var next = ends.last
    while let place = next {
      rise.append(place)
      next = before[place]
    }
    return rise.reversed()
  }
}
