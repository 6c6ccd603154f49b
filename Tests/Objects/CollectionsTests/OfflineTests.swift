import Collections
import Datastore
import JSON
import Testing

/// The offline queue, and its delivery.
struct OfflineTests {
  static let offline = CollectionOptions(policy: .networkFirst, isOffline: true)

  static func kitchen(_ failure: NetworkFailure = .notConnected) throws -> Kitchen {
    var kitchen = try Kitchen(offline)
    kitchen.session.standing = .failed(failure)
    return kitchen
  }

  private static func events(_ kitchen: Kitchen) -> [QueueEvent.Kind] {
    kitchen.report.queueEvents.map { $0.kind }
  }

  @Test(arguments: NetworkFailure.allCases)
  func whatIsQueued(failure: NetworkFailure) throws {
    var kitchen = try Self.kitchen(failure)
    try kitchen.perform("Ingredient", .save([CollectionObject(["name": "salt"])]))
    let error = try kitchen.error()
    #expect(error.reason == .network(failure))
    let queues = [-1, -1001, -1006, -1009].contains(error.code)
    #expect(failure.queues == queues)
    #expect(error.queued.count == (queues ? 1 : 0))
    #expect(kitchen.session.client.queue.entries.count == (queues ? 1 : 0))
    #expect(error.queued.allSatisfy { $0.string.hasPrefix("temp_") })
    #expect(error.failures.map { $0.id } == (queues ? [error.queued[0]] : [nil]))
  }

  @Test func answersAreNotQueued() throws {
    var kitchen = try Self.kitchen()
    kitchen.session.standing = .refused(BackendResponse(500, ["error": "Down"]))
    try kitchen.perform("Ingredient", .save([CollectionObject(["name": "salt"])]))
    #expect(try kitchen.error().code == 500)
    #expect(kitchen.session.client.queue.entries == [])
    var online = try Kitchen()
    online.session.standing = .failed(.notConnected)
    try online.perform("Ingredient", .save([CollectionObject(["name": "salt"])]))
    #expect(try online.error().queued == [])
    #expect(online.session.client.queue.entries == [])
  }

  /// A temporary id never leaves the device, and is replaced by the permanent one.
  @Test func temporaryIDs() throws {
    var kitchen = try Self.kitchen()
    try kitchen.perform("Ingredient", .save([CollectionObject(["name": "salt"])]))
    let temporary = try #require(try kitchen.error().queued.first)
    // Queued objects can be read.
    try kitchen.perform("Ingredient", .load([temporary]))
    #expect(kitchen.requests == [])
    var salt = try #require(try kitchen.objects().first)
    #expect(salt.id == temporary)
    kitchen.session.standing = .answered
    #expect(try kitchen.drain() == [#"POST Ingredient {"name":"salt"}"#])
    #expect(kitchen.report.callbacks == [])
    #expect(Self.events(kitchen) == [.sending, .done])
    let id = try #require(kitchen.report.queueEvents.last?.assigned)
    #expect(kitchen.session.client.queue.entries == [])
    // The object in memory still has its temporary id, which remains usable.
    salt.values["name"] = "sea salt"
    let requests = try kitchen.perform("Ingredient", .save([salt]))
    #expect(requests.map { $0.hasPrefix("PUT Ingredient/\(id) ") } == [true])
    #expect(try kitchen.objects().map { $0.id } == [id])
    try kitchen.perform("Ingredient", .load([temporary], policy: .localOnly))
    #expect(try kitchen.objects().map { $0.id } == [id])
    #expect(try kitchen.stored("Ingredient").count == 1)
  }

