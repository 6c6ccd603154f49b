/// An enumeration of all schedules of some threads, without running equal states twice.
///
/// Each run repeats the program from the beginning with a list of choices. A state is what all threads
/// share and what each of them has seen; from a state that was met before, only one schedule goes on.
package struct ScheduleEnumeration {
  /// One run: the choices at its pauses, and its outcome.
  package struct Run<Outcome> {
    /// At each pause, the place that was chosen, the number of places, and the state before it.
    package var choices: [(chosen: Int, count: Int, state: UInt64)]
    /// What the run returned.
    package var outcome: Outcome

    package init(choices: [(chosen: Int, count: Int, state: UInt64)], outcome: Outcome) {
      self.choices = choices
      self.outcome = outcome
    }
  }

  /// The result of an enumeration.
  package struct Result<Outcome> {
    /// The number of runs.
    package var runs = 0
    /// The number of different states at pauses.
    package var states = 0
    /// The number of schedules: of paths through the states; `UInt64.max` if there are more.
    package var schedules: UInt64 = 0
    /// Whether every schedule was covered.
    package var isComplete = true
    /// The outcomes of the runs.
    package var outcomes: [Outcome] = []
  }

  private struct Edge: Hashable {
    var state: UInt64
    var choice: Int
  }

  /// Enumerates the schedules of a program.
  ///
  /// - Parameters:
  ///   - runsMax: the number of runs after which the enumeration is incomplete.
  ///   - perform: runs the program with choices; after their end it takes the first place.
  package static func explore<Outcome, Failure: Error>(
    runsMax: Int, _ perform: ([Int]) throws(Failure) -> Run<Outcome>
  ) throws(Failure) -> Result<Outcome> {
    var result = Result<Outcome>()
    var waiting: [[Int]] = [[]]
    var counts: [UInt64: Int] = [:]
    /// The state after each choice; nil is the end.
    var next: [Edge: UInt64?] = [:]
    while let prefix = waiting.popLast() {
      guard result.runs < runsMax else {
        result.isComplete = false
        break
      }
      let run = try perform(prefix)
      result.runs += 1
      result.outcomes.append(run.outcome)
      for (place, choice) in run.choices.enumerated() {
        let following = place + 1 < run.choices.count ? run.choices[place + 1].state : nil
        next[Edge(state: choice.state, choice: choice.chosen)] = .some(following)
        guard counts[choice.state] == nil else { continue }
        counts[choice.state] = choice.count
        let before = run.choices[..<place].map(\.chosen)
        for other in 0..<choice.count where other != choice.chosen {
          waiting.append(before + [other])
        }
      }
      if result.runs == 1, run.choices.isEmpty { result.schedules = 1 }
    }
    result.states = counts.count
    if result.isComplete, let first = firstState(next, counts) {
      var known: [UInt64: UInt64] = [:]
      result.schedules = paths(from: first, next, counts, known: &known)
    }
    return result
  }

  /// The state that follows none.
  private static func firstState(
    _ next: [Edge: UInt64?], _ counts: [UInt64: Int]
  ) -> UInt64? {
    let followers = Set(next.values.compactMap { $0 })
    return counts.keys.first { !followers.contains($0) }
  }

  /// The number of paths from a state to an end.
  private static func paths(
    from start: UInt64, _ next: [Edge: UInt64?], _ counts: [UInt64: Int],
    known: inout [UInt64: UInt64]
  ) -> UInt64 {
    var stack = [start]
    while let state = stack.last {
      if known[state] != nil {
        stack.removeLast()
        continue
      }
      var sum: UInt64 = 0
      var isReady = true
      for choice in 0..<(counts[state] ?? 0) {
        guard let following = next[Edge(state: state, choice: choice)] else { continue }
        guard let following else {
          sum = sum.addingReportingOverflow(1).overflow ? .max : sum + 1
          continue
        }
        if let count = known[following] {
          let added = sum.addingReportingOverflow(count)
          sum = added.overflow ? .max : added.partialValue
        } else {
          isReady = false
          stack.append(following)
        }
      }
      if isReady {
        known[state] = sum
        stack.removeLast()
      }
    }
    return known[start] ?? 0
  }
}
