package import Datastore
internal import JSON
internal import Oracles
internal import Scenarios

// Applications above the stores: their actions become operations on the replica's store, each of
// which is checked like any other.

extension World {
  /// Performs an operation of an application.
  ///
  /// A restarted program repeats its openings before any other operation.
  mutating func performAbove(
    _ action: StoreAction, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    if participants.applications?.isOpening(action) == true,
      replicas[place].application.note(opening: action)
    {
      return try reopen(at: place, step)
    }
    _ = try reopen(at: place, step)
    guard replicas[place].isUp else { return .unknown }
    return try carryOut(action, at: place, for: step)
  }

  /// Performs the openings of a replica's program that are not yet performed.
  @discardableResult
  mutating func reopen(at place: Int, _ step: StepID) throws(HarnessError) -> Outcome {
    var outcome = Outcome.unknown
    while replicas[place].isUp, let action = replicas[place].application.next {
      outcome = try carryOut(action, at: place, for: step)
      guard case .ok = outcome else { break }
      replicas[place].application.opened += 1
    }
    return outcome
  }

  private mutating func carryOut(
    _ action: StoreAction, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    let port: ApplicationPort
    if let known = replicas[place].application.port {
      port = known
    } else {
      let store = replicas[place].store.implementation.description
      guard let applications = participants.applications else { return .unknown }
      port = ApplicationPort(store, applications)
      replicas[place].application.port = port
    }
    let operation = StoreOperation(scenario.store, action)
    let environment = RunEnvironment(
      seed: replicas[place].environment.nextRandom(),
      nowNanoseconds: replicas[place].environment.nowNanoseconds)
    let outcome = try port.perform(
      operation, of: &self, place, step: step, environment: environment)
    // A crashed program has lost its open state.
    if !replicas[place].isUp { replicas[place].application.end() }
    digest.fold(outcome)
    emit(.application(replica: place, step, operation, outcome))
    return outcome
  }
}

/// The state of a program above its store; a restarted program repeats its openings.
package struct Application {
  /// Its openings, in the order of the steps.
  package private(set) var openings: [StoreAction] = []
  /// The open layer; nil after a crash.
  var port: ApplicationPort?
  /// The number of openings performed since the last crash.
  var opened = 0

  /// The next opening to perform.
  var next: StoreAction? { opened < openings.count ? openings[opened] : nil }

  /// Records an opening of a program; false if it is already recorded.
  mutating func note(opening action: StoreAction) -> Bool {
    guard !openings.contains(action) else { return false }
    openings.append(action)
    return true
  }

  /// Ends the program and discards its state in memory.
  mutating func end() {
    port = nil
    opened = 0
  }
}

/// The layer of a replica's application, over the client interface of its store.
final class ApplicationPort {
  private let store: WorldStore
  private let layer: any ImplementationUnderTest

  init(
    _ description: ImplementationDescription, _ applications: any ApplicationSimulation
  ) {
    store = WorldStore(description)
    layer = applications.makeLayer(over: store)
  }

  /// Performs an operation in a world.
  ///
  /// The store changes the world during the operation. It takes the world itself, not a copy,
  /// because a world is large and a context performs many operations.
  func perform(
    _ operation: StoreOperation, of world: inout World, _ place: Int, step: StepID,
    environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    try withUnsafeMutablePointer(to: &world) { pointer throws(HarnessError) in
      store.visit = WorldStore.Visit(world: pointer, place: place, step: step)
      defer { store.visit = nil }
      return try layer.perform(operation, environment)
    }
  }
}

/// The store of a replica during one operation.
private final class WorldStore: ImplementationUnderTest {
  struct Visit {
    let world: UnsafeMutablePointer<World>
    let place: Int
    let step: StepID
  }

  let description: ImplementationDescription
  var visit: Visit?

  init(_ description: ImplementationDescription) { self.description = description }

  func reset() {}

  func crash(_ kind: CrashKind) {}

  func shutdown() {}

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard let visit, visit.world.pointee.replicas[visit.place].isUp else { return .unknown }
    return try visit.world.pointee.perform(operation.action, at: visit.place, for: visit.step)
  }
}