  @Test func laterSavesReplaceEarlierOnes() throws {
    var kitchen = try Self.kitchen()
    for (id, name) in [("1", "a"), ("2", "b"), ("1", "c")] {
      try kitchen.perform(
        "Ingredient", .save([CollectionObject(id: JSONString(id), ["name": .text(name)])]))
    }
    kitchen.session.standing = .answered
    #expect(
      try kitchen.drain() == [
        #"PUT Ingredient/2 {"_id":"2","name":"b"}"#, #"PUT Ingredient/1 {"_id":"1","name":"c"}"#,
      ])
  }

  /// Failed entries are queued again after the others; each is attempted once in a drain.
  @Test func failuresArePutBack() throws {
    var kitchen = try Self.kitchen()
    for id in ["1", "2", "3"] {
      try kitchen.perform(
        "Ingredient", .save([CollectionObject(id: JSONString(id), ["name": "x"])]))
    }
    kitchen.session.standing = .answered
    kitchen.session.next = [
      .failed(.timedOut), .answered, .refused(BackendResponse(400, ["error": "No"])),
    ]
    #expect(try kitchen.drain().count == 3)
    #expect(
      Self.events(kitchen) == [.sending, .putBack, .sending, .done, .sending, .putBack])
    #expect(kitchen.session.client.queue.entries.map { $0.key.id } == ["1", "3"])
    #expect(try kitchen.drain().count == 2)
    #expect(kitchen.session.client.queue.entries == [])
  }

  /// Any response shows that the backend can be reached.
  @Test func answersDrain() throws {
    var kitchen = try Self.kitchen()
    try kitchen.perform("Ingredient", .save([CollectionObject(id: "1", ["name": "x"])]))
    kitchen.session.standing = .answered
    #expect(
      try kitchen.perform("Recipe", .query(CollectionQuery()))
        == ["GET Recipe", #"PUT Ingredient/1 {"_id":"1","name":"x"}"#])
  }

  /// A child and its parent are queued, and the parent gets the permanent id of the child.
  @Test func referencesToWhatWaits() throws {
    var kitchen = try Self.kitchen()
    let beef = CollectionObject(["name": "beef"])
    let stew = CollectionObject(["name": "Stew"], related: ["parts": [.object(beef)]])
    #expect(try kitchen.perform("Recipe", .save([stew])).count == 1)
    #expect(try kitchen.error().queued.count == 2)
    kitchen.session.standing = .answered
    // A parent that is saved alone waits for the child as well.
    let temporary = try #require(kitchen.session.client.queue.entries.first?.key.id)
    let soup = CollectionObject(["name": "Soup"], related: ["parts": [.id(temporary)]])
    #expect(try kitchen.perform("Recipe", .save([soup])) == [])
    #expect(try kitchen.error().reason == .mustWait)
    let requests = try kitchen.drain()
    let id = try #require(kitchen.report.queueEvents[1].assigned)
    #expect(
      requests == [
        #"POST Ingredient {"name":"beef"}"#,
        #"POST Recipe {"name":"Stew","ingredients":["\#(id)"]}"#,
        #"POST Recipe {"name":"Soup","ingredients":["\#(id)"]}"#,
      ])
  }

  /// A child that fails again delays its parent.
  @Test func aParentWaitsInTheQueue() throws {
    var kitchen = try Self.kitchen()
    let beef = CollectionObject(["name": "beef"])
    let stew = CollectionObject(["name": "Stew"], related: ["parts": [.object(beef)]])
    try kitchen.perform("Recipe", .save([stew]))
    kitchen.session.standing = .answered
    kitchen.session.next = [.failed(.timedOut)]
    #expect(try kitchen.drain() == [#"POST Ingredient {"name":"beef"}"#])
    #expect(Self.events(kitchen) == [.sending, .putBack, .putBack])
    #expect(try kitchen.drain().count == 2)
  }

  @Test func removalsWait() throws {
    var kitchen = try Self.kitchen()
    try kitchen.store("Ingredient", "1", ["name": "salt"])
    try kitchen.store("Ingredient", "2", ["name": "sugar"])
    try kitchen.perform("Ingredient", .remove(.ids(["1", "2", "3"])))
    #expect(try kitchen.error().queued == ["1", "2", "3"])
    #expect(try kitchen.stored("Ingredient").count == 2)
    kitchen.session.standing = .answered
    #expect(
      try kitchen.drain()
        == ["DELETE Ingredient/1", "DELETE Ingredient/2", "DELETE Ingredient/3"])
    // The removal of a missing entity succeeds.
    #expect(kitchen.session.client.queue.entries == [])
    #expect(try kitchen.stored("Ingredient") == [])
  }

  /// The backend never receives an object that was created and removed while offline.
  @Test func whatNeverWasIsDropped() throws {
    var kitchen = try Self.kitchen()
    try kitchen.perform("Ingredient", .save([CollectionObject(["name": "salt"])]))
    let id = try #require(try kitchen.error().queued.first)
    #expect(try kitchen.perform("Ingredient", .remove(.ids([id]))) == [])
    #expect(kitchen.count() == 1)
    #expect(Self.events(kitchen) == [.dropped])
    #expect(kitchen.session.client.queue.entries == [])
  }

  /// A read during a pending save returns the saved version if it is served from the cache.
  @Test func localReadsAreOptimistic() throws {
    var kitchen = try Self.kitchen()
    kitchen.session.standing = .answered
    try kitchen.store("Ingredient", "1", ["name": "salt"])
    try kitchen.perform("Ingredient", .query(CollectionQuery()))
    kitchen.session.standing = .failed(.notConnected)
    try kitchen.perform("Ingredient", .save([CollectionObject(id: "1", ["name": "mine"])]))
    try kitchen.perform("Ingredient", .query(CollectionQuery()))
    #expect(kitchen.report.callbacks.first?.isFromCache == true)
    #expect(try kitchen.objects().map { $0.name } == ["mine"])
    try kitchen.perform("Ingredient", .remove(.ids(["1"])))
    try kitchen.perform("Ingredient", .query(CollectionQuery(), policy: .localOnly))
    #expect(try kitchen.objects() == [])
  }

  /// A save with a lost response is performed twice; this is harmless only with ids of the client.
  @Test(arguments: CollectionOptions.IDAssignment.allCases)
  func lostAnswers(ids: CollectionOptions.IDAssignment) throws {
    var kitchen = try Kitchen(CollectionOptions(isOffline: true, ids: ids))
    kitchen.session.next = [.lost(.timedOut)]
    try kitchen.perform("Ingredient", .save([CollectionObject(["name": "salt"])]))
    #expect(try kitchen.drain().count == 1)
    #expect(try kitchen.stored("Ingredient").count == (ids == .client ? 1 : 2))
  }

  // MARK: Replies in other orders

  private static func sent(_ effects: [CollectionEffect]) -> [BackendRequest] {
    effects.compactMap { if case .send(let request) = $0 { request } else { nil } }
  }

  private static let done = BackendReply.response(BackendResponse(200, ["_id": "1"]))

  /// Of two concurrent saves, the later one counts even if the earlier one fails.
  @Test func anEarlierSaveDoesNotComeBack() throws {
    let kitchen = try Self.kitchen()
    var client = kitchen.session.client
    func save(_ name: JSONValue) -> [BackendRequest] {
      Self.sent(
        client.perform(
          .save([CollectionObject(id: "1", ["name": name])]), on: "Ingredient",
          kitchen.environment))
    }
    let first = save("a")[0].number
    let second = save("b")[0].number
    _ = client.receive(Self.done, to: second, kitchen.environment)
    let effects = client.receive(.failure(.timedOut), to: first, kitchen.environment)
    #expect(client.queue.entries == [])
    guard case .callBack(let callback)? = effects.last, case .error(let error) = callback.result
    else {
      Issue.record("no error")
      return
    }
    #expect(error.queued == [])
    #expect(client.cache[EntityKey("Ingredient", "1")]?["name"] == "b")
  }

  /// A queued save remains when an earlier one is answered late.
  @Test func aLateAnswerTakesNothingAway() throws {
    let kitchen = try Self.kitchen()
    var client = kitchen.session.client
    func save(_ name: JSONValue) -> [BackendRequest] {
      Self.sent(
        client.perform(
          .save([CollectionObject(id: "1", ["name": name])]), on: "Ingredient",
          kitchen.environment))
    }
    let first = save("a")[0].number
    let second = save("b")[0].number
    _ = client.receive(.failure(.timedOut), to: second, kitchen.environment)
    let effects = client.receive(Self.done, to: first, kitchen.environment)
    #expect(client.queue.entries.count == 1)
    #expect(client.cache[EntityKey("Ingredient", "1")]?["name"] == "b")
    #expect(Self.sent(effects).map { $0.body?.objectValue?["name"] } == ["b"])
  }

  /// A save during the transfer of an earlier version waits for the next drain.
  @Test func savesDuringADrain() throws {
    var kitchen = try Self.kitchen()
    try kitchen.perform("Ingredient", .save([CollectionObject(["name": "a"])]))
    let temporary = try #require(try kitchen.error().queued.first)
    var client = kitchen.session.client
    let drained = Self.sent(client.drain())
    let salt = CollectionObject(id: temporary, ["name": "b"])
    let effects = client.perform(.save([salt]), on: "Ingredient", kitchen.environment)
    #expect(Self.sent(effects) == [])
    _ = client.receive(Self.done, to: drained[0].number, kitchen.environment)
    #expect(client.queue.entries.map { $0.key.id } == ["1"])
    #expect(
      Self.sent(client.drain()).map { $0.description } == [
        #"PUT Ingredient/1 {"_id":"1","name":"b"}"#
      ])
  }

  /// The queue and the cache are persistent; calls and their requests are not.
  @Test func crashes() throws {
    var kitchen = try Self.kitchen()
    try kitchen.perform("Ingredient", .save([CollectionObject(id: "1", ["name": "a"])]))
    let sent = Self.sent(kitchen.session.client.drain())
    kitchen.session.client.crash()
    #expect(kitchen.session.client.outstandingRequests == [])
    #expect(
      kitchen.session.client.receive(Self.done, to: sent[0].number, kitchen.environment) == [])
    kitchen.session.standing = .answered
    #expect(try kitchen.drain().count == 1)
    #expect(kitchen.session.client.queue.entries == [])
  }

  /// A save that waits for its new children is late, and a later save of the object is already
  /// queued.
  @Test func theLaterCallHasTheLastWord() throws {
    let environment = RunEnvironment(seed: 1)
    var client = CollectionClient()
    for description in [try Kitchen.recipes(), try Kitchen.ingredients()] {
      client.open(description, Self.offline)
    }
    let salt = CollectionObject(["name": "salt"])
    let early = CollectionObject(id: "r", ["name": "early"], related: ["parts": [.object(salt)]])
    _ = client.perform(.save([early]), on: "Recipe", environment)
    let child = try #require(client.outstandingRequests.first)
    _ = client.perform(
      .save([CollectionObject(id: "r", ["name": "late"])]), on: "Recipe", environment)
    let late = try #require(client.outstandingRequests.last)
    _ = client.receive(.failure(.notConnected), to: late, environment)
    let saved: JSONValue = ["_id": "s", "name": "salt"]
    let effects = client.receive(
      .response(BackendResponse(201, saved)), to: child, environment)
    let queue = client.queue[EntityKey("Recipe", "r")]
    guard case .save(let entity)? = queue?.operation else {
      Issue.record("no save is queued")
      return
    }
    #expect(entity["name"] == "late")
    // The queued save is sent, but not the early one.
    let sent = effects.compactMap { effect in
      if case .send(let request) = effect { request.body?.objectValue?["name"] } else { nil }
    }
    #expect(sent == ["late"])
  }
}
