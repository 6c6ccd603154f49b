/// Points that the guide leaves open, or in which the product differs, each with a default.
public struct StackOptions: Hashable, Sendable {
  /// For which objects find-or-insert calls its handler.
  public enum HandledObjects: String, CaseIterable, Sendable {
    /// For the one that was inserted.
    case inserted
    /// For every result: those that were found are written, and saved, once more.
    case everyResult
  }

  /// What a save does when one context of the three cannot be saved.
  public enum SaveFailure: String, CaseIterable, Sendable {
    /// It ends there.
    case stops
    /// It goes on with the next context when nobody waits for its completion, as the product does.
    case goesOnUnheard
  }

  /// The inserted one by default: the guide calls the handler's argument `insertedObject`.
  public var handledObjects: HandledObjects
  /// It stops by default, as with a completion: what depends on a context that failed is not written.
  public var saveFailure: SaveFailure
  /// Whether operations that save run one at a time, from the beginning of the closure to the end of
  /// the save.
  ///
  /// False, as in the product. With true no two find-or-inserts overlap.
  public var takesTurns: Bool

  public init(
    handledObjects: HandledObjects = .inserted, saveFailure: SaveFailure = .stops,
    takesTurns: Bool = false
  ) {
    self.handledObjects = handledObjects
    self.saveFailure = saveFailure
    self.takesTurns = takesTurns
  }
}
