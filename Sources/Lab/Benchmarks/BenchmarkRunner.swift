internal import Adapters
internal import Storage

/// Runs benchmarks: store and floor in turns, after a run of each that does not count.
public struct BenchmarkRunner: Sendable {
  /// Where the stores lie.
  public let storage: BenchmarkStorage
  /// How much work a run is.
  public let scale: BenchmarkScale
  /// How many runs count; at least 1.
  public let runCount: Int
  /// How many runs come before; their times are thrown away.
  public let warmUpCount: Int
  /// The folder for temporary folders; nil is the system's own for such purposes.
  public let folder: String?

  public init(
    storage: BenchmarkStorage = .disk, scale: BenchmarkScale = .standard, runs: Int = 9,
    warmUps: Int = 1, folder: String? = nil
  ) {
    self.storage = storage
    self.scale = scale
    runCount = max(1, runs)
    warmUpCount = max(0, warmUps)
    self.folder = folder
  }

  /// Runs one benchmark; `progress` hears after each run how many of how many are done.
  ///
  /// Between two runs `isStopped` is asked whether to give up.
  ///
  /// Fails also when store and floor answer differently, or leave different rows behind. No file
  /// stays, whether it succeeds or fails.
  public func run(
    _ benchmark: Benchmark, progress: (_ done: Int, _ count: Int) -> Void = { _, _ in },
    isStopped: () -> Bool = { false }
  ) throws(BenchmarkError) -> Measurement {
    switch storage {
    case .memory:
      return try measure(benchmark, MemoryStorage(), isStopped: isStopped, progress: progress)
    case .disk:
      let folder = try temporaryFolder()
      let result: Result<Measurement, BenchmarkError>
      do throws(BenchmarkError) {
        result = .success(
          try measure(benchmark, try disk(folder), isStopped: isStopped, progress: progress))
      } catch {
        result = .failure(error)
      }
      // The first failure says more than that of the clearing away.
      do throws(SystemFailure) { try folder.remove() } catch {
        if case .success = result {
          throw .storage("\(folder.path) cannot be removed: \(error)")
        }
      }
      return try result.get()
    }
  }

  /// A new folder, which goes with this process if nothing removes it before.
  private func temporaryFolder() throws(BenchmarkError) -> DataFolder {
    do throws(SystemFailure) { return try DataFolder(in: folder) } catch {
      throw .storage("no folder can be made in \(folder ?? DataFolder.parent): \(error)")
    }
  }

  private func disk(_ folder: DataFolder) throws(BenchmarkError) -> any Storage {
    do throws(StorageError) { return try DiskStorage(directory: folder.path) } catch {
      throw .storage(error.description)
    }
  }

  private func measure(
    _ benchmark: Benchmark, _ storage: any Storage, isStopped: () -> Bool,
    progress: (Int, Int) -> Void
  ) throws(BenchmarkError) -> Measurement {
    let workbench = Workbench(storage: storage)
    do throws(BenchmarkError) {
      let measurement = try measure(benchmark, on: workbench, isStopped, progress: progress)
      try workbench.checkAgreement()
      try workbench.end()
      return measurement
    } catch {
      // What failed first is thrown; this only lets go of the files.
      try? workbench.end()
      throw error
    }
  }

  private func measure(
    _ benchmark: Benchmark, on workbench: Workbench, _ isStopped: () -> Bool,
    progress: (Int, Int) -> Void
  ) throws(BenchmarkError) -> Measurement {
    let count = benchmark.count(scale)
    let contest = try benchmark.contest(workbench, count)
    var store: [Int64] = []
    var floor: [Int64] = []
    var memory: Int64?
    let runsInAll = warmUpCount + runCount
    for run in 0..<runsInAll {
      guard !isStopped() else { throw .stopped }
      try contest.prepareStore(run: run)
      let isCounted = PeakMemory.reset()
      let (storeTally, storeTime) = try Self.time(contest.runStore)
      // Later runs find what the floor has left behind in the process.
      if run == 0, isCounted { memory = PeakMemory.bytes }
      try contest.prepareFloor(run: run)
      let (floorTally, floorTime) = try Self.time(contest.runFloor)
      guard storeTally == floorTally else {
        throw .disagreement("\(benchmark.name) counts \(storeTally) and \(floorTally)")
      }
      if run >= warmUpCount {
        store.append(storeTime)
        floor.append(floorTime)
      }
      progress(run + 1, runsInAll)
    }
    try contest.finish()
    guard let store = Samples(nanoseconds: store), let floor = Samples(nanoseconds: floor),
      let measurement = Measurement(
        name: benchmark.name, unit: benchmark.unit, count: contest.counts?.store ?? count,
        floorCount: contest.counts?.floor, memory: memory, store: store, floor: floor)
    else { throw .disagreement("\(benchmark.name) has no runs") }
    return measurement
  }

  private static func time(
    _ body: () throws(BenchmarkError) -> Tally
  ) throws(BenchmarkError) -> (Tally, nanoseconds: Int64) {
    let start = ContinuousClock.now
    let tally = try body()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return (tally, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
