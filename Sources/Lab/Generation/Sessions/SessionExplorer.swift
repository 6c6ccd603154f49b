internal import Datastore
internal import JSON

/// Enumerates all orders of writes and sessions between some stores, with states that differ only
/// in names merged; keeps the shortest path to every possible final state.
///
/// A session is one move here. The effect of a session that is interrupted, or runs concurrently
/// with writes, is that of some whole sessions: it transfers revisions that the source had at some
/// moment, and nothing else.
struct SessionExplorer {
  let stores: Int
  let writesMax: Int

  /// The shortest path to each final state.
  private(set) var cases: [SessionState] = []
  /// The number of visited states.
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
          // A session at the end is repeated by the closing sessions.
          guard case .write = move, isShared(after) else { continue }
          if ends.insert(try after.healed().shape()).inserted { cases.append(after) }
        }
      }
      layer = next
    }
  }

  /// True if more than one store has written, so that there is something to merge.
  private func isShared(_ state: SessionState) -> Bool {
    var writers: Set<Int> = []
    for case .write(let store, _, _) in state.moves { writers.insert(store) }
    return writers.count > 1
  }
}
