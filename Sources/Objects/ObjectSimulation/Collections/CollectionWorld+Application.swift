internal import Collections
internal import Datastore
internal import JSON
internal import Oracles

// The actions of applications.

extension CollectionWorld {
  /// An object to save, with its previous stamp.
  private struct Edit {
    var object: CollectionObject
    var base: JSONString?
  }

  mutating func perform(_ step: CollectionWorkload.Step) throws(HarnessError) {
    let device = step.client
    trace(device, .step(step.number, step.deed.words))
    switch step.deed {
    case .create(let count):
      var recipe = CollectionObject([
        "servings": .integer(Int64(step.number % 8)), Self.stamp: .string(Self.stamp(step, 0)),
      ])
      recipe.related["ingredients"] = (0..<count).map { .object(Self.ingredient(step, $0 + 1)) }
      try save([Edit(object: recipe)], at: device)
    case .edit(let pick, let servings, let adds):
      guard var edit = edit(step, 0, pick: pick, servings: servings) else { return }
      if adds {
        edit.object.related["ingredients", default: []].append(.object(Self.ingredient(step, 1)))
      }
      try save([edit], at: device)
    case .editMany(let pick, let count, let servings):
      var edits: [Edit] = []
      for place in 0..<count {
        guard let edit = edit(step, place, pick: pick + place, servings: servings),
          !edits.contains(where: { $0.object.id == edit.object.id })
        else { continue }
        edits.append(edit)
      }
      if !edits.isEmpty { try save(edits, at: device) }
    case .query(let servings, let policy, let depth):
      let bound = servings.map { bound in
        CollectionFilter([.field("servings", .meets([.compares(.greaterOrEqual, .integer(bound))]))]
        )
      }
      let query = CollectionQuery(bound ?? CollectionFilter())
      try call(
        .query(query, policy: policy, depth: depth), at: device,
        for: .find(in: Self.recipes, policy))
    case .load(let pick, let policy, let depth):
      guard let id = known(at: device, pick)?.id else { return }
      try call(
        .load([id], policy: policy, depth: depth), at: device, for: .find(in: Self.recipes, policy))
    case .remove(let pick, let rule):
      guard let recipe = known(at: device, pick), let id = recipe.id else { return }
      devices[device].known[id] = nil
      try control.remove(root(of: recipe.stamp), at: device)
      try call(
        .remove(.objects([recipe]), rule), at: device, removing: [recipe.stamp], for: .remove)
    case .drain: try take(devices[device].client.drain(), at: device)
    case .goOffline(let time):
      let end = now + time
      devices[device].offlineUntil = end
      trace(device, .offline(until: end))
    case .crash:
      result.crashes += 1
      trace(device, .crashed)
      devices[device].client.crash()
      devices[device].calls = [:]
      devices[device].known = [:]
      devices[device].life += 1
      ledger.crash(device, losing: Array(devices[device].answers.values))
      devices[device].answers = [:]
    }
  }

  /// Makes a call, and performs its immediate effects.
  mutating func call(
    _ call: CollectionCall, on collection: JSONString = CollectionWorld.recipes, at device: Int,
    _ drafts: [CollectionLedger.Draft] = [], removing removed: [JSONString] = [],
    for purpose: Purpose
  ) throws(HarnessError) {
    result.calls += 1
    let number = devices[device].client.lastCall + 1
    trace(device, .call(number, call.words))
    devices[device].calls[number] = purpose
    ledger.begin(device, number, drafts: drafts, removing: removed, at: now)
    try take(devices[device].client.perform(call, on: collection, environment), at: device)
  }

  // MARK: Saving

  private mutating func save(_ edits: [Edit], at device: Int) throws(HarnessError) {
    var drafts: [CollectionLedger.Draft] = []
    for edit in edits {
      drafts.append(CollectionLedger.Draft(stamp: edit.object.stamp, base: edit.base))
      bases[edit.object.stamp] = edit.base
      for case .object(let part)? in edit.object.related["ingredients"] ?? [] where part.id == nil {
        drafts.append(CollectionLedger.Draft(stamp: part.stamp))
      }
      // The object in memory keeps the edit, regardless of the outcome of the call.
      if let id = edit.object.id { devices[device].known[id] = edit.object }
      try control.save(root(of: edit.object.stamp), edit.object.stamp, at: device)
    }
    try call(.save(edits.map { $0.object }), at: device, drafts, for: .save)
  }

  private func edit(
    _ step: CollectionWorkload.Step, _ place: Int, pick: Int, servings: Int64
  ) -> Edit? {
    guard var recipe = known(at: step.client, pick) else { return nil }
    let base = recipe.stamp
    recipe.values["servings"] = .integer(servings)
    recipe.values[Self.stamp] = .string(Self.stamp(step, place))
    // Its new ingredients are saved together with it, once.
    recipe.related["ingredients"] = recipe.related["ingredients"]?.filter { part in
      if case .object(let object) = part { object.id != nil } else { true }
    }
    return Edit(object: recipe, base: base)
  }

  /// The first stamp of an object.
  private func root(of stamp: JSONString) -> JSONString {
    var root = stamp
    while let base = bases[root] { root = base }
    return root
  }

  private static func ingredient(_ step: CollectionWorkload.Step, _ place: Int) -> CollectionObject
  {
    let stamp = stamp(step, place)
    return CollectionObject(["name": .string(stamp), Self.stamp: .string(stamp)])
  }

  private static func stamp(_ step: CollectionWorkload.Step, _ place: Int) -> JSONString {
    JSONString("s\(step.number).\(place)")
  }

  private func known(at device: Int, _ pick: Int) -> CollectionObject? {
    let known = devices[device].known
    guard !known.isEmpty else { return nil }
    let ids = known.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return known[ids[pick % ids.count]]
  }
}

extension CollectionWorkload.Deed {
  /// A short description of the action.
  fileprivate var words: String {
    switch self {
    case .create(let count): "create a recipe with ingredients: \(count)"
    case .edit(_, let servings, let adds):
      "edit a recipe, servings: \(servings)\(adds ? ", with a new ingredient" : "")"
    case .editMany(_, let count, let servings): "edit recipes: \(count), servings: \(servings)"
    case .query(let servings, let policy, let depth):
      "query \(servings.map { "servings from \($0)" } ?? "all"), \(policy.rawValue), depth \(depth)"
    case .load(_, let policy, let depth): "load a recipe, \(policy.rawValue), depth \(depth)"
    case .remove(_, let rule): "remove a recipe, \(rule.rawValue)"
    case .drain: "send the offline queue"
    case .goOffline(let time): "go offline for \(time) ms"
    case .crash: "crash"
    }
  }
}

extension CollectionCall {
  /// A short description of the call.
  fileprivate var words: String {
    switch self {
    case .save(let objects): "save \(objects.map { "\($0.id ?? "a new one") as \($0.stamp)" })"
    case .load(let ids, let policy, _): "load \(ids), \(policy?.rawValue ?? "default policy")"
    case .query(let query, let policy, _):
      "query \(query.filter.json.serialized()), \(policy?.rawValue ?? "default policy")"
    case .count, .group: "counts"
    case .remove(.objects(let objects), let rule):
      "remove \(objects.map { $0.id ?? "?" }), \(rule.rawValue)"
    case .remove: "removes"
    }
  }
}

extension CollectionObject {
  /// The text that identifies its last save.
  var stamp: JSONString { values[CollectionWorld.stamp]?.textValue ?? "" }
}
