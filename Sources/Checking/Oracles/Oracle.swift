/// A checker of histories: it receives events, and reports violations.
protocol Oracle {
  /// Receives an event that the history already contains.
  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding?

  /// Checks the content of the stores when nothing is left to replicate.
  mutating func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding]
}

extension Oracle {
  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? { nil }

  mutating func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] { [] }
}
