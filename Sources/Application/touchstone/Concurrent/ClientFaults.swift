internal import ConcurrentClients
internal import Datastore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A fault that happens while clients are at work.
enum ClientFault: String, CaseIterable, Sendable {
  /// The process of a connection is killed and started again.
  case kill
  /// The process of a connection stands still for a while.
  case pause
  /// A connection is cut while a request is in flight.
  case cut
  /// The disk is full for a while.
  case full
  /// The clock of a connection is wrong.
  case clock

  var help: String {
    switch self {
    case .kill: "kill -9 of the process of a connection"
    case .pause: "SIGSTOP of the process of a connection for up to 3 s"
    case .cut: "a connection to a server or a socket is cut while a request is in flight"
    case .full: "a full disk for a while"
    case .clock: "wrong clocks"
    }
  }
}

/// Kills and stops the processes of connections at times that a seed decides.
final class ProcessDisturber: Disturber {
  private let board: ProcessBoard
  private let faults: [ClientFault]
  private let seed: UInt64
  private let isEnding = Atomic(false)
  private let thread = Mutex<WorkerThread?>(nil)
  /// The number of faults so far.
  let count = Atomic<Int>(0)

  /// The longest time between two faults, in microseconds.
  private static let gapMicrosecondsMax = 60_000
  /// The longest pause.
  private static let pauseMillisecondsMax = 3_000

  init(_ board: ProcessBoard, _ faults: [ClientFault], seed: UInt64) {
    self.board = board
    self.faults = faults
    self.seed = seed
  }

  var kills: Bool { faults.contains(.kill) }

  func begin(_ connections: Int) {
    thread.withLock { thread in
      thread = WorkerThread { [self] in disturb(connections) }
    }
  }

  func end() {
    isEnding.store(true, ordering: .relaxed)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func disturb(_ connections: Int) {
    var random = RandomGenerator(seed: seed)
    while !isEnding.load(ordering: .relaxed) {
      usleep(UInt32(random.below(Self.gapMicrosecondsMax) + 1000))
      let fault = faults[random.below(faults.count)]
      let connection = random.below(connections) + 1
      let isPause = fault == .pause
      guard board.send(isPause ? SIGSTOP : SIGKILL, to: connection) != nil else { continue }
      count.add(1, ordering: .relaxed)
      if isPause {
        // Most pauses are short.
        let isLong = random.below(8) == 0
        let milliseconds = random.below(isLong ? Self.pauseMillisecondsMax : 40) + 1
        for _ in 0..<milliseconds where !isEnding.load(ordering: .relaxed) { usleep(1000) }
        _ = board.send(SIGCONT, to: connection)
      }
    }
  }
}
