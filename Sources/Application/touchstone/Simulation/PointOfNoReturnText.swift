internal import Datastore
internal import Rendering
internal import Scenarios
internal import Simulation

extension SimulationOptions {
  /// Searches the point of no return of a run, and adds it to its trace.
  ///
  /// - Parameter isShrunk: whether the scenario was shrunk, so that a shorter one is not expected.
  /// - Returns: the point in a sentence, or the reason for its absence; nil for a run without a
  ///   loss and without a divergence.
  func addPointOfNoReturn(
    to trace: inout Trace, isShrunk: Bool, _ context: Context
  ) throws(CommandFailure) -> String? {
    let scenario = trace.scenario
    context.watchInterruption()
    let result = try implementations.entries.attempt { () throws(HarnessError) in
      try PointOfNoReturnSearch.point(
        of: scenario, participants, isInterrupted: context.isInterrupted)
    }
    switch result {
    case .success(let point):
      trace.pointOfNoReturn = point
      return trace.pointOfNoReturnText
    case .failure(let obstacle):
      return obstacle.reason(isShrunk: isShrunk).map { "Point of no return: \($0)." }
    }
  }
}

extension PointOfNoReturnSearch.Obstacle {
  /// Why there is no point; nil if none is to be expected.
  fileprivate func reason(isShrunk: Bool) -> String? {
    switch self {
    case .noSuchFinding: nil
    case .tooLong(let events):
      "not searched, because the run has \(events) events; the limit is "
        + "\(PointOfNoReturnSearch.eventsMax)"
        + (isShrunk ? "" : ". Shrink the scenario with 'touchstone shrink'")
    case .notDeterministic: "not searched, because a repeated run of the store may differ"
    case .interrupted: "the search was interrupted"
    }
  }
}
