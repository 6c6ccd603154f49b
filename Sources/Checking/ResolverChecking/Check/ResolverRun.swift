internal import Datastore

/// One check: enumeration, random conflicts, a repetition after a pause, and shrinking.
struct ResolverRun {
  private let team: ResolverTeam
  private let leaves: ResolvedLeaves
  private let expected: Set<ResolverGuarantee>
  private let pause: Duration
  /// The maximum number of leaves of the enumerated conflicts.
  var enumeratedLeaves = 3
  private var found: [(conflict: ConflictCase, finding: ResolverFinding)] = []
  private var remaining: Set<ResolverGuarantee>
  private var answerCount = 0
  private var samples: [Sample] = []

  /// An answer that is compared with a later one.
  private struct Sample {
    let conflict: ConflictCase
    let reply: ResolverTrial.Reply
  }

  /// The maximum number of conflicts that are tried for a smaller one.
  private static let attemptsMax = 2000
  /// The same for a resolver that hangs, where each attempt takes the time limit.
  private static let hangingAttemptsMax = 4
  /// The number of conflicts whose answers are compared after a pause.
  private static let samplesMax = 32
  /// One of this many enumerated conflicts is such a conflict.
  private static let sampleStride = 31

  init(
    _ team: ResolverTeam, passing leaves: ResolvedLeaves, expected: Set<ResolverGuarantee>,
    pause: Duration
  ) {
    self.team = team
    self.leaves = leaves
    self.expected = expected
    self.pause = pause
    remaining = expected
  }

  /// Checks all conflicts.
  mutating func report(seeds: ClosedRange<UInt64>) throws(HarnessError) -> ResolverReport {
    let enumeration = ConflictEnumeration(leaves: 2...enumeratedLeaves)
    var (enumerated, random) = (0, 0)
    let start = ContinuousClock.now
    for conflict in enumeration where !isOver && conflict.conflict(passing: leaves) != nil {
      enumerated += 1
      try check(
        conflict, isSample: enumerated % Self.sampleStride == 0,
        origin: "enumerated conflict \(enumerated)")
    }
    for seed in seeds where !isOver {
      var generator = ConflictGenerator(seed: seed)
      let conflict = generator.conflict()
      guard conflict.conflict(passing: leaves) != nil else { continue }
      random += 1
      try check(conflict, isSample: false, origin: "seed \(seed)")
    }
    if !isOver { try repeatSamples(asked: start) }
    var findings: [ResolverFinding] = []
    for (conflict, finding) in found { findings.append(try shrunk(conflict, finding)) }
    let order = ResolverGuarantee.allCases
    findings.sort {
      (order.firstIndex(of: $0.guarantee) ?? 0) < (order.firstIndex(of: $1.guarantee) ?? 0)
    }
    return ResolverReport(
      enumerated: enumerated, random: random, answers: answerCount, expected: expected,
      leaves: leaves, findings: findings)
  }

  /// Whether nothing else can be checked: without answers, or with random ones.
  private var isOver: Bool {
    expected.contains(.answers) && !remaining.contains(.answers)
      || expected.contains(.deterministic) && !remaining.contains(.deterministic)
  }

  private mutating func check(
    _ conflict: ConflictCase, isSample: Bool, origin: String
  ) throws(HarnessError) {
    var trial = ResolverTrial(team, passing: leaves, expected: remaining)
    let finding = try trial.finding(conflict)
    answerCount += trial.answerCount
    if var finding {
      finding.origin = origin
      record(conflict, finding)
    } else if isSample, samples.count < Self.samplesMax, let reply = trial.firstReply {
      samples.append(Sample(conflict: conflict, reply: reply))
    }
  }

  private mutating func record(_ conflict: ConflictCase, _ finding: ResolverFinding) {
    found.append((conflict, finding))
    remaining.remove(finding.guarantee)
    switch finding.guarantee {
    case .deterministic:
      // What was found before may have been chance.
      found.removeAll { ![.answers, .valid, .deterministic].contains($0.finding.guarantee) }
    case .valid, .deviceIndependent, .orderIndependent, .sameBytes, .idempotent:
      // Such devices do not converge, and that is no further defect.
      remaining.remove(.converges)
    default: break
    }
  }

