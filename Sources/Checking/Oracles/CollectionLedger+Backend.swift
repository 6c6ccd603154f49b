internal import Datastore
public import JSON

// The semantics of requests, implemented independently.

extension CollectionLedger {
  /// The field that identifies saves.
  private static let stamp: JSONString = "stamp"

  /// The backend performed a request and responds.
  ///
  /// - Parameters:
  ///   - status: of the response, 200 to 299 for success.
  ///   - isLost: whether the response is lost.
  public mutating func arrived(
    _ client: Int, _ request: Request, status: Int64, answer: JSONValue, isLost: Bool,
    at time: UInt64
  ) -> OracleFinding? {
    let isSuccess = 200..<300 ~= status
    arrivals += 1
    switch (request.method, request.id) {
    case ("POST", nil):
      guard isSuccess, let id = answer.objectValue?["_id"]?.textValue else {
        return refused(request, status)
      }
      let key = Key(request.collection, id)
      guard entities[key] == nil else {
        return .collections(.repeatedID(key))
      }
      return put(
        client, key, body: request.body, answer: answer, isLost: isLost, time: time, isNew: true)
    case ("PUT", let id?):
      guard isSuccess else { return refused(request, status) }
      return put(
        client, Key(request.collection, id), body: request.body, answer: answer, isLost: isLost,
        time: time, isNew: false)
    case ("GET", let id?):
      let there = entities[Key(request.collection, id)]
      guard isSuccess == (there != nil), there == nil || answer == .object(arranged(there ?? [:]))
      else { return wrong(request, .entity, status: status, answer: answer) }
      hear(client, [answer], isLost: isLost)
      return nil
    case ("GET", nil):
      let expected = Set(matching(request).map { JSONValue.object(arranged(entities[$0] ?? [:])) })
      guard isSuccess, let found = answer.arrayValue, found.count == expected.count,
        Set(found) == expected
      else { return wrong(request, .entities(expected.count), status: status, answer: answer) }
      hear(client, found, isLost: isLost)
      return nil
    case ("DELETE", let id?):
      let key = Key(request.collection, id)
      guard isSuccess == (entities[key] != nil) else {
        return wrong(request, .deletion, status: status, answer: answer)
      }
      return isSuccess ? remove(client, [key], time: time) : nil
    case ("DELETE", nil):
      let keys = matching(request)
      guard isSuccess, answer.objectValue?["count"] == .integer(Int64(keys.count)) else {
        return wrong(request, .removed(keys.count), status: status, answer: answer)
      }
      return remove(client, keys, time: time)
    default: return nil
    }
  }

  private mutating func hear(_ client: Int, _ found: [JSONValue], isLost: Bool) {
    guard !isLost else { return }
    heard[client, default: []].formUnion(
      found.compactMap { $0.objectValue?[Self.stamp]?.textValue })
  }

  private func refused(_ request: Request, _ status: Int64) -> OracleFinding? {
    .collections(.refused(request, status: status))
  }

  private func wrong(
    _ request: Request, _ expected: CollectionFault.Expectation, status: Int64,
    answer: JSONValue
  ) -> OracleFinding? {
    .collections(.wrongAnswer(request, status: status, answer, expected: expected))
  }

  /// Returns the entities of a filter in byte order: all, an id of several, or a bound of a number.
  private func matching(_ request: Request) -> [Key] {
    entities.keys.filter { key in
      key.collection == request.collection
        && (request.filter?.objectValue ?? [:]).members.allSatisfy { member in
          meets(entities[key]?[member.name], member.value)
        }
    }.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
  }

  private func meets(_ value: JSONValue?, _ test: JSONValue) -> Bool {
    guard let operators = test.objectValue else { return value == test }
    return operators.members.allSatisfy { member in
      switch (member.name, member.value) {
      case ("$in", .array(let values)):
        values.contains { value == $0 || value?.arrayValue?.contains($0) ?? false }
      case ("$gte", .integer(let bound)):
        if case .integer(let number)? = value { number >= bound } else { false }
      case ("$lt", .integer(let bound)):
        if case .integer(let number)? = value { number < bound } else { false }
      default: false
      }
    }
  }

  /// Returns the entity with its id first, then the fields in byte order.
  func arranged(_ entity: JSONObject) -> JSONObject {
    let names = entity.members.map { $0.name }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var arranged: JSONObject = ["_id": entity["_id"] ?? .null]
    for name in names where name != "_id" { arranged[name] = entity[name] }
    return arranged
  }

  // MARK: Writing

  private mutating func put(
    _ client: Int, _ key: Key, body: JSONValue?, answer: JSONValue, isLost: Bool,
    time: UInt64, isNew: Bool
  ) -> OracleFinding? {
    guard var entity = body?.objectValue, let stamp = entity[Self.stamp]?.textValue else {
      return .collections(.withoutStamp(key, client: client))
    }
    entity["_id"] = .string(key.id)
    guard answer == .object(arranged(entity)) else {
      return .collections(.savedOtherwise(key, answer: answer))
    }
    endVersion(of: key, by: stamp, time, client: client)
    entities[key] = entity
    versions[key, default: []].append(Version(stamp: stamp, from: time))
    written.insert(stamp)
    if isLost { lostAnswers[stamp, default: 0] += 1 }
    guard isNew else { return nil }
    made[stamp, default: 0] += 1
    guard let count = made[stamp], count > 1 else { return nil }
    duplicates.append(
      CollectionLoss(
        kind: .duplicate, key: key, stamp: stamp, client: client, arrival: arrivals))
    let excused = lostAnswers[stamp, default: 0]
    guard count - 1 > excused else { return nil }
    return .collections(
      .duplicate(stamp: stamp, client: client, count: count, lostAnswers: excused))
  }

  private mutating func remove(
    _ client: Int, _ keys: [Key], time: UInt64
  ) -> OracleFinding? {
    for key in keys {
      if let stamp = entities[key]?[Self.stamp]?.textValue, seen[client]?.contains(stamp) ?? false {
        closeVersion(of: key, time)
      } else {
        endVersion(of: key, by: nil, time, client: client)
      }
      entities[key] = nil
    }
    return nil
  }

  private mutating func closeVersion(of key: Key, _ time: UInt64) {
    guard let last = versions[key]?.indices.last else { return }
    versions[key]?[last].until = time
  }

  /// Ends an entity; it is lost if the client of the next write had not read it.
  ///
  /// - Parameter stamp: the stamp of the next version; nil for a removal.
  private mutating func endVersion(
    of key: Key, by stamp: JSONString?, _ time: UInt64, client: Int
  ) {
    guard let last = versions[key]?.last, last.until == nil else { return }
    closeVersion(of: key, time)
    guard last.stamp != stamp, !(stamp.map { stands($0, on: last.stamp) } ?? false) else { return }
    unseenEnds[last.stamp] = CollectionLoss(
      kind: stamp == nil ? .removal : .update, key: key, stamp: last.stamp, next: stamp,
      base: stamp.flatMap { drafts[$0]?.base }, client: client, arrival: arrivals)
  }

  /// Whether the client that wrote one stamp had read another one before.
  func stands(_ stamp: JSONString, on other: JSONString) -> Bool {
    var next: JSONString? = stamp
    var met: Set<JSONString> = []
    while let each = next, met.insert(each).inserted {
      if each == other { return true }
      next = drafts[each]?.base
    }
    return false
  }
}
