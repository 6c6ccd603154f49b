internal import Datastore
internal import JSON
internal import Scenarios

extension Restriction {
  /// Whether a vector needs the part that such a store cannot perform.
  func prevents(_ vector: Vector) -> Bool {
    switch self {
    case .checkpointsOnOneSide:
      // A checkpoint that does not exist cannot be lost, so such a vector would pass without a test.
      vector.steps.contains { step in
        if case .directive(.loseCheckpoint) = step.content { true } else { false }
      }
    case .changesFromStart: vector.continuesFeed
    case .findWithoutSort:
      // Objects and collections are sorted by the store, too.
      vector.capabilities.contains(.find) && vector.steps.contains { $0.deed.sorts }
    case .historyLimitAtCreation: vector.changesHistoryLimit
    case .ownDigests:
      vector.capabilities.contains(.attachment)
        && vector.steps.contains { $0.json.namesDigest }
    case .purgeMovesNoRow: vector.continuesFeedAfterPurge
    }
  }
}

extension ImplementationDescription {
  /// The declared restrictions that prevent a vector.
  func restrictions(preventing vector: Vector) -> [Restriction] {
    guard !restrictions.isEmpty else { return [] }
    return Restriction.allCases.filter { restrictions.contains($0) && $0.prevents(vector) }
  }
}

extension Vector {
  /// Whether a feed is read from a sequence, by an operation, or by a session that has to continue
  /// from a checkpoint.
  fileprivate var continuesFeed: Bool {
    steps.contains { step in
      switch step.content {
      case .operation(let template):
        if case .changes(_?, _) = template.sample.action { true } else { false }
      case .directive(.replicate): profile == .denseChanges
      case .directive(.loseCheckpoint): false
      }
    }
  }

  /// Whether a history limit is set after another operation or a session on its store.
  fileprivate var changesHistoryLimit: Bool {
    var used: Set<StoreName> = []
    for step in steps {
      switch step.content {
      case .operation(let template):
        let operation = template.sample
        switch operation.action {
        case .open: continue
        case .destroy: used.remove(operation.store)
        case .historyLimit:
          if !used.insert(operation.store).inserted { return true }
        default: used.insert(operation.store)
        }
      case .directive(let directive): used.formUnion(directive.stores)
      }
    }
    return false
  }

  /// Whether the place of a row is tested after a purge in its store: the feed is read from a
  /// sequence, by a session, or with the order that a profile guarantees.
  fileprivate var continuesFeedAfterPurge: Bool {
    var purged: Set<StoreName> = []
    for step in steps {
      switch step.content {
      case .operation(let template):
        switch template.sample.action {
        case .purge: purged.insert(template.sample.store)
        case .changes(let since, _) where purged.contains(template.sample.store):
          if since != nil || profile == .denseChanges { return true }
        default: break
        }
      case .directive(.replicate(let session)):
        for operation in session.operations {
          if case .purge = operation.action { purged.insert(operation.store) }
        }
        if purged.contains(session.source) { return true }
      case .directive(.loseCheckpoint): break
      }
    }
    return false
  }
}

extension JSONValue {
  /// Whether a member `sort` other than an empty list occurs at any depth.
  fileprivate var sorts: Bool {
    switch self {
    case .array(let elements): elements.contains { $0.sorts }
    case .object(let object):
      object.members.contains { $0.name == "sort" && $0.value != [] || $0.value.sorts }
    default: false
    }
  }

  /// Whether a member `digest`, or a SHA-256 digest as a value, occurs at any depth.
  fileprivate var namesDigest: Bool {
    switch self {
    case .string(let text): text.utf8.starts(with: "sha256-".utf8)
    case .array(let elements): elements.contains { $0.namesDigest }
    case .object(let object):
      object.members.contains { $0.name == "digest" || $0.value.namesDigest }
    default: false
    }
  }
}
