/// Options for points that the guide leaves open or in which the product deviates, each with a
/// default.
public struct StackOptions: Hashable, Sendable {
  /// The objects for which find-or-insert calls its handler.
  public enum HandledObjects: String, CaseIterable, Sendable {
    /// The inserted object.
    case inserted
    /// Every result: existing objects are then written and saved again.
    case everyResult
  }

  /// The behavior of a save if one of the three contexts cannot be saved.
  public enum SaveFailure: String, CaseIterable, Sendable {
    /// The save stops.
    case stops
    /// The save continues with the next context if it has no completion, as in the product.
    case goesOnUnheard
  }

  /// The inserted object by default: the guide names the handler's argument `insertedObject`.
  public var handledObjects: HandledObjects
  /// Stops by default, as with a completion: changes that depend on a failed context are not
  /// written.
  public var saveFailure: SaveFailure
  /// Whether operations with a save run one at a time, from the start of the closure to the end of
  /// the save.
  ///
  /// False by default, as in the product. If true, find-or-inserts never overlap.
  public var takesTurns: Bool

  /// Creates options.
  public init(
    handledObjects: HandledObjects = .inserted, saveFailure: SaveFailure = .stops,
    takesTurns: Bool = false
  ) {
    self.handledObjects = handledObjects
    self.saveFailure = saveFailure
    self.takesTurns = takesTurns
  }
}
