/// The names of files: as they are now, and how to get to those that a power loss leaves.
///
/// A name leads to a body. A file that was deleted lives on where its name is still on the disk.
struct Folder {
  /// The names on the disk.
  private var durable: [String: FileBody] = [:]
  /// What happened since, oldest first.
  private var changes: [Change] = []
  private(set) var bodies: [String: FileBody] = [:]

  private struct Change {
    let number: Int
    let step: StorageStep
    let name: String
    /// The body that the name leads to from now on; nil when it was deleted.
    let body: FileBody?
    /// The name that led to it until then, and leads to nothing from now on.
    var oldName: String?
  }

  // MARK: Changing

  /// Leads a name to another body, or to none.
  mutating func set(_ name: String, to body: FileBody?, number: Int, _ step: StorageStep) {
    bodies[name] = body
    changes.append(Change(number: number, step: step, name: name, body: body))
  }

  /// Leads another name to a body that has one, and the old name to none, both or neither.
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

  /// Makes what was changed so far durable.
  mutating func sync() {
    durable = bodies
    changes = []
  }

  // MARK: Losing

  /// What a power loss may undo of names and of bytes, in the order in which it happened.
  var unsyncedChanges: [UnsyncedChange] {
    var found = changes.map {
      UnsyncedChange(number: $0.number, step: $0.step, fileName: $0.name, sectorCount: 0)
    }
    for (name, body) in allBodies { found += body.unsyncedChanges(fileName: name) }
    return found.sorted { $0.number < $1.number }
  }

  /// Undoes and tears changes as decided; what is left then is durable.
  mutating func losePower(_ loss: PowerLoss) {
    for change in changes where loss.fate(of: change.number) != .dropped {
      if let oldName = change.oldName { durable[oldName] = nil }
      durable[change.name] = change.body
    }
    bodies = durable
    changes = []
    for (_, body) in allBodies { body.losePower(loss) }
  }

  /// Every body that a name leads to, or may lead to after a power loss, once, with that name.
  private var allBodies: [(name: String, body: FileBody)] {
    var found: [ObjectIdentifier: (String, FileBody)] = [:]
    for (name, body) in bodies { found[ObjectIdentifier(body)] = (name, body) }
    for (name, body) in durable { found[ObjectIdentifier(body)] = (name, body) }
    for change in changes {
      if let body = change.body { found[ObjectIdentifier(body)] = (change.name, body) }
    }
    return Array(found.values)
  }

  /// A folder of the same names that leads to copies of the bodies.
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
