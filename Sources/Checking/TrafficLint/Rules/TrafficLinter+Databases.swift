internal import JSON

// The information of databases, and databases that are created again.

extension TrafficLinter {
  func beginDatabase(_ flow: Flow) {
    switch flow.method {
    case "GET", "HEAD", "PUT": flow.contact.isRead = true
    default: break
    }
  }

  func endDatabase(_ flow: Flow) {
    guard flow.isSuccess else { return }
    switch flow.method {
    case "DELETE": flow.database.reset(at: flow.place)
    case "PUT":
      flow.database.reset(at: flow.place)
      flow.database.instance = nil
    default:
      let body = flow.exchange.response?.body.json?.objectValue
      if let sequence = body?["update_seq"].flatMap({ SequenceName($0) }) {
        flow.database.sequences.insert(sequence.digest)
      }
      guard let instance = body?["instance_start_time"] else { return }
      if let known = flow.database.instance, known != instance {
        flow.database.reset(at: flow.place)
      }
      flow.database.instance = instance
    }
  }

  /// Records that a client uses a database as a source or a target.
  func use(_ flow: Flow) {
    let contact = flow.contact
    if !contact.isRead, contact.unreadUse == 0 { contact.unreadUse = flow.place }
    if contact.sessionStart == 0 { contact.sessionStart = flow.place }
    contact.hasWorked = true
  }
}
