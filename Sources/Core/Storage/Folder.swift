/// The names of files: the current ones, and those that a power loss can restore.
///
/// A name refers to a body. The body of a deleted file is kept while the name is still on the disk.
struct Folder {
  /// The names on the disk.
  private var durable: [String: FileBody] = [:]
  /// The changes since the last sync, oldest first.
  private var changes: [Change] = []
  private(set) var bodies: [String: FileBody] = [:]

  private struct Change {
    let number: Int
    let step: StorageStep
    let name: String
    /// The body to which the name refers after the change; nil after a deletion.
    let body: FileBody?
    /// The former name of the body, which refers to nothing after the change.
    var oldName: String?
  }

  // MARK: Changes

  /// Sets the body of a name, or removes the name.
  mutating func set(_ name: String, to body: FileBody?, number: Int, _ step: StorageStep) {
    bodies[name] = body
    changes.append(Change(number: number, step: step, name: name, body: body))
  }

  /// Moves a body from one name to another; records the old name so that a power loss can keep
  /// neither, either or both.
  mutating func rename(_ name: String, to newName: String, number: Int, _ step: StorageStep) {
    guard name != newName, let body = bodies.removeValue(forKey: name) else { return }
    bodies[newName] = body
    changes.append(
      Change(number: number, step: step, name: newName, body: body, oldName: name))
  }

  /// The same as `set`, durably.
  mutating func replace(_ name: String, with body: FileBody?) {
    bodies[name] = body
    durable[name] = body
    changes.removeAll { $0.name == name }
  }

  /// Makes the changes so far durable.
  mutating func sync() {
    durable = bodies
    changes = []
  }

  // MARK: Power loss

  /// The changes of names and bytes that a power loss may undo, in the order in which they
  /// happened.
  var unsyncedChanges: [UnsyncedChange] {
    var found = changes.map {
      UnsyncedChange(number: $0.number, step: $0.step, fileName: $0.name, sectorCount: 0)
    }
    for (name, body) in allBodies { found += body.unsyncedChanges(fileName: name) }
    return found.sorted { $0.number < $1.number }
  }

  /// Undoes and tears changes as `loss` specifies; the remaining state is durable.
  mutating func losePower(_ loss: PowerLoss) {
    for change in changes where loss.outcome(of: change.number) != .dropped {
      if let oldName = change.oldName { durable[oldName] = nil }
      durable[change.name] = change.body
    }
    bodies = durable
    changes = []
    for (_, body) in allBodies { body.losePower(loss) }
  }

  /// Every body that has a name or may have one after a power loss, once, with that name.
  private var allBodies: [(name: String, body: FileBody)] {
    var found: [ObjectIdentifier: (String, FileBody)] = [:]
    for (name, body) in bodies { found[ObjectIdentifier(body)] = (name, body) }
    for (name, body) in durable { found[ObjectIdentifier(body)] = (name, body) }
    for change in changes {
      if let body = change.body { found[ObjectIdentifier(body)] = (change.name, body) }
    }
    return Array(found.values)
  }

  /// A folder of the same names with copies of the bodies.
  func copy() -> Folder {
    var copies: [ObjectIdentifier: FileBody] = [:]
    for (_, body) in allBodies { copies[ObjectIdentifier(body)] = body.copy() }
    var copy = Folder()
    copy.durable = durable.compactMapValues { copies[ObjectIdentifier($0)] }
    copy.bodies = bodies.compactMapValues { copies[ObjectIdentifier($0)] }
    copy.changes = changes.map { change in
      Change(
        number: change.number, step: change.step, name: change.name,
        body: change.body.flatMap { copies[ObjectIdentifier($0)] }, oldName: change.oldName)
    }
    return copy
  }
}
