internal import Datastore
internal import JSON

/// One client of a backend, as operations name it.
struct CollectionDevice {
  private var session = CollectionSession()
  /// How the queries of a collection are built.
  private var practices: [Text: QueryPractice] = [:]

  /// What is done, with everything read and found in order.
  enum Request {
    case answer(CollectionAnswer)
    case call(Text, CollectionCall)
    case drain
  }

  /// Reads what is to be done; what is misspelt changes nothing.
  mutating func prepare(_ call: CollectionAction.Call) throws(DatastoreError) -> Request {
    switch call {
    case .open(let opening):
      let (description, options, practice) = try CollectionReader.opening(opening)
      session.client.open(description, options)
      practices[description.name] = practice
      return .answer(.done)
    case .setNetwork(let state, let next):
      let standing = try CollectionReader.fate(state, path: "state")
      var fates: [CollectionSession.Fate] = []
      for (index, json) in (next ?? []).enumerated() {
        fates.append(try CollectionReader.fate(json, path: "next[\(index)]"))
      }
      session.standing = standing
      session.next = fates
      return .answer(.done)
    case .inspect:
      return .answer(
        .client(
          ClientState(
            collections: session.client.openCollections,
            queue: session.client.queue.entries.map { $0.json })))
    case .drain: return .drain
    case .collection(let name, let request):
      return .call(name, try self.call(request, on: name))
    }
  }

  private func call(
    _ request: CollectionRequest, on name: Text
  ) throws(DatastoreError) -> CollectionCall {
    let practice = practices[name] ?? QueryPractice()
    switch request {
    case .save(let objects): return .save(try CollectionReader.objects(objects))
    case .load(let ids, let policy, let depth):
      return .load(ids, policy: try CollectionReader.choice(policy, "policy"), depth: depth ?? 0)
    case .query(let steps, let policy, let depth):
      return .query(
        try CollectionReader.query(steps, practice),
        policy: try CollectionReader.choice(policy, "policy"), depth: depth ?? 0)
    case .count(let steps): return .count(try CollectionReader.query(steps, practice))
    case .group(let fields, let function, let field, let steps):
      guard
        let function: CollectionGrouping.Function = try CollectionReader.choice(
          function, "function")
      else { throw CollectionReader.misspelt("function") }
      return .group(
        CollectionGrouping(
          by: fields, function, of: field,
          where: try CollectionReader.query(steps ?? [], practice)))
    case .remove(let ids, let objects, let steps, let rule):
      let target: RemovalTarget
      switch (ids, objects, steps) {
      case (let ids?, nil, nil): target = .ids(ids)
      case (nil, let objects?, nil): target = .objects(try CollectionReader.objects(objects))
      case (nil, nil, let steps?): target = .query(try CollectionReader.query(steps, practice))
      default: throw CollectionReader.misspelt("ids")
      }
      return .remove(target, try CollectionReader.choice(rule, "rule") ?? .only)
    }
  }

  /// Does it, and answers all that was seen.
  mutating func carryOut(
    _ request: Request, _ backend: CollectionBackend, _ environment: inout Environment
  ) throws(HarnessError) -> CollectionAnswer {
    switch request {
    case .answer(let answer): answer
    case .call(let name, let call):
      .report(try session.perform(call, on: name, backend, &environment).spelled)
    case .drain: .report(try session.drain(backend, &environment).spelled)
    }
  }
}