  // MARK: Time

  /// Repeats questions after a pause: a resolver that reads a clock answers them differently.
  private mutating func repeatSamples(
    asked start: ContinuousClock.Instant
  ) throws(HarnessError) {
    guard expected.contains(.deterministic), !samples.isEmpty else { return }
    let rest = pause - (ContinuousClock.now - start)
    if rest > .zero { wait(rest) }
    for sample in samples {
      guard let later = try later(sample) else { continue }
      record(sample.conflict, later)
      return
    }
  }

  /// The violation if the answer is another one now.
  private mutating func later(_ sample: Sample) throws(HarnessError) -> ResolverFinding? {
    var trial = ResolverTrial(team, passing: leaves, expected: [.deterministic])
    answerCount += 1
    var finding = try trial.change(of: sample.reply)
    finding?.origin = "a repetition after a pause"
    return finding
  }

  /// The smallest conflict whose answer changes with the time; nil if it changes at once.
  private mutating func shrunkInTime(
    _ conflict: ConflictCase, _ finding: ResolverFinding
  ) throws(HarnessError) -> ResolverFinding? {
    for _ in 0..<2 {
      var trial = ResolverTrial(team, passing: leaves, expected: [.deterministic])
      if try trial.finding(conflict) != nil { return nil }
    }
    var best = (conflict: conflict, finding: finding)
    while true {
      var candidates: [Sample] = []
      for conflict in best.conflict.simpler {
        var trial = ResolverTrial(team, passing: leaves, expected: [])
        guard try trial.finding(conflict, followsDevices: false) == nil,
          let reply = trial.firstReply
        else { continue }
        candidates.append(Sample(conflict: conflict, reply: reply))
      }
      guard !candidates.isEmpty else { return best.finding }
      wait(pause)
      var smaller: (conflict: ConflictCase, finding: ResolverFinding)?
      for candidate in candidates where smaller == nil {
        smaller = try later(candidate).map { (candidate.conflict, $0) }
      }
      guard let smaller else { return best.finding }
      best = smaller
    }
  }

  // MARK: Shrinking

  private mutating func shrunk(
    _ conflict: ConflictCase, _ finding: ResolverFinding
  ) throws(HarnessError) -> ResolverFinding {
    if finding.guarantee == .deterministic, let timed = try shrunkInTime(conflict, finding) {
      return timed
    }
    var best = (conflict: conflict, finding: finding)
    var attempts = finding.isHang ? Self.hangingAttemptsMax : Self.attemptsMax
    var isSmaller = true
    while isSmaller, attempts > 0 {
      isSmaller = false
      for candidate in best.conflict.simpler where attempts > 0 {
        attempts -= 1
        var trial = ResolverTrial(team, passing: leaves, expected: [finding.guarantee])
        let found = try trial.finding(candidate)
        guard var smaller = found, smaller.guarantee == finding.guarantee,
          smaller.isHang == finding.isHang
        else { continue }
        smaller.origin = finding.origin
        best = (candidate, smaller)
        isSmaller = true
        break
      }
    }
    return try withReplication(best.finding, best.conflict)
  }

  /// Adds what follows on devices, if it is worse than the finding.
  private func withReplication(
    _ finding: ResolverFinding, _ conflict: ConflictCase
  ) throws(HarnessError) -> ResolverFinding {
    let causes: Set<ResolverGuarantee> = [
      .deterministic, .deviceIndependent, .orderIndependent, .sameBytes, .idempotent,
    ]
    guard causes.contains(finding.guarantee), conflict.sides.count == 2 else { return finding }
    let trial = ResolverTrial(team, passing: leaves, expected: expected)
    guard case .success(let end) = trial.ending(conflict, isComplete: true),
      end.ending != .converged
    else { return finding }
    var finding = finding
    finding.replication = end.log + [end.ending.sentence]
    return finding
  }

  private func wait(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let time = ContinuousClock.now + duration
    sleepMicroseconds(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    while ContinuousClock.now < time { sleepMicroseconds(1000) }
  }
}

extension ResolverFinding {
  fileprivate var isHang: Bool {
    guarantee == .answers
      && (explanation.contains("in time") || explanation.contains("within"))
  }
}
