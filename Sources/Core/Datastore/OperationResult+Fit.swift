extension OperationResult {
  /// Whether a result of this case is a valid result of the action.
  ///
  /// The value is true only if the decoder reads the encoded result as the result of the action, so
  /// that a result of a store need not be encoded and decoded to be checked. Every result that a
  /// decoder reads for an action fits it.
  package func fits(_ action: StoreAction) -> Bool {
    switch (action, self) {
    case (.batch(let writes), .batch(let results)):
      writes.count == results.count && zip(writes, results).allSatisfy { $1.fits($0) }
    case (.family(let operation), .family(let answer)): operation.base.accepts(answer.base)
    case (.family, _), (_, .family): false
    default: definition == action.resultDefinition
    }
  }
}
