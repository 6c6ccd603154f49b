internal import Adapters
internal import Datastore
internal import JSON

/// An operation behind an adapter, measured as a round trip; the baseline is a round trip of a line
/// of the same length, which is neither composed nor parsed.
final class AdapterContest: Contest {
  private let adapter: AdapterImplementation
  private let count: Int
  private let environment = RunEnvironment(seed: 1)

  /// The cheapest operation of a store.
  private static let operation = StoreOperation("a", .close)

  init(_ place: AdapterPlace, count: Int, secret: AdapterSecret?) throws(BenchmarkError) {
    self.count = count
    Processor.stayOnOne()
    do throws(HarnessError) {
      adapter = try AdapterImplementation(
        place, runner: "touchstone bench", peers: PeerRules(secret: secret))
      try adapter.begin(.run("bench"))
    } catch {
      throw .harness(error)
    }
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    do throws(HarnessError) {
      for _ in 0..<count { _ = try adapter.perform(Self.operation, environment) }
    } catch {
      throw .harness(error)
    }
    return Tally()
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    do throws(HarnessError) {
      try adapter.bounce(Self.operation, count: count)
    } catch {
      throw .harness(error)
    }
    return Tally()
  }
}
