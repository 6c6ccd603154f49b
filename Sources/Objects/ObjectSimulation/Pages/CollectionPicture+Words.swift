internal import Collections
internal import JSON
internal import Oracles
internal import Rendering

extension CollectionPicture {
  /// A loss in a sentence, with the clauses that permit it.
  func sentence(_ loss: CollectionLoss) -> String {
    let name = "\(loss.key.collection)/\(loss.key.id)"
    let owner =
      acknowledged[loss.stamp].map {
        "acknowledged to device \($0.device) at \($0.time) ms"
      } ?? "acknowledged later"
    let clauses = loss.kind.clauses.joined(separator: ", ")
    switch loss.kind {
    case .update:
      let base = loss.base.map { ", an edit of \($0)" } ?? ""
      return "\(loss.kind.rawValue): device \(loss.client) overwrites \(loss.stamp) of \(name) "
        + "(\(owner)) with \(loss.next ?? "?")\(base) (\(clauses))"
    case .removal:
      return "\(loss.kind.rawValue): device \(loss.client) removes \(name) without having read "
        + "\(loss.stamp) (\(owner)) (\(clauses))"
    case .duplicate:
      return "\(loss.kind.rawValue): device \(loss.client) creates \(loss.stamp) again as \(name), "
        + "because the response to its first request was lost (\(clauses))"
    }
  }
}

extension CollectionLoss.Kind {
  /// The clauses that permit it.
  var clauses: [String] {
    switch self {
    case .update: ["COLL-021", "COLL-096"]
    case .removal: ["COLL-096"]
    case .duplicate: ["COLL-095"]
    }
  }

  /// The number of these losses.
  func count(in losses: CollectionLedger.Losses) -> Int {
    switch self {
    case .update: losses.overwritten
    case .removal: losses.removed
    case .duplicate: losses.madeTwice
    }
  }

  /// The plural of its name.
  var plural: String {
    switch self {
    case .update: "lost updates"
    case .removal: "lost deletes"
    case .duplicate: "duplicates"
    }
  }

  /// Why it happens, in a sentence.
  var reason: String {
    switch self {
    case .update:
      "A save replaces the whole entity, so it overwrites saves that it is no edit of: those of other "
        + "devices, and those of its own device that were in transit."
    case .removal:
      "A removal does not name the version that it removes, so it also removes saves that the "
        + "device had not read."
    case .duplicate:
      "The backend assigns the ids, so a save that is repeated after a lost response creates a "
        + "second entity."
    }
  }
}

extension CollectionTrace.Change {
  var words: String {
    let name = "\(key.collection)/\(key.id)"
    switch (before, after) {
    case (let before?, let after?): return "\(name): \(before) → \(after)"
    case (nil, let after?): return "\(name): new, \(after)"
    case (let before?, nil): return "\(name): \(before) removed"
    case (nil, nil): return "\(name): unchanged"
    }
  }
}

extension QueueEvent.Kind {
  var words: String {
    switch self {
    case .queued: "is queued"
    case .sending: "is sent"
    case .done: "is done"
    case .putBack: "failed and is queued again"
    case .dropped: "is dropped"
    case .declined: "is declined"
    }
  }
}

extension SequencePicture.Sign {
  static let step = Self("·", "quiet", meaning: "a step of the application")
  static let call = Self("c", "quiet", meaning: "a call")
  static let result = Self("r", "live", meaning: "a result from the backend, or an error")
  static let cache = Self("k", "dead", meaning: "a result from the cache")
  static let acknowledgement = Self("✓", "good", meaning: "an acknowledged save")
  static let request = Self(">", "quiet", meaning: "a request")
  static let repetition = Self("»", "odd", meaning: "a request that repeats a save")
  static let response = Self("<", "quiet", meaning: "a response")
  static let read = Self("=", "quiet", meaning: "the backend answers")
  static let write = Self("w", "live", meaning: "the backend changes an entity")
  static let queue = Self("q", "odd", meaning: "the offline queue")
  static let fault = Self("!", "odd", meaning: "a fault of the network or of the backend")
  static let crash = Self("X", "bad", meaning: "a crash")
  static let loss = Self("L", "bad", meaning: "a loss outside the guarantees")
  static let finding = Self("F", "bad", meaning: "a broken guarantee")
}
