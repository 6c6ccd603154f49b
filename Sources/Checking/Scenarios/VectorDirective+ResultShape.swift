internal import Datastore
internal import JSON

extension ResultShape {
  /// The shape of the result of a directive.
  init(of directive: VectorDirective) {
    switch directive {
    case .replicate:
      self = .object([
        ("state", .text), ("processed", .integer), ("refused", .integer), ("vanished", .integer),
      ])
    case .loseCheckpoint: self = .object([])
    }
  }
}
