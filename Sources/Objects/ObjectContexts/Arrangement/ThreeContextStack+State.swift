internal import Datastore
package import JSON
internal import ObjectMapping

// The complete state of the arrangement, to be stored and restored.

/// The state of the arrangement at one moment, without the rows of its store.
package struct StackState {
  package var main: ContextState
  package var background: ContextState
  package var writer: ContextState
  var cache: [ObjectID: RowSnapshot]
  var tally: ConflictTally
  var random: RandomGenerator
  var nowNanoseconds: UInt64
  package var events: [StackEvent]
  package var warnings: [StackWarning]
  var queues: [[QueueBlock]]
  var blockCount: Int
  var sharedData: SharedDataCheck
  var turns: [ThreeContextStack.Turn]
}

/// The part of the state that determines the further behavior.
///
/// Blocks are identified by their names, which cover all their inputs.
package struct StackFingerprint: Hashable, Sendable {
  var contexts: [[ObjectID: ContextObject]]
  var settlements: [[ObjectID: PendingSettlement]]
  var cache: [ObjectID: RowSnapshot]
  var queues: [[Block]]
  var turns: [Int]
  var sharedData: SharedDataCheck
  var warnings: [StackWarning]

  struct Block: Hashable, Sendable {
    var frames: [[JSONString]]
    var isBegun: Bool
    var waiter: StackQueue?
  }
}

extension ThreeContextStack {
  package var state: StackState {
    get {
      StackState(
        main: mainContext.state, background: backgroundContext.state, writer: writerContext.state,
        cache: writerContext.coordinator.rows, tally: writerContext.coordinator.tally,
        random: environment.random, nowNanoseconds: environment.nowNanoseconds, events: events,
        warnings: warnings, queues: queues, blockCount: blockCount, sharedData: sharedData,
        turns: turns)
    }
    set {
      mainContext.state = newValue.main
      backgroundContext.state = newValue.background
      writerContext.state = newValue.writer
      writerContext.coordinator.rows = newValue.cache
      writerContext.coordinator.tally = newValue.tally
      environment.random = newValue.random
      environment.nowNanoseconds = newValue.nowNanoseconds
      events = newValue.events
      warnings = newValue.warnings
      queues = newValue.queues
      blockCount = newValue.blockCount
      sharedData = newValue.sharedData
      turns = newValue.turns
    }
  }

  package var fingerprint: StackFingerprint {
    let contexts = [mainContext, backgroundContext, writerContext]
    return StackFingerprint(
      contexts: contexts.map { $0.state.objects },
      settlements: contexts.map { $0.state.settlements },
      cache: writerContext.coordinator.rows,
      queues: queues.map { blocks in
        blocks.map { block in
          StackFingerprint.Block(
            frames: block.frames.map { frame in [frame.name] + frame.pieces.map { $0.name } },
            isBegun: block.isBegun, waiter: block.waiter)
        }
      },
      turns: turns.map { $0.operation }, sharedData: sharedData, warnings: warnings)
  }

  /// The blocks of a queue by number, with their names.
  package func blocks(of queue: StackQueue) -> [(number: Int, name: JSONString)] {
    queues[queue.place].map { ($0.number, $0.frames.first?.name ?? "") }
  }

  /// The name of the next piece of a queue; nil if it is idle.
  package func nextName(_ queue: StackQueue) -> JSONString? {
    guard let frame = queues[queue.place].first?.frames.last else { return nil }
    return frame.pieces.first?.name ?? frame.name
  }
}
