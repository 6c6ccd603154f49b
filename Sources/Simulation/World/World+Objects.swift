internal import Datastore
internal import ObjectMapping
internal import Scenarios

// Clients that keep objects: what they do becomes operations on the replica's store, each of which is
// judged like any other.

extension World {
  /// Performs an operation on objects.
  mutating func perform(
    _ action: ObjectAction, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    let port: ObjectPort
    if let known = replicas[place].objects {
      port = known
    } else {
      port = ObjectPort(replicas[place].store.implementation.description)
      replicas[place].objects = port
    }
    let operation = Operation(scenario.store, .objects(action))
    var environment = Environment(
      seed: replicas[place].environment.nextRandom(),
      nowNanoseconds: replicas[place].environment.nowNanoseconds)
    let (world, outcome) = try port.perform(operation, of: self, place, step, &environment)
    self = world
    // A program that crashed has lost what it had open.
    if !replicas[place].isUp { replicas[place].objects = nil }
    if trace != nil { record(place, step, .performed(operation, outcome)) }
    return outcome
  }
}

/// The objects of a replica, over its store as its clients see it.
final class ObjectPort {
  private let store: WorldStore
  private let objects: ObjectDatastore

  init(_ description: ImplementationDescription) {
    store = WorldStore(description)
    objects = ObjectDatastore(store)
  }

  /// Performs an operation in a world, and answers what has become of the world.
  func perform(
    _ operation: Operation, of world: World, _ place: Int, _ step: StepID,
    _ environment: inout Environment
  ) throws(HarnessError) -> (World, Outcome) {
    store.visit = WorldStore.Visit(world: world, place: place, step: step)
    let outcome = try objects.perform(operation, &environment)
    guard let visit = store.visit else { throw HarnessError("the world is gone") }
    store.visit = nil
    return (visit.world, outcome)
  }
}

/// The store of a replica, for the time of one operation.
private final class WorldStore: ImplementationUnderTest {
  struct Visit {
    var world: World
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
    _ operation: Operation, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    guard let (place, step) = visit.map({ ($0.place, $0.step) }),
      visit?.world.replicas[place].isUp == true
    else { return .unknown }
    return try visit?.world.perform(operation.action, at: place, for: step) ?? .unknown
  }
}
