public import Simulation

extension World.Participants {
  /// The same participants, with objects and contexts above their stores.
  public func withContexts() -> World.Participants { running(ContextApplications()) }
}
