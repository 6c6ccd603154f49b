internal import Adapters
internal import Storage

/// Runs benchmarks: store and baseline alternately, after warm-up runs of each.
public struct BenchmarkRunner: Sendable {
  /// The storage of the stores.
  public let storage: BenchmarkStorage
  /// The amount of work in a run.
  public let scale: BenchmarkScale
  /// The number of measured runs; at least 1.
  public let runCount: Int
  /// The number of warm-up runs, whose times are discarded.
  public let warmUpCount: Int
  /// The folder for temporary folders; nil is the system's own.
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

  /// Runs one benchmark; `progress` receives after each run the number of finished runs and of all
  /// runs.
  ///
  /// Calls `isStopped` between two runs to cancel.
  ///
  /// Fails also if store and baseline return different results or leave different rows. Leaves no
  /// file, whether it succeeds or fails.
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
      // The first failure is more informative than one of the cleanup.
      do throws(SystemFailure) { try folder.remove() } catch {
        if case .success = result {
          throw .storage("\(folder.path) cannot be removed: \(error)")
        }
      }
      return try result.get()
    }
  }

  /// Creates a folder that is removed with this process at the latest.
  private func temporaryFolder() throws(BenchmarkError) -> DataFolder {
    do throws(SystemFailure) { return try DataFolder(in: folder) } catch {
      throw .storage("no folder can be created in \(folder ?? DataFolder.parent): \(error)")
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
      // The first failure is thrown; this only releases the files.
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
      // Later runs are affected by what the baseline has left in the process.
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
