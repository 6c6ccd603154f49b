public import Datastore

extension ReferenceDatastore {
  /// All errors that an operation has now, without performing it: one list for the operation, or one
  /// for each of its records that is refused, the model's own answer first.
  public func refusals(of operation: StoreOperation) -> [[DatastoreError]] {
    var state = state
    var decisions = Decisions(RandomGenerator(seed: 0))
    _ = state.perform(operation, &decisions)
    return decisions.refusals
  }

  /// All that stores may answer to some operations in turn, the model's own outcomes first.
  ///
  /// Each history is one way through the alternatives that the rules leave; ways that cannot be told
  /// apart by these operations are one. What a store calls itself is called as the model calls it.
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
