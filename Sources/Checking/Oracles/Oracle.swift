/// A checker of histories: it is told what happens, and reports what must not happen.
protocol Oracle {
  /// Takes note of an observation that the history already holds.
  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding?

  /// Checks what the stores hold when nothing is left to replicate.
  mutating func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding]
}

extension Oracle {
  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? { nil }

  mutating func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] { [] }
}
