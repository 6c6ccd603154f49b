/// Random choices that are addressed by their purpose.
///
/// The generator is SplitMix64. Its initial state depends on the seed and the key only, so leaving
/// out one step of a run changes no choice of the other steps.
public struct KeyedRandom {
  private var state: UInt64

  /// Creates a generator; equal seeds and keys give equal numbers.
  public init(seed: UInt64, key: UInt64) {
    state = Self.mix(seed) ^ Self.mix(key &+ 0x632b_e59b_d9b4_e019)
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// A number from 0 to `bound` - 1; `bound` is at least 1.
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True in `part` of `whole` cases.
  public mutating func chance(_ part: Int, in whole: Int) -> Bool { below(whole) < part }

  /// One of the elements, or nil when there are none.
  public mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
