internal import Datastore
internal import JSON
internal import ObjectContexts
internal import Oracles
internal import Scenarios

// Applications that keep objects, and edit them in contexts: what they do becomes operations on the
// replica's store, each of which is judged like any other.

extension World {
  /// Performs an operation on objects, or on a context.
  ///
  /// What a program opens it opens again whenever it has begun anew, before anything else.
  mutating func performAbove(
    _ action: Action, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    if replicas[place].application.note(action) { return try reopen(at: place, step) }
    _ = try reopen(at: place, step)
    guard replicas[place].isUp else { return .unknown }
    return try carryOut(action, at: place, for: step)
  }

  /// Opens what the program of a replica always opens, as far as it is not open.
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

  /// The action as an application does it that relates only objects which its context has, and drops
  /// no changes of single objects; nil when it does nothing.
  mutating func sensible(
    _ action: ContextAction, at place: Int, _ step: StepID
  ) throws(HarnessError) -> ContextAction? {
    if case .refresh(let id, merges: false) = action.call {
      // Whoever drops the changes of one end of a relationship keeps those of the other.
      let outcome = try perform(
        .contexts(ContextAction(action.context, .inspectObject(id))), at: place, for: step)
      guard case .inspectedObject(let object)? = outcome.contexts else { return nil }
      return object.isUpdated || object.isDeleted ? nil : action
    }
    guard case .change(let id, let values) = action.call,
      let relationships = replicas[place].application.relationships
    else { return action }
    var kept: [(Text, JSONValue)] = []
    for member in values.objectValue?.members ?? [] {
      guard relationships.contains(member.name) else {
        kept.append((member.name, member.value))
        continue
      }
      switch member.value {
      case .array(let targets):
        var there: [JSONValue] = []
        for target in targets
        where try has(target.textValue ?? "", in: action.context, at: place, step) {
          there.append(target)
        }
        kept.append((member.name, .array(there)))
      case .string(let target):
        guard try has(target, in: action.context, at: place, step) else { continue }
        kept.append((member.name, member.value))
      default: kept.append((member.name, member.value))
      }
    }
    guard replicas[place].isUp, !kept.isEmpty || values == [:] else { return nil }
    return ContextAction(action.context, .change(id, values: .object(JSONObject(kept))))
  }

  /// Whether a context has an object, and has not deleted it.
  private mutating func has(
    _ id: Text, in context: Text, at place: Int, _ step: StepID
  ) throws(HarnessError) -> Bool {
    let id = DocumentID(id)
    let read = try perform(.contexts(ContextAction(context, .read(id))), at: place, for: step)
    guard case .ok = read,
      case .inspectedObject(let object)? = try perform(
        .contexts(ContextAction(context, .inspectObject(id))), at: place, for: step
      ).contexts
    else { return false }
    return !object.isDeleted
  }

  private mutating func carryOut(
    _ action: Action, at place: Int, for step: StepID
  ) throws(HarnessError) -> Outcome {
    let port: ObjectPort
    if let known = replicas[place].application.port {
      port = known
    } else {
      let store = replicas[place].store.implementation.description
      port = ObjectPort(store, participants.makeContexts)
      replicas[place].application.port = port
    }
    let operation = Operation(scenario.store, action)
    var environment = Environment(
      seed: replicas[place].environment.nextRandom(),
      nowNanoseconds: replicas[place].environment.nowNanoseconds)
    let outcome = try port.perform(operation, of: &self, place, step, &environment)
    // A program that crashed has lost what it had open.
    if !replicas[place].isUp { replicas[place].application.end() }
    if trace != nil { record(place, step, .performed(operation, outcome)) }
    observeAbove(operation, outcome, at: place, step)
    return outcome
  }

  /// Tells the oracles what an application did; its writes they have heard of before.
  private mutating func observeAbove(
    _ operation: Operation, _ outcome: Outcome, at place: Int, _ step: StepID
  ) {
    digest.fold(outcome)
    noteProbes(above: operation.action, outcome, at: place)
    if let finding = oracles.observe(
      .application(replica: place, step: step.text, operation, outcome))
    {
      find(finding)
    }
  }
}

/// What a program has above its store, and opens again whenever it begins anew.
struct Application {
  /// The store of objects and its contexts, in the order in which steps opened them.
  private(set) var openings: [Action] = []
  /// What is open; nil after a crash.
  var port: ObjectPort?
  /// How many of the openings are open.
  var opened = 0
  var watch = ContextWatch()

  /// The next one that is not.
  var next: Action? { opened < openings.count ? openings[opened] : nil }

  /// Takes note of what a program opens; false for what it has opened before, and for all else.
  mutating func note(_ action: Action) -> Bool {
    guard action.isOpening, !openings.contains(action) else { return false }
    openings.append(action)
    return true
  }

  /// The program is gone, with all that it had in mind.
  mutating func end() {
    port = nil
    opened = 0
    watch = ContextWatch()
  }

  /// The names of all relationships of its objects; nil when it keeps none.
  var relationships: Set<Text>? {
    guard let entities = model?.objectValue?["entities"]?.objectValue else { return nil }
    var names: Set<Text> = []
    for entity in entities.members {
      for member in entity.value.objectValue?["relationships"]?.objectValue?.members ?? [] {
        names.insert(member.name)
      }
    }
    return names
  }

  /// The model of its objects; nil when it keeps none.
  var model: JSONValue? {
    for case .objects(.open(let model, _, _)) in openings { return model }
    return nil
  }
}

extension Action {
  fileprivate var isOpening: Bool {
    switch self {
    case .objects(.open): true
    case .contexts(let action): if case .open = action.call { true } else { false }
    default: false
    }
  }

  /// Whether it is for what stands above a store.
  var isOfApplication: Bool {
    switch self {
    case .objects, .contexts: true
    default: false
    }
  }
}

/// The objects and contexts of a replica, over its store as its clients see it.
final class ObjectPort {
  private let store: WorldStore
  private let contexts: any ImplementationUnderTest

  init(
    _ description: ImplementationDescription,
    _ makeContexts: (any ImplementationUnderTest) -> any ImplementationUnderTest
  ) {
    store = WorldStore(description)
    contexts = makeContexts(store)
  }

  /// Performs an operation in a world.
  ///
  /// The store changes the world in the midst of it. It has the world itself for that time and no
  /// copy, for a world is large and a context asks often.
  func perform(
    _ operation: Operation, of world: inout World, _ place: Int, _ step: StepID,
    _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    try withUnsafeMutablePointer(to: &world) { pointer throws(HarnessError) in
      store.visit = WorldStore.Visit(world: pointer, place: place, step: step)
      defer { store.visit = nil }
      return try contexts.perform(operation, &environment)
    }
  }
}

/// The store of a replica, for the time of one operation.
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
    _ operation: Operation, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    guard let visit, visit.world.pointee.replicas[visit.place].isUp else { return .unknown }
    return try visit.world.pointee.perform(operation.action, at: visit.place, for: visit.step)
  }
}
