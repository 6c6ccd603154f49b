package import Datastore
internal import JSON

extension CollectionAction {
  package var resultShape: ResultShape { .object(ResultShape.members(of: self)) }
}

extension ResultShape {
  /// The members of what an operation on collections answers.
  static func members(of action: CollectionAction) -> [(name: Text, shape: ResultShape)] {
    switch action {
    case .setRules, .client(_, .open), .client(_, .setNetwork), .client(_, .crash),
      .client(_, .setSettings):
      []
    case .client(_, .inspect):
      [
        ("collections", .list(of: .text)), ("queue", .list(of: queuedOperation)),
        ("settings", .value),
      ]
    case .client(_, .migrate):
      [
        ("state", .text), ("steps", .list(of: moveStep)),
        ("requests", .list(of: collectionRequest)), ("progress", .list(of: collectionProgress)),
        ("problem", collectionError), ("longestMainBlock", .integer),
      ]
    case .client(_, .collection), .client(_, .drain):
      [
        ("requests", .list(of: collectionRequest)), ("callbacks", .list(of: collectionCallback)),
        ("progress", .list(of: collectionProgress)), ("fills", .list(of: filledRelation)),
        ("queue", .list(of: queueEvent)),
      ]
    }
  }

  private static let queuedOperation = ResultShape.object([
    ("collection", .text), ("id", .text), ("operation", .text),
  ])

  private static let moveStep = ResultShape.object([
    ("step", .text), ("collection", .text), ("objects", .integer),
  ])

  private static let queueEvent = ResultShape.object([
    ("event", .text), ("collection", .text), ("id", .text), ("assigned", .text),
  ])

  private static let collectionProgress = ResultShape.object([
    ("done", .integer), ("total", .integer),
  ])

  private static let filledRelation = ResultShape.object([
    ("collection", .text), ("id", .text), ("relation", .text),
    ("objects", .list(of: collectionObject)), ("problem", collectionError),
  ])

  private static let collectionRequest = ResultShape.object([
    ("method", .text), ("collection", .text), ("path", .text), ("parameters", .value),
    ("body", .value), ("status", .integer), ("failure", .text),
  ])

  private static let collectionCallback = ResultShape.object([
    ("objects", .list(of: collectionObject)), ("count", .integer), ("groups", .value),
    ("problem", collectionError), ("fromCache", .bool),
  ])

  private static let collectionObject = ResultShape.object([
    ("id", .text), ("tag", .text), ("values", .value), ("related", .value), ("unknown", .value),
    ("deleted", .bool),
  ])

  private static let objectFailure = ResultShape.object([
    ("collection", .text), ("index", .integer), ("id", .text), ("reason", .text), ("name", .text),
    ("field", .text),
  ])

  private static let collectionError = ResultShape.object([
    ("reason", .text), ("code", .integer), ("name", .text), ("field", .text),
    ("failures", .list(of: objectFailure)), ("succeeded", .list(of: collectionObject)),
    ("queued", .list(of: .text)),
  ])
}
