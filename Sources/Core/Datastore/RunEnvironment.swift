/// The time and the randomness of one run. The harness decides both.
///
/// An implementation that declares itself deterministic takes time and random bits from here alone;
/// then two runs with equal seeds are equal byte for byte. One run has one environment: all layers of an
/// implementation hold the same reference, so that none of them draws the same bits again.
public final class RunEnvironment {
  /// Nanoseconds since the run began; only the harness changes it.
  public var nowNanoseconds: UInt64
  /// The source of the random bits, to be kept and put back with the state of a run.
  package var random: RandomGenerator
  /// Called at each `pass`; nil unless several clients use the implementation at once.
  package var onPass: (() -> Void)?

  /// An environment whose random bytes are derived from the seed.
  public init(seed: UInt64, nowNanoseconds: UInt64 = 0) {
    random = RandomGenerator(seed: seed)
    self.nowNanoseconds = nowNanoseconds
  }

  /// An environment of its own that continues as this one would.
  package func copy() -> RunEnvironment {
    let copy = RunEnvironment(seed: 0, nowNanoseconds: nowNanoseconds)
    copy.random = random
    return copy
  }

  /// The next 64 random bits.
  public func nextRandom() -> UInt64 { random.next() }

  /// The given number of random bytes.
  ///
  /// - Complexity: O(`count`).
  public func randomBytes(_ count: Int) -> [UInt8] { random.bytes(count) }

  /// Lets another connection run here, if the harness controls which one does.
  ///
  /// An implementation calls it inside an operation where another connection could come between: it
  /// must hold no lock that the other one waits for. Without effect in all other runs.
  public func pass() { onPass?() }
}
