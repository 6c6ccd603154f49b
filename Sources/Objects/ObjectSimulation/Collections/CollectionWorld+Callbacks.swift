internal import Collections
internal import Datastore
internal import JSON
internal import Oracles
internal import Simulation

// Callbacks of applications.

extension CollectionWorld {
  mutating func take(_ callback: CollectionCallback, at device: Int) throws(HarnessError) {
    digest.fold(UInt64(bitPattern: callback.call))
    trace(
      device,
      .callback(
        callback.call, callback.words, stamps: callback.stamps, isFromCache: callback.isFromCache))
    defer { traceAcknowledged(at: device) }
    guard let purpose = devices[device].calls[callback.call] else {
      return note(ledger.end(device, callback.call))
    }
    switch (purpose, callback.result) {
    case (.save, .objects(let objects)):
      let saved = objects.flatMap { Self.objects($0, Self.recipes) }
      for object in objects { keep(object, at: device) }
      note(ledger.saved(device, callback.call, stamps: saved.map { $0.object.stamp }))
    case (.save, .error(let error)):
      let saved = error.succeeded.flatMap { Self.objects($0, Self.recipes) }
      for object in error.succeeded { keep(object, at: device) }
      // If a save has queued referenced objects, only the object itself counts as saved.
      let roots = error.succeeded.map { $0.stamp }
      note(
        ledger.saved(
          device, callback.call,
          stamps: saved.map { $0.object.stamp }.filter { roots.contains($0) }))
    case (.find(let collection, let policy), .objects(let objects)):
      let isLast = !(policy == .both && callback.isFromCache)
      let found = objects.flatMap { Self.objects($0, collection) }
      note(
        ledger.told(
          device, callback.call,
          found: found.map {
            (CollectionLedger.Key($0.collection, $0.object.id ?? ""), $0.object.stamp)
          },
          isFromCache: callback.isFromCache, isLast: isLast, at: now))
      if collection == Self.recipes { for object in objects { keep(object, at: device) } }
      // A device that reaches the backend also reaches the other replicas.
      if !callback.isFromCache { try control.synchronize(device) }
      if !isLast { return }
    default: note(ledger.end(device, callback.call))
    }
    devices[device].calls[callback.call] = nil
  }

  mutating func take(_ event: QueueEvent, at device: Int) throws(HarnessError) {
    var stamp: JSONString? {
      guard case .save(let entity)? = devices[device].client.queue[event.key]?.operation else {
        return nil
      }
      return entity[Self.stamp]?.textValue
    }
    let count = devices[device].client.queue.entries.count
    trace(device, .queue(event.kind, event.key, count: count))
    defer { traceAcknowledged(at: device) }
    switch event.kind {
    case .queued: if let stamp { ledger.wait(device, stamp) }
    case .sending: devices[device].sending = stamp
    case .done:
      note(ledger.drained(device, devices[device].sending))
      if let id = event.assigned,
        var recipe = devices[device].known.removeValue(forKey: event.key.id)
      {
        recipe.id = id
        devices[device].known[id] = recipe
      }
    default: break
    }
  }

  /// Replaces the application's version of an object by that of a callback, even if an edit is in
  /// progress, because real applications are careless.
  private mutating func keep(_ object: CollectionObject, at device: Int) {
    guard let id = object.id else { return }
    devices[device].known[id] = object
  }

  /// An object with its loaded related objects.
  private static func objects(
    _ object: CollectionObject, _ collection: JSONString
  ) -> [(collection: JSONString, object: CollectionObject)] {
    var found = [(collection: collection, object: object)]
    for case .object(let part)? in object.related["ingredients"] ?? [] {
      found += objects(part, ingredients)
    }
    return found
  }
}

extension CollectionCallback {
  /// The stamps of its objects, and of those that they contain.
  fileprivate var stamps: [JSONString] {
    guard case .objects(let objects) = result else { return [] }
    return objects.map { $0.stamp }
  }

  /// A short description of the callback.
  fileprivate var words: String {
    let source = isFromCache ? " from the cache" : ""
    switch result {
    case .objects(let objects):
      return "finds \(objects.map { "\($0.id ?? "?") \($0.stamp)" })\(source)"
    case .count(let count): return "counts \(count)\(source)"
    case .groups(let groups): return "groups \(groups.count)\(source)"
    case .error(let error): return "fails: \(error)"
    }
  }
}
