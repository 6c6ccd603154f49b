import CouchDBInterface
import HTTPClient
import HTTPPeer
import HTTPServer
import TouchstoneSQLite

/// A server with one database, in this process.
private func withServer(
  _ folder: String, _ body: (_ url: JSONString) throws -> Void
) throws {
  let storage = try DiskStorage(directory: folder + "/server")
  let service = try CouchDBService(SQLiteDatastore(storage: storage))
  let server = try HTTPServer { service.response(to: $0) }
  defer { server.stop() }
  let url = "http://127.0.0.1:\(server.port)/recipes"
  _ = try HTTPClient(try ServerAddress.reading(url).address).send(HTTPRequest("PUT", ""))
  try body(JSONString(url))
}

/// A device with a file.
private func device(
  _ path: String
) throws -> (store: IncrementalStore, context: ManagedObjectContext) {
  let store = try IncrementalStore(in: try SQLiteFile(path), try recipeModel())
  return (store, ManagedObjectContext(store))
}

/// The guide of CDTIncrementalStore: replication and conflicts.
let replicationGuide = [
  Sample("Replication: pull, and poll until it is inactive") { folder in
    try withServer(folder) { remoteURL in
      let other = try device(folder + "/other.db")
      try other.context.insert("Recipe", id: "1", ["name": text("Pancakes")])
      try other.context.save()
      try other.store.replicatorThatPushes(to: .server(remoteURL)).run()

      let mine = try device(folder + "/mine.db")
      let puller = mine.store.replicatorThatPulls(from: .server(remoteURL))
      try puller.start()
      while puller.isActive { try puller.step() }
      try expect(puller.state == .complete, true)
      try expect(try mine.context.object("1").properties["name"], text("Pancakes"))
    }
  },
  Sample("Replication: process conflicts, resolve by a policy, save, push") { folder in
    try withServer(folder) { remoteURL in
      let devices = try ["a", "b"].map { try device("\(folder)/\($0).db") }
      try devices[0].context.insert("Recipe", id: "1", ["name": text("Pancakes")])
      try devices[0].context.save()
      try devices[0].store.replicatorThatPushes(to: .server(remoteURL)).run()
      try devices[1].store.replicatorThatPulls(from: .server(remoteURL)).run()
      for (device, name) in zip(devices, ["Crêpes", "Blini"] as [JSONString]) {
        try device.context.set(["name": text(name)], of: "1")
        try device.context.save()
      }
      try devices[0].store.replicatorThatPushes(to: .server(remoteURL)).run()

      let (store, moc) = devices[1]
      let puller = store.replicatorThatPulls(from: .server(remoteURL))
      try puller.run()
      let mergeConflicts = try puller.processConflicts(with: moc)
      try expect(mergeConflicts.count, 1)
      try moc.resolve(mergeConflicts, by: .storeTrump)
      try moc.save()
      try store.replicatorThatPushes(to: .server(remoteURL)).run()
      try expect(try moc.object("1").properties["name"], text("Crêpes"))

      try devices[0].store.replicatorThatPulls(from: .server(remoteURL)).run()
      try expect(try devices[0].context.processConflicts().count, 0)
    }
  },
  Sample("Replication: a start that fails sends nothing") { folder in
    let mine = try device(folder + "/mine.db")
    let puller = mine.store.replicatorThatPulls(from: .server("ftp://example.com/recipes"))
    do {
      try puller.start()
      throw Unexpected(description: "the start did not fail")
    } catch let error as ObjectReplicatorError {
      try expect(error.reason, .unreachable)
      try expect(puller.isActive, false)
    }
  },
  Sample("Replication: best practices") { folder in
    let mine = try device(folder + "/mine.db")
    try mine.context.insert("Recipe", id: "1")
    try expect(
      try ReplicationAdvisory.warnings(
        before: .push, of: mine.context.coordinator, contexts: [mine.context]),
      [.unsavedChanges(context: 0)])
  },
]
