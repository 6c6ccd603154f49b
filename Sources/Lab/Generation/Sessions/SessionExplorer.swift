internal import Datastore
internal import JSON

/// Goes through all orders of writes and sessions between some stores, states that differ in names
/// only being one; keeps the shortest way to everything that all stores can hold in the end.
///
/// A session is one move here. What a session that is interrupted, or that others write beside,
/// leaves behind is what some whole sessions leave behind: it brings revisions that the source held
/// at some moment, and nothing else.
struct SessionExplorer {
  let stores: Int
  let writesMax: Int

  /// The shortest way to each end.
  private(set) var cases: [SessionState] = []
  /// How many states were looked at.
  private(set) var stateCount = 0

  init(stores: Int, writesMax: Int) {
    self.stores = stores
    self.writesMax = writesMax
  }

  mutating func explore() throws(GenerationError) {
    var known: Set<String> = []
    var ends: Set<String> = []
    var layer = [SessionState(stores: stores)]
    while !layer.isEmpty {
      var next: [SessionState] = []
      for state in layer {
        for move in state.candidates(writesMax: writesMax) {
          guard let after = try state.after(move) else { continue }
          let shape = after.shape()
          guard known.insert("\(after.writes) \(shape)").inserted else { continue }
          stateCount += 1
          next.append(after)
          // A session at the end is one that the closing would run anyway.
          guard case .write = move, isShared(after) else { continue }
          if ends.insert(try after.healed().shape()).inserted { cases.append(after) }
        }
      }
      layer = next
    }
  }

  /// Whether more than one store has written, so that there is something to bring together.
  private func isShared(_ state: SessionState) -> Bool {
    var writers: Set<Int> = []
    for case .write(let store, _, _) in state.moves { writers.insert(store) }
    return writers.count > 1
  }
}
