import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// The changes of the results of one fetch.
struct FetchedResultsTests {
  static let request = ObjectFetchRequest(
    "Thing",
    where: .comparison(PredicateComparison(.path(["a"]), .less, operand: .value(.integer(100)))),
    sort: [FetchSortDescriptor("a")])

  @Test func afterChangesAndSaves() throws {
    for cache in try Fixtures.both(try Fixtures.model()) {
      let context = cache.context()
      for (place, id) in (["x", "y", "z"] as [ObjectID]).enumerated() {
        try context.insert("Thing", id: id, Fixtures.numbers(Int64(place * 10), 0))
      }
      try context.save()
      var results = try FetchedResultsController(Self.request, in: context)
      #expect(results.fetchedObjects.map { $0.id } == ["x", "y", "z"])
      #expect(try results.update().isEmpty)
      try context.set("b", 7, of: "y")
      #expect(try results.update() == [.updated("y", at: 1)])
      // Only the version differs.
      try context.save()
      #expect(try results.update().isEmpty)
      try context.set("a", 15, of: "x")
      #expect(try results.update() == [.moved("x", from: 0, to: 1)])
      try context.insert("Thing", id: "w", Fixtures.numbers(1, 0))
      try context.set("a", 200, of: "y")
      try context.delete("z")
      #expect(
        try results.update()
          == [.deleted("y", at: 0), .deleted("z", at: 2), .inserted("w", at: 0)])
      context.rollback()
      #expect(
        try results.update()
          == [
            .deleted("w", at: 0), .inserted("y", at: 1), .inserted("z", at: 2),
            .updated("x", at: 0),
          ])
    }
  }

  @Test func afterMergesAndRefreshes() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let (writer, reader) = (cache.context(), cache.context())
    try writer.insert("Thing", id: "x", Fixtures.numbers(1, 0))
    try writer.insert("Thing", id: "y", Fixtures.numbers(2, 0))
    try writer.save()
    var results = try FetchedResultsController(Self.request, in: reader)
    try writer.set("b", 5, of: "x")
    try writer.insert("Thing", id: "z", Fixtures.numbers(0, 0))
    let notification = try writer.save()
    // An inserted object is found in the store immediately; registered objects keep their values.
    #expect(try results.update() == [.inserted("z", at: 0)])
    try reader.merge(notification)
    #expect(try results.update() == [.updated("x", at: 1)])
    try writer.set("b", 6, of: "y")
    try writer.save()
    #expect(try results.update().isEmpty)
    try reader.refresh("y", merging: true)
    #expect(try results.update() == [.updated("y", at: 2)])
    try writer.delete("x")
    try reader.merge(try writer.save())
    #expect(try results.update() == [.deleted("x", at: 1)])
  }

  /// Resolved conflicts change results like any merge.
  @Test func afterConflicts() throws {
    let cache = Fixtures.memory(try Fixtures.model())
    let (ours, theirs) = (cache.context(), cache.context())
    try ours.insert("Thing", id: "x", Fixtures.numbers(1, 1))
    try ours.save()
    try theirs.object("x")
    try theirs.set("a", 3, of: "x")
    try theirs.save()
    var results = try FetchedResultsController(Self.request, in: ours)
    try ours.set("a", 2, of: "x")
    #expect(try results.update() == [.updated("x", at: 0)])
    guard case .mergeConflicts(let conflicts)? = ours.failure({ try ours.save() })?.reason else {
      throw Fixtures.Missing()
    }
    #expect(try results.update().isEmpty)
    try ours.resolve(conflicts, by: .storeTrump)
    #expect(try results.update() == [.updated("x", at: 0)])
    #expect(try ours.number("a", of: "x") == 3)
  }

  /// A reset ends an observation; a rollback does not.
  @Test func afterResets() throws {
    let context = Fixtures.memory(try Fixtures.model()).context()
    try context.insert("Thing", id: "x", Fixtures.numbers(1, 0))
    try context.save()
    let results = try FetchedResultsController(Self.request, in: context)
    context.rollback()
    #expect(!results.isEnded)
    context.reset()
    #expect(results.isEnded)
    #expect(try !FetchedResultsController(Self.request, in: context).isEnded)
  }

  /// The old results plus the changes yield the new results, with the minimum number of moves.
  @Test func changesAreComplete() throws {
    let random = RunEnvironment(seed: 5)
    for _ in 1...60 {
      let context = Fixtures.memory(try Fixtures.model()).context()
      func number(below count: UInt64) -> Int64 { Int64(random.nextRandom() % count) }
      for id in 0..<8 {
        try context.insert(
          "Thing", id: ObjectID(JSONString("\(id)")), Fixtures.numbers(number(below: 130), 0))
      }
      var results = try FetchedResultsController(Self.request, in: context)
      let old = results.fetchedObjects.map { $0.id }
      var before: [ObjectID: Int64?] = [:]
      for id in old { before[id] = try context.number("a", of: id) }
      for id in 0..<8 where number(below: 2) == 0 {
        try context.set("a", number(below: 130), of: ObjectID(JSONString("\(id)")))
      }
      let changes = try results.update()
      var list: [ObjectID?] = old
      var arrivals: [(Int, ObjectID)] = []
      for change in changes {
        switch change {
        case .deleted(let id, let place):
          #expect(list[place] == id)
          list[place] = nil
        case .inserted(let id, let place): arrivals.append((place, id))
        case .moved(let id, let from, let to):
          #expect(list[from] == id)
          list[from] = nil
          arrivals.append((to, id))
        case .updated: break
        }
      }
      var rebuilt = list.compactMap { $0 }
      for (place, id) in arrivals.sorted(by: { $0.0 < $1.0 }) { rebuilt.insert(id, at: place) }
      #expect(rebuilt == results.fetchedObjects.map { $0.id })
      let new = results.fetchedObjects.map { $0.id }
      let kept = old.filter { new.contains($0) }
      let isChanged = try kept.map { try before[$0] != context.number("a", of: $0) }
      let moves = changes.count { if case .moved = $0 { true } else { false } }
      let places = kept.compactMap { new.firstIndex(of: $0) }
      #expect(moves == Self.fewestMoves(places, isChanged: isChanged))
    }
  }

  /// Returns the minimum number of moves, by trying all sets of objects that stay; only changed
  /// objects can move.
  private static func fewestMoves(_ places: [Int], isChanged: [Bool]) -> Int {
    (0..<1 << places.count).compactMap { set -> Int? in
      let staying = places.indices.filter { set >> $0 & 1 == 1 }
      let isRising = zip(staying, staying.dropFirst()).allSatisfy { places[$0] < places[$1] }
      let moving = places.indices.filter { set >> $0 & 1 == 0 }
      return isRising && moving.allSatisfy { isChanged[$0] } ? moving.count : nil
    }.min() ?? 0
  }
}
