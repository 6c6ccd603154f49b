internal import Datastore
internal import Storage

/// One possible state of the unsynced changes after a power loss.
struct LossOutcome {
  var loss: PowerLoss
  /// In words, such as `the first 3 of 8 kept`.
  var name: String
}

/// The legal power losses that are tested at a point.
///
/// For few changes all subsets are tested. For many, the most realistic come first: none, all, each
/// prefix, each prefix with a torn write at its end; then each change lost or kept alone, torn
/// alone, and finally random subsets. Above the bound outcomes are selected randomly, with a share
/// for each kind.
struct LossPlan {
  let changes: [UnsyncedChange]
  /// The maximum number of outcomes, at least 2.
  let outcomesMax: Int
  let seed: UInt64

  /// All tested outcomes, in an order that depends only on the changes and the seed.
  func outcomes() -> [LossOutcome] {
    if changes.isEmpty { return [LossOutcome(loss: PowerLoss(), name: "no unsynced changes")] }
    var chosen = [
      LossOutcome(loss: PowerLoss(others: .dropped), name: "all \(changes.count) lost"),
      LossOutcome(loss: PowerLoss(others: .kept), name: "all \(changes.count) kept"),
    ]
    let random = RunEnvironment(seed: seed &+ UInt64(changes.count))
    var kinds = families.map { $0[...] }
    // One of each kind in turn; a kind that does not fit whole is sampled.
    while chosen.count < outcomesMax, kinds.contains(where: { !$0.isEmpty }) {
      for place in kinds.indices where !kinds[place].isEmpty && chosen.count < outcomesMax {
        let pick = Int(random.nextRandom() % UInt64(kinds[place].count))
        chosen.append(kinds[place].remove(at: kinds[place].startIndex + pick))
      }
    }
    while chosen.count < outcomesMax, !isExhaustive {
      chosen.append(byChance(random))
    }
    return chosen
  }

  /// True if all subsets of the changes fit.
  private var isExhaustive: Bool { changes.count < 16 && 1 << changes.count <= outcomesMax }

  /// The patterns of torn writes of several sectors.
  private static let tears: [(sectors: UInt64, name: String)] = [
    (1, "only its first sector"), (~1, "without its first sector"),
    (0x5555_5555_5555_5555, "every other sector"), (0, "only its length"),
  ]

  private var families: [[LossOutcome]] {
    var prefixes: [LossOutcome] = []
    var torn: [LossOutcome] = []
    var lost: [LossOutcome] = []
    var kept: [LossOutcome] = []
    var tornAlone: [LossOutcome] = []
    for (place, change) in changes.enumerated() {
      let before = Dictionary(
        uniqueKeysWithValues: changes[..<place].map { ($0.number, PowerLoss.Outcome.kept) })
      if place > 0 {
        prefixes.append(
          LossOutcome(loss: PowerLoss(outcomes: before), name: "the first \(place) kept"))
      }
      let number = change.number
      lost.append(
        LossOutcome(
          loss: PowerLoss(others: .kept, outcomes: [number: .dropped]),
          name: "only \(name(place)) lost"))
      kept.append(
        LossOutcome(
          loss: PowerLoss(outcomes: [number: .kept]), name: "only \(name(place)) kept"))
      guard change.sectorCount > 1 else { continue }
      for tear in Self.tears {
        torn.append(
          LossOutcome(
            loss: PowerLoss(
              outcomes: before.merging([number: .torn(sectors: tear.sectors)]) { $1 }),
            name: "the first \(place) kept, and of \(name(place)) \(tear.name)"))
        tornAlone.append(
          LossOutcome(
            loss: PowerLoss(others: .kept, outcomes: [number: .torn(sectors: tear.sectors)]),
            name: "all kept, but of \(name(place)) \(tear.name)"))
      }
    }
    return [prefixes, torn, lost, kept, tornAlone, subsets]
  }

  /// All subsets for few changes; those of one change or none are among the other outcomes.
  private var subsets: [LossOutcome] {
    guard isExhaustive else { return [] }
    return (0..<(1 << changes.count)).compactMap { (bits: Int) -> LossOutcome? in
      guard bits.nonzeroBitCount >= 2, bits.nonzeroBitCount <= changes.count - 2 else { return nil }
      let places = changes.indices.filter { bits & 1 << $0 != 0 }
      let fates = Dictionary(
        uniqueKeysWithValues: places.map { (changes[$0].number, PowerLoss.Outcome.kept) })
      let names = places.map { name($0) }.joined(separator: " and ")
      return LossOutcome(loss: PowerLoss(outcomes: fates), name: "only \(names) kept")
    }
  }

  private func byChance(_ random: RunEnvironment) -> LossOutcome {
    var fates: [Int: PowerLoss.Outcome] = [:]
    var letters = ""
    for change in changes {
      let draw = random.nextRandom()
      switch draw % 3 {
      case 0:
        fates[change.number] = .dropped
        letters += "-"
      case 2 where change.sectorCount > 1:
        fates[change.number] = .torn(sectors: random.nextRandom())
        letters += "t"
      default:
        fates[change.number] = .kept
        letters += "+"
      }
    }
    return LossOutcome(loss: PowerLoss(outcomes: fates), name: "random \(letters)")
  }

  private func name(_ place: Int) -> String {
    "\(changes[place].step.kind) \(place + 1) (\(changes[place].step.role))"
  }
}
