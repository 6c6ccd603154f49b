public import Datastore

extension ReferenceDatastore {
  /// All errors that an operation would have now, without performing it: one list for the
  /// operation, or one for each of its rejected records, the model's own choice first.
  public func refusals(of operation: StoreOperation) -> [[DatastoreError]] {
    var state = state
    var decisions = Decisions(RandomGenerator(seed: 0))
    _ = state.perform(operation, &decisions)
    return decisions.refusals
  }

  /// All outcomes that stores may return for a sequence of operations, the model's own first.
  ///
  /// Each history is one path through the alternatives that the rules permit; paths with equal
  /// outcomes are listed once. Names that a store chooses are those of the model.
  public static func histories(of operations: [StoreOperation], seed: UInt64 = 0) -> [[Outcome]] {
    var histories: [[Outcome]] = []
    var decisions = Decisions(RandomGenerator(seed: seed))
    repeat {
      decisions.random = RandomGenerator(seed: seed)
      var state = ModelState()
      let history = operations.map { state.perform($0, &decisions) }
      if !histories.contains(history) { histories.append(history) }
    } while decisions.alternatives.advance()
    return histories
  }
}
