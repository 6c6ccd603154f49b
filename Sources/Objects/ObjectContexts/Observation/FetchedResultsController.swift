internal import JSON
public import ObjectMapping

/// Watches the results of one fetch of a context.
///
/// It is told of nothing by itself: after a save, a merge, a refresh, or conflicts that were processed,
/// `update()` fetches again and says what has become of the results. What another context saved is seen
/// when the context of the fetch has merged or refreshed it, and not before.
///
/// Source: Core Data, `NSFetchedResultsController`.
public struct FetchedResultsController {
  public let request: FetchRequest
  /// The results as they were when they were last fetched.
  public private(set) var fetchedObjects: [ManagedObject]
  private let context: ManagedObjectContext

  public init(
    _ request: FetchRequest, in context: ManagedObjectContext
  ) throws(ContextError) {
    self.request = request
    self.context = context
    fetchedObjects = try context.fetch(request)
  }

  /// Fetches again and says what has changed, in the order of `FetchedResultChange`.
  ///
  /// When it throws, the results are those of before.
  public mutating func update() throws(ContextError) -> [FetchedResultChange] {
    let objects = try context.fetch(request)
    let changes = FetchedResultChange.changes(from: fetchedObjects, to: objects)
    fetchedObjects = objects
    return changes
  }
}

/// What has become of one result; deletions come first, then insertions, moves and updates, each by its
/// place.
public enum FetchedResultChange: Hashable, Sendable {
  /// It was at a place of the old results, and is none any more.
  case deleted(ObjectID, at: Int)
  /// It is at a place of the new results, and was none.
  case inserted(ObjectID, at: Int)
  /// It stands elsewhere among those that remain, from a place of the old results to one of the new;
  /// its values may have changed as well.
  case moved(ObjectID, from: Int, to: Int)
  /// Its values have changed; the place is that of the new results.
  case updated(ObjectID, at: Int)

  /// The changes between two lists of results.
  ///
  /// What has not changed has not moved either, since its place among the like depends on nothing else;
  /// of the others as few have moved as there can be.
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

  /// An object that was a result and is one.
  private struct Kept {
    var old: Int
    var new: Int
    var isChanged: Bool
  }

  /// The new places of objects that have not moved.
  private static func resting(_ kept: [Kept]) -> Set<Int> {
    // A changed object can only rest where it stood between the same unchanged ones.
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

  /// The places of a longest part of different numbers that rises.
  private static func longestRise(_ numbers: [Int]) -> [Int] {
    // For each length the place where a rise of it ends lowest.
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
