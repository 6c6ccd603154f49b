/// The time and the randomness of one run, both controlled by the caller.
///
/// An implementation that declares itself deterministic uses no other source; then two runs with
/// equal seeds are equal byte by byte. The generator is SplitMix64, implemented here because the
/// standard library may change its own.
public struct RunEnvironment: Hashable, Sendable {
  /// Nanoseconds since the start of the run; changes only when the run advances it.
  public var nowNanoseconds: UInt64
  private var state: UInt64

  /// An environment whose random bytes are derived from the seed.
  public init(seed: UInt64, nowNanoseconds: UInt64 = 0) {
    self.state = seed
    self.nowNanoseconds = nowNanoseconds
  }

  /// The next 64 random bits.
  public mutating func nextRandom() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// The given number of random bytes.
  public mutating func randomBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      var word = nextRandom()
      for _ in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    return bytes
  }
}
