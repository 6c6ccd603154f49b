internal import Datastore
package import JSON
internal import Oracles
internal import ReferenceDatastore
package import Scenarios

/// A replica: its store and the state of its process.
package struct Replica {
  package let name: ReplicaName
  /// The name in findings: with its implementation, if the replicas of the run have several.
  package fileprivate(set) var label: JSONString
  let store: any SimulatedStore
  let environment: RunEnvironment
  package var isUp = true
  /// Whether its store is open; a failing disk can prevent that.
  var isOpen = false
  /// The number of times that the store was restored.
  var life = 0
  /// The error of its clock, in nanoseconds.
  var clockOffset: Int64 = 0
  var storage: Directive.StorageCondition = .well
  /// Whether the store simulates the faults of its disk itself.
  var hasDisk = false
  /// The crash that occurs within the next operation.
  var armedCrash: (kind: CrashKind, draw: UInt64, step: StepID)?
  /// The application of its program above the store.
  package var application = Application()

  init(_ name: ReplicaName, _ store: any SimulatedStore, seed: UInt64, place: Int) {
    self.name = name
    label = name.text
    self.store = store
    environment = RunEnvironment(ofReplica: place, seed: seed)
  }
}

extension Replica {
  /// The replica as the oracles need it.
  var forOracles: OracleReplica {
    let description = store.implementation.description
    return OracleReplica(
      label, product: JSONString(description.name), collation: description.defaults.collation,
      revisionIDs: description.defaults.revisionIDs,
      hasDigests: !description.restrictions.contains(.ownDigests),
      contentFlaws: Set(store.deviations.compactMap(\.contentFlaw)))
  }
}

extension [Replica] {
  /// Adds the implementation to the label of each replica if they have several.
  mutating func nameImplementations() {
    let descriptions = map(\.store.implementation.description)
    let versions = descriptions.map { "\($0.name) \($0.version)" }
    guard Set(versions).count > 1 else { return }
    for place in indices {
      let name = descriptions[place].name
      let isUnique = zip(descriptions, versions).allSatisfy {
        $0.name != name || $1 == versions[place]
      }
      self[place].label = JSONString("\(self[place].name) (\(isUnique ? name : versions[place]))")
    }
  }
}

extension RunEnvironment {
  /// The environment of a replica in a run with this seed.
  convenience init(ofReplica place: Int, seed: UInt64) {
    var key = ChoiceKey("environment/")
    key.fold(place)
    var random = KeyedRandom(seed: seed, key: key.hash)
    self.init(seed: random.next())
  }
}

/// The open links between replicas.
struct Links {
  private var isOpen: [Bool]
  private let count: Int

  init(count: Int) {
    self.count = count
    isOpen = Array(repeating: true, count: count * count)
  }

  subscript(from: Int, to: Int) -> Bool {
    get { isOpen[from * count + to] }
    set { isOpen[from * count + to] = newValue }
  }

  mutating func openAll() { isOpen = Array(repeating: true, count: count * count) }

  /// Closes all links between groups; a replica in no group keeps all links.
  mutating func partition(_ groups: [[Int]]) {
    openAll()
    for (place, group) in groups.enumerated() {
      for other in groups[(place + 1)...] {
        for left in group {
          for right in other {
            self[left, right] = false
            self[right, left] = false
          }
        }
      }
    }
  }
}
