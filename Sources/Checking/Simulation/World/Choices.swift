internal import Datastore
package import JSON
internal import Replication
internal import Scenarios

/// The address of one choice: its purpose, hashed byte by byte (FNV-1a, 64 bits), so that its text
/// is built only for traces.
package struct ChoiceKey: Hashable {
  package private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  package init(_ text: JSONString) { fold(text) }

  mutating func fold(_ text: JSONString) {
    for byte in text.utf8 { fold(byte) }
  }

  package mutating func fold(literal text: StaticString) {
    text.withUTF8Buffer { bytes in for byte in bytes { fold(byte) } }
  }

  mutating func fold(_ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  mutating func fold(_ timer: ReplicatorTimer) {
    switch timer {
    case .retry(let request):
      fold(literal: "retry/")
      fold(Int(clamping: request))
    case .checkpoint: fold(literal: "checkpoint")
    case .poll: fold(literal: "poll")
    }
  }

  /// Folds a number as its decimal digits.
  package mutating func fold(_ number: Int) {
    if number >= 10 { fold(number / 10) }
    fold(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

/// The random choices of a run: a seed, and overrides that replace single choices.
package struct Choices {
  let seed: UInt64
  private let overrides: [UInt64: Fate]

  init(_ scenario: Scenario) {
    seed = scenario.seed
    overrides = Dictionary(
      scenario.overrides.map { (ChoiceKey($0.key).hash, $0.fate) }, uniquingKeysWith: { $1 })
  }

  /// The choices of another seed, without overrides.
  init(seed: UInt64) {
    self.seed = seed
    overrides = [:]
  }

  package func random(_ key: ChoiceKey) -> KeyedRandom { KeyedRandom(seed: seed, key: key.hash) }

  /// The override of a message; nil without an override.
  func override(_ key: @autoclosure () -> ChoiceKey) -> Fate? {
    overrides.isEmpty ? nil : overrides[key().hash]
  }
}

extension World {
  /// The direction of a message, for keys.
  package enum Leg {
    case request
    case response

    var name: StaticString {
      switch self {
      case .request: "request"
      case .response: "response"
      }
    }
  }
}

extension Conditions {
  /// Draws the delivery of a message.
  func fate(_ random: inout KeyedRandom, _ leg: World.Leg) -> Fate {
    guard !isCalm else { return .delivered }
    var draw = Int64(random.below(1000))
    func takes(_ rate: Int64) -> Bool {
      draw -= rate
      return draw < 0
    }
    if takes(lost) { return .lost }
    if takes(twice) { return .twice }
    if takes(late) { return .late(1 + Int64(random.below(Int(lateMax)))) }
    switch leg {
    case .request:
      if takes(status) { return .status([429, 500, 503][random.below(3)]) }
    case .response:
      if takes(truncated) { return .truncated }
      if takes(partial) { return .partial }
    }
    if takes(damaged) { return .damaged }
    return .delivered
  }

  /// Whether messages have no faults.
  var isCalm: Bool { lost + twice + late + status + truncated + partial + damaged == 0 }
}
