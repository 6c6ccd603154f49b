internal import Datastore
internal import JSON
internal import Scenarios

extension Row {
  /// Describes an operation on a store, and its outcome.
  mutating func tell(_ operation: StoreOperation, _ outcome: Outcome, isClient: Bool) {
    documents = operation.action.documents
    asked = operation.json.serialized()
    answered = outcome.json.serialized()
    mark = Mark(operation.action, outcome, isClient: isClient)
    let subject = Self.subject(operation.action, outcome)
    let name = mark == .stored ? "stores" : operation.action.name
    words = subject.isEmpty ? name : "\(name) \(subject)"
    switch outcome {
    case .ok(let result):
      if let answer = Self.answer(result) { words += ": \(answer)" }
    case .error(let error): words += ": \(error.kind)"
    case .unknown: words += ": outcome unknown"
    }
    switch operation.action {
    case .writeLocal(_, let body?) where mark == .checkpoint:
      let newest = body.objectValue?["history"]?.arrayValue?.first?.objectValue?["recorded"]
      words = "checkpoint" + (newest.map { " up to \($0.plain)" } ?? " saved")
    case .compact, .destroy, .setValidation(.some), .historyLimit:
      isTransition = outcome.errorKind == nil
    default: break
    }
    if mark == .unknown { isTransition = true }
    if case .error(let error) = outcome, case .storage = error.kind { isTransition = isClient }
  }

  /// The subject of an operation: documents and revisions, abbreviated.
  private static func subject(_ action: StoreAction, _ outcome: Outcome) -> String {
    switch action {
    case .create(let id, _):
      guard case .ok(.written(let made, let rev)) = outcome else { return id?.name ?? "" }
      return "\(made.name) \(rev.short)"
    case .update(let id, let rev, _), .delete(let id, let rev, _):
      guard case .ok(.written(_, let made)) = outcome else { return "\(id.name) \(rev.short)" }
      return "\(id.name) \(made.short) after \(rev.short)"
    case .read(let id, let rev): return "\(id.name)\(rev.map { " \($0.short)" } ?? "")"
    case .leaves(let id): return id.name
    case .resolve(let id, let leaves, let keep, _):
      return "\(id.name) \(leaves.count) leaves, keep \(keep.short)"
    case .purge(let id, let revs): return "\(id.name) \(listed(revs.map { $0.short }))"
    case .changes(let since, _):
      return since.map { "after \($0.json.plain.cut(to: 16))" } ?? ""
    case .revsDiff(let queries), .getRevisions(let queries):
      return listed(queries.map { "\($0.id.name) \(listed($0.revs.map { $0.short }))" })
    case .insertRevisions(let records):
      return listed(
        records.map { record in
          "\(record.id.name) \(record.path.first?.short ?? "?")\(record.deleted ? " (deleted)" : "")"
        })
    case .attaching(let attachments, let write):
      return "\(subject(write, outcome)) with \(count(attachments.count, "attachment"))"
    case .readAttachment(let id, let rev, let name, let offset, _):
      let place = offset.map { " from \($0) on" } ?? ""
      return
        "\(name.printable.cut(to: 20)) of \(id.name)\(rev.map { " \($0.short)" } ?? "")\(place)"
    case .putBlob(let digest, let offset, let bytes):
      let content = digest.printable.cut(to: 14)
      return bytes == "" ? "size of \(content)" : "\(content) from \(offset) on"
    default: return ""
    }
  }

  /// The outcome of a store, if it is more than success.
  private static func answer(_ result: OperationResult) -> String? {
    switch result {
    case .document(let document):
      return "\(document.rev.short)\(document.deleted ? " (deleted)" : "")"
    case .leaves(let leaves): return listed(leaves.map { $0.rev.short })
    case .changes(let page): return count(page.rows.count, "row") + (page.more ? ", more" : "")
    case .revsDiff(let differences):
      let missing = differences.reduce(0) { $0 + $1.missing.count }
      return missing == 0 ? "nothing missing" : "\(missing) missing"
    case .revisions(let answers):
      let records = answers.reduce(0) { sum, answer in
        if case .records(let found) = answer.found { sum + found.count } else { sum }
      }
      return count(records, "record")
    case .inserted(let errors):
      let refused = errors.filter { $0 != nil }.count
      return refused == 0 ? nil : "\(refused) refused"
    case .resolved(let rev, let tombstones):
      return "\(rev.short), \(count(tombstones.count, "tombstone"))"
    case .purged(let revs): return "\(revs.count) gone"
    case .attachment(let piece): return piece.bytes == "" ? "nothing more" : nil
    case .held(let bytes): return "\(bytes) there"
    default: return nil
    }
  }

  /// Describes the fault of a message.
  mutating func tell(_ mishap: Trace.Mishap, _ message: String, to name: String) {
    switch mishap {
    case .fate(_, let fate):
      switch fate {
      case .lost: (mark, words) = (.lost, "\(message) to \(name) is lost")
      case .twice: (mark, words) = (.twice, "\(message) to \(name) is delivered twice")
      case .late(let milliseconds):
        (mark, words) = (
          .late, "\(message) to \(name) is delayed by \(pause(milliseconds: milliseconds))"
        )
      case .status(let code): (mark, words) = (.spoilt, "\(message) gets status \(code)")
      case .truncated: (mark, words) = (.spoilt, "\(message) is truncated")
      case .partial: (mark, words) = (.spoilt, "\(message) lacks its last item")
      case .damaged: (mark, words) = (.spoilt, "\(message) has damaged attachment bytes")
      case .delivered: (mark, words) = (.other, "\(message) arrives")
      }
    case .wayClosed: (mark, words) = (.blocked, "\(message): \(name) is partitioned")
    case .nobodyThere: (mark, words) = (.blocked, "\(message): \(name) is down")
    case .nobodyWaits: (mark, words) = (.blocked, "\(message): the sender no longer waits for it")
    }
  }

