package import JSON

/// What the result of an operation can look like, so that a misspelt expectation is found at once.
///
/// Without it a vector that says `possibleAncestor` is absent would hold for every store.
package indirect enum ResultShape: Sendable {
  case text
  case integer
  case bool
  /// A string or an integer.
  case sequence
  /// Any JSON value, compared as a whole.
  case value
  /// Any JSON value, in which matchers other than `$unordered` may stand.
  case open
  case object([(name: Text, shape: ResultShape)])
  /// An object with any names, whose values are alike.
  case names(of: ResultShape)
  case list(of: ResultShape, order: Order = .inOrder)
  /// A list of one element per write of a batch.
  case results([ResultShape])
}

extension ResultShape {
  /// Which order of the elements of a list the contract promises.
  package enum Order: Sendable {
    case inOrder
    /// The first one is the winner, the others have no order.
    case winnerFirst
    case open
    /// In order under the profile `dense-changes`, and not without it.
    case inOrderIfDense
  }

  /// Whether a text can stand there.
  package var isText: Bool {
    switch self {
    case .text, .open: true
    default: false
    }
  }

  /// The shape of what the action answers when it succeeds.
  package init(of action: Action) {
    switch action {
    case .open, .close, .destroy, .compact, .historyLimit, .setValidation, .flush, .writeLocal:
      self = .object([])
    case .info:
      self = .object([
        ("documents", .integer), ("deletedDocuments", .integer), ("last", .sequence),
        ("incarnation", .text),
      ])
    case .create, .update, .delete: self = .object([("id", .text), ("rev", .text)])
    case .read:
      self = .object([
        ("id", .text), ("rev", .text), ("deleted", .bool), ("body", .value),
        ("attachments", .attachments), ("bodyMatches", .open),
      ])
    case .list:
      self = .object([("rows", .list(of: .object([("id", .text), ("rev", .text)])))])
    case .leaves: self = .object([("leaves", .leaves)])
    case .changes:
      let row = ResultShape.object([
        ("seq", .sequence), ("id", .text), ("deleted", .bool), ("leaves", .leaves),
      ])
      self = .object([
        ("rows", .list(of: row, order: .inOrderIfDense)), ("last", .sequence), ("more", .bool),
      ])
    case .revsDiff:
      let difference = ResultShape.object([
        ("id", .text), ("missing", .list(of: .text, order: .open)),
        ("possibleAncestors", .list(of: .text, order: .open)),
      ])
      self = .object([("results", .list(of: difference, order: .open))])
    case .getRevisions:
      let answer = ResultShape.object([
        ("id", .text), ("rev", .text), ("records", .list(of: .record, order: .open)),
        ("missing", .text),
      ])
      self = .object([("results", .list(of: answer))])
    case .insertRevisions:
      let result = ResultShape.object([("ok", .object([])), ("error", .error)])
      self = .object([("results", .list(of: result))])
    case .readLocal: self = .object([("body", .value)])
    case .resolve: self = .object([("rev", .text), ("tombstones", .list(of: .text, order: .open))])
    case .purge: self = .object([("purged", .list(of: .text, order: .open))])
    case .batch(let writes):
      self = .object([("results", .results(writes.map { ResultShape(of: $0) }))])
    case .replicate: self = .object([("requests", .list(of: .value)), ("state", .text)])
    case .attaching(_, let write): self.init(of: write)
    case .readAttachment:
      self = .object(Self.attachment + [("offset", .integer), ("bytes", .text)])
    case .putBlob: self = .object([("held", .integer)])
    case .finding(let action): self.init(of: action)
    case .family(let operation): self = operation.base.resultShape
    }
  }

  private init(of action: FindAction) {
    switch action {
    case .find:
      let document = ResultShape.object([("id", .text), ("rev", .text), ("body", .value)])
      self = .object([("docs", .list(of: document))])
    case .explain: self = .object([("index", .value), ("plan", .value)])
    case .createIndex: self = .object([("created", .bool)])
    case .dropIndex: self = .object([])
    case .listIndexes:
      let index = ResultShape.object([
        ("name", .text), ("type", .text), ("fields", .list(of: .text)),
      ])
      self = .object([("indexes", .list(of: index))])
    }
  }

  /// The shape of an error: its kind, and the fields that some kind has; messages are for people.
  package static let error = ResultShape.object([
    ("kind", .text), ("path", .text), ("reason", .text), ("limit", .integer), ("what", .text),
    ("fault", .text), ("write", .integer), ("name", .text), ("operator", .text),
  ])

  private static let leaves = ResultShape.list(
    of: .object([("rev", .text), ("deleted", .bool)]), order: .winnerFirst)

  private static let record = ResultShape.object([
    ("id", .text), ("path", .list(of: .text)), ("deleted", .bool), ("body", .value),
    ("attachments", .attachments),
  ])

  package static let attachments = ResultShape.names(of: .object(attachment))

  private static let attachment: [(name: Text, shape: ResultShape)] = [
    ("type", .text), ("digest", .text), ("length", .integer), ("revpos", .integer),
    ("encoding", .text), ("encodedLength", .integer), ("ownDigest", .text), ("data", .text),
    ("stub", .bool), ("file", .text), ("chunks", .bool),
  ]
}
