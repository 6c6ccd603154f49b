internal import Datastore
internal import Storage

/// One thing that a power loss can leave of the changes that were not synced.
struct LossOutcome {
  var loss: PowerLoss
  /// In words, such as `the first 3 of 8 kept`.
  var name: String
}

/// Which of the legal power losses are tried at a point.
///
/// Few changes are tried in all subsets. Of many, those come first that disks really make: nothing,
/// all of it, each prefix, each prefix with a torn write at its end; then each change lost or kept
/// alone, torn alone, and at last subsets by chance. What is beyond the bound is picked by chance,
/// too, each kind of outcome getting its share.
struct LossPlan {
  let changes: [UnsyncedChange]
  /// How many outcomes there are at most, at least 2.
  let outcomesMax: Int
  let seed: UInt64

  /// All outcomes that are tried, in an order that depends on the changes and the seed only.
  func outcomes() -> [LossOutcome] {
    if changes.isEmpty { return [LossOutcome(loss: PowerLoss(), name: "nothing was unsynced")] }
    var chosen = [
      LossOutcome(loss: PowerLoss(others: .dropped), name: "all \(changes.count) lost"),
      LossOutcome(loss: PowerLoss(others: .kept), name: "all \(changes.count) kept"),
    ]
    let random = RunEnvironment(seed: seed &+ UInt64(changes.count))
    var kinds = families.map { $0[...] }
    // In turn one of each kind; a kind that does not fit whole is picked from by chance.
    while chosen.count < outcomesMax, kinds.contains(where: { !$0.isEmpty }) {
      for place in kinds.indices where !kinds[place].isEmpty && chosen.count < outcomesMax {
        let pick = Int(random.nextRandom() % UInt64(kinds[place].count))
        chosen.append(kinds[place].remove(at: kinds[place].startIndex + pick))
      }
    }
    while chosen.count < outcomesMax, !isExhaustive {
      chosen.append(byChance(&random))
    }
    return chosen
  }

  /// Whether all subsets of the changes fit.
  private var isExhaustive: Bool { changes.count < 16 && 1 << changes.count <= outcomesMax }

  /// How a write of several sectors is torn.
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
        uniqueKeysWithValues: changes[..<place].map { ($0.number, PowerLoss.Fate.kept) })
      if place > 0 {
        prefixes.append(
          LossOutcome(loss: PowerLoss(fates: before), name: "the first \(place) kept"))
      }
      let number = change.number
      lost.append(
        LossOutcome(
          loss: PowerLoss(others: .kept, fates: [number: .dropped]),
          name: "only \(name(place)) lost"))
      kept.append(
        LossOutcome(
          loss: PowerLoss(fates: [number: .kept]), name: "only \(name(place)) kept"))
      guard change.sectorCount > 1 else { continue }
      for tear in Self.tears {
        torn.append(
          LossOutcome(
            loss: PowerLoss(fates: before.merging([number: .torn(sectors: tear.sectors)]) { $1 }),
            name: "the first \(place) kept, and of \(name(place)) \(tear.name)"))
        tornAlone.append(
          LossOutcome(
            loss: PowerLoss(others: .kept, fates: [number: .torn(sectors: tear.sectors)]),
            name: "all kept, but of \(name(place)) \(tear.name)"))
      }
    }
    return [prefixes, torn, lost, kept, tornAlone, subsets]
  }

  /// All subsets, where there are few changes; those of one change or none are among the others.
  private var subsets: [LossOutcome] {
    guard isExhaustive else { return [] }
    return (0..<(1 << changes.count)).compactMap { (bits: Int) -> LossOutcome? in
      guard bits.nonzeroBitCount >= 2, bits.nonzeroBitCount <= changes.count - 2 else { return nil }
      let places = changes.indices.filter { bits & 1 << $0 != 0 }
      let fates = Dictionary(
        uniqueKeysWithValues: places.map { (changes[$0].number, PowerLoss.Fate.kept) })
      let names = places.map { name($0) }.joined(separator: " and ")
      return LossOutcome(loss: PowerLoss(fates: fates), name: "only \(names) kept")
    }
  }

  private func byChance(_ random: RunEnvironment) -> LossOutcome {
    var fates: [Int: PowerLoss.Fate] = [:]
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
    return LossOutcome(loss: PowerLoss(fates: fates), name: "by chance \(letters)")
  }

  private func name(_ place: Int) -> String {
    "\(changes[place].step.kind) \(place + 1) (\(changes[place].step.role))"
  }
}