  /// Describes crashes and changes of replicas and of the network.
  mutating func tell(_ event: Trace.Event, _ lanes: [ReplicaName]) {
    isTransition = true
    switch event {
    case .crashed(let kind):
      (mark, words) = (.crash, kind == .kill ? "process killed" : "power loss")
    case .restarted: (mark, words) = (.restart, "restarts")
    case .calmed: (mark, words) = (.heal, "all faults are repaired; all replicas must converge")
    case .directed(let directive): tell(directive)
    default: break
    }
  }

  private mutating func tell(_ directive: Directive) {
    mark = .directive
    words = directive.words
    switch directive {
    case .partition, .block: mark = .partition
    case .heal: mark = .heal
    default: break
    }
  }
}

extension Mark {
  /// The class of an operation on a store.
  fileprivate init(_ action: StoreAction, _ outcome: Outcome, isClient: Bool) {
    switch (action, outcome) {
    case (_, .error(let error)):
      // At every first session, a peer without a checkpoint is read for one.
      if case .readLocal = action, error.kind == .notFound(.missing) {
        self = .requestIn
      } else {
        self = .refused
      }
    case (.create, .unknown), (.update, .unknown), (.delete, .unknown), (.resolve, .unknown),
      (.insertRevisions, .unknown), (.purge, .unknown), (.batch, .unknown), (.writeLocal, .unknown),
      (.putBlob, .unknown):
      self = .unknown
    case (.attaching(_, let write), _): self.init(write, outcome, isClient: isClient)
    case (.create, _), (.update, _), (.batch, _): self = .write
    case (.delete, _): self = .delete
    case (.resolve, _): self = .resolve
    case (.purge, _), (.destroy, _): self = .purge
    case (.insertRevisions, _): self = .stored
    case (.writeLocal(_, .some), _): self = isClient ? .other : .checkpoint
    default: self = isClient ? .other : .requestIn
    }
  }
}

extension Filter {
  /// What passes, in a few words.
  fileprivate var words: String {
    switch self {
    case .documentIDs(let ids): "only \(listed(ids.map { $0.name }))"
    case .live: "only live leaves"
    case .bodyFieldEquals(let field, let value):
      "only \(field.printable.cut(to: 20)) = \(value.serialized().printable.cut(to: 20))"
    case .selector(let selector):
      "only \(selector.json.serialized().printable.cut(to: 40))"
    }
  }
}

extension Directive {
  /// Its effect, in a few words; the place is shown beside them.
  var words: String {
    switch self {
    case .perform(_, let operation): return operation.words
    case .replicate(let directive): return directive.words
    case .partition(let groups):
      let sides = groups.map { listed($0.map { $0.name }, atMost: 6) }
      return "partition: " + sides.joined(separator: " | ")
    case .block(let from, let to): return "partition from \(from.name) to \(to.name)"
    case .heal: return "all partitions are healed"
    case .stop(let step): return "stop session of \(step.name)"
    case .crash(_, let kind):
      return kind == .kill ? "kill in the next operation" : "power loss in the next operation"
    case .restart: return "restart"
    case .clock(_, let offset): return "clock is off by \(pause(milliseconds: offset))"
    case .storage(_, let condition):
      return condition == .well ? "disk is repaired" : "disk is \(condition.rawValue)"
    case .loseCheckpoint: return "checkpoints are lost"
    case .copyStore: return "the store is copied"
    case .restoreStore: return "the store is restored from its copy"
    case .settle: return "settle"
    }
  }

  /// The replica at which it does something; nil for the network or for all.
  var place: ReplicaName? {
    switch self {
    case .perform(let replica, _), .crash(let replica, _), .restart(let replica),
      .clock(let replica, _), .storage(let replica, _), .loseCheckpoint(let replica),
      .copyStore(let replica), .restoreStore(let replica):
      replica
    case .replicate(let directive): directive.by
    case .stop, .partition, .block, .heal, .settle: nil
    }
  }
}

extension ClientOperation {
  /// The operation in a few words.
  fileprivate var words: String {
    var words = ([action.name] + action.documents.map { $0.name }).joined(separator: " ")
    if let leaf, leaf > 0 { words += ", leaf \(leaf)" }
    var write = action
    if case .attaching(_, let inner) = action { write = inner }
    switch write {
    case .create(_, let body), .update(_, _, let body), .resolve(_, _, _, let body?):
      words += ", body \(body.serialized().printable.cut(to: 60))"
    default: break
    }
    if case .attaching(let attachments, _) = action {
      words += ", attachments \(listed(attachments.map { $0.name.printable.cut(to: 20) }))"
    }
    return words
  }
}

extension JSONValue {
  /// The value as it stands in a sentence: text without its quotes.
  fileprivate var plain: String { textValue?.printable ?? serialized().printable }
}

extension Replicate {
  /// The session in a few words.
  var words: String {
    var words =
      by == target
      ? "pull \(source.name) → \(target.name)"
      : by == source
        ? "push \(source.name) → \(target.name)"
        : "copy \(source.name) → \(target.name) by \(by.name)"
    if isContinuous { words += ", continuous" }
    if let filter { words += ", \(filter.words)" }
    if let batch { words += ", batches of \(batch)" }
    return words
  }
}
