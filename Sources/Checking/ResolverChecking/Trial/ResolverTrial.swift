internal import Datastore
internal import JSON

/// The checks of one conflict.
struct ResolverTrial {
  let team: ResolverTeam
  let leaves: ResolvedLeaves
  /// The guarantees to check.
  let expected: Set<ResolverGuarantee>
  /// The number of answers so far.
  private(set) var answerCount = 0
  /// The answer of the first device.
  private(set) var firstReply: Reply?

  init(
    _ team: ResolverTeam, passing leaves: ResolvedLeaves, expected: Set<ResolverGuarantee>
  ) {
    self.team = team
    self.leaves = leaves
    self.expected = expected
  }

  /// An answer with the resolver that gave it.
  struct Reply {
    let label: String
    let conflict: DocumentConflict
    let resolution: ConflictResolution

    var answer: ResolverFinding.Answer {
      ResolverFinding.Answer(
        label: label, text: resolution.text,
        outcome: resolution.isBody ? nil : outcome.text)
    }

    var outcome: ResolutionOutcome { resolution.outcome(of: conflict) }
  }

  /// The end of a check by its first violation.
  enum Stop: Error {
    case violated(ResolverFinding)
    case harness(HarnessError)
  }

  /// Returns the first violation; nil without a violation or without a conflict.
  ///
  /// - Parameter followsDevices: whether the devices also resolve and replicate.
  mutating func finding(
    _ conflict: ConflictCase, followsDevices: Bool = true
  ) throws(HarnessError) -> ResolverFinding? {
    guard let first = conflict.conflict(passing: leaves) else { return nil }
    do throws(Stop) {
      let reply = try self.reply("phone", first, from: team.devices[0])
      firstReply = reply
      guard try isValid(reply) else { return nil }
      try checkRepetition(reply)
      try checkOrders(reply)
      if reply.resolution == .unresolved {
        try require(
          .resolves, false, in: [reply], because: "The resolver leaves the conflict.")
        return nil
      }
      try checkChanges(reply)
      try checkIdempotence(reply)
      if followsDevices { try checkDevices(conflict, first) }
      return nil
    } catch {
      switch error {
      case .violated(let finding): return finding
      case .harness(let error): throw error
      }
    }
  }

  /// The violation if a question gets another answer than before.
  mutating func change(of earlier: Reply) throws(HarnessError) -> ResolverFinding? {
    do throws(Stop) {
      let now = try reply("phone, later", earlier.conflict, from: team.devices[0])
      try checkSame(
        .deterministic, of: earlier, and: now,
        because: "The same conflict got another answer 1 second later.")
      return nil
    } catch {
      switch error {
      case .violated(let finding): return finding
      case .harness(let error): throw error
      }
    }
  }

  /// The ending on the devices, or the reason why they did not reach one.
  func ending(
    _ conflict: ConflictCase, isComplete: Bool
  ) -> Result<(ending: DeviceGroup.Ending, log: [String]), Stop> {
    do throws(Stop) { return .success(try follow(conflict, isComplete: isComplete)) } catch {
      return .failure(error)
    }
  }

  // MARK: Answers

  /// The answer of a resolver; its failure is a violation.
  mutating func reply(
    _ label: String, _ conflict: DocumentConflict, from resolver: any ConflictResolver
  ) throws(Stop) -> Reply {
    answerCount += 1
    do throws(HarnessError) {
      let resolution = try resolver.resolve(conflict)
      return Reply(label: label, conflict: conflict, resolution: resolution)
    } catch {
      guard error.breakdown != nil else { throw .harness(error) }
      throw .violated(
        ResolverFinding(
          guarantee: .answers, conflict: conflict,
          answers: [.init(label: label, text: "no answer", outcome: nil)],
          explanation: "\(error.message)"))
    }
  }

  /// Throws the violation of a guarantee that is expected.
  func require(
    _ guarantee: ResolverGuarantee, _ isKept: Bool, in replies: [Reply],
    because explanation: String
  ) throws(Stop) {
    guard !isKept, expected.contains(guarantee), let last = replies.last else { return }
    throw .violated(
      ResolverFinding(
        guarantee: guarantee, conflict: last.conflict, answers: replies.map(\.answer),
        explanation: explanation))
  }

  // MARK: One answer

  /// False if the answer cannot be stored, and this is not expected any more.
  private func isValid(_ reply: Reply) throws(Stop) -> Bool {
    guard let explanation = Self.defect(of: reply) else { return true }
    try require(.valid, false, in: [reply], because: explanation)
    return false
  }

  /// Why an answer cannot be stored; nil if it can.
  private static func defect(of reply: Reply) -> String? {
    switch reply.resolution {
    case .body(let body, let parent):
      if let reserved = body.members.first(where: { $0.name.utf8.first == UInt8(ascii: "_") }) {
        return "The member \"\(reserved.name)\" is reserved: no name of a member begins with \"_\"."
      }
      guard let parent else { return nil }
      let version = reply.conflict.leaves.first { $0.rev == parent }
      return version?.isDeleted == false ? nil : "\(parent) is not one of the live leaves."
    case .keep(let rev):
      let isLeaf = reply.conflict.leaves.contains { $0.rev == rev }
      return isLeaf ? nil : "\(rev) is not one of the leaves."
    case .delete, .unresolved: return nil
    }
  }

  private mutating func checkRepetition(_ reply: Reply) throws(Stop) {
    let conflict = reply.conflict
    let again = try self.reply("phone, again", conflict, from: team.devices[0])
    try checkSame(
      .deterministic, of: reply, and: again,
      because: "The same conflict got two answers on one device.")
    let second = try self.reply("phone, another process", conflict, from: team.second)
    try checkSame(
      .deterministic, of: reply, and: second,
      because: "Two resolvers of one device gave different answers.")
    for (place, resolver) in team.devices.enumerated().dropFirst() {
      var elsewhere = conflict
      elsewhere.device = ConflictCase.devices[place]
      let other = try self.reply(elsewhere.device, elsewhere, from: resolver)
      try checkSame(
        .deviceIndependent, of: reply, and: other, because: "Two devices gave different answers.")
    }
  }

  /// Compares two answers to the same leaves.
  private func checkSame(
    _ guarantee: ResolverGuarantee, of one: Reply, and other: Reply,
    because explanation: String
  ) throws(Stop) {
    let isSame =
      one.outcome.isSame(as: other.outcome)
      && one.resolution.parent(in: one.conflict) == other.resolution.parent(in: other.conflict)
    try require(guarantee, isSame, in: [one, other], because: explanation)
    try require(
      .sameBytes, !isSame || one.outcome == other.outcome, in: [one, other],
      because: "The answers differ in the order of members or in the form of a number.")
  }

  private mutating func checkOrders(_ reply: Reply) throws(Stop) {
    for order in reply.conflict.leaves.orders.dropFirst() {
      var conflict = reply.conflict
      conflict.leaves = order
      let list = order.map { "\($0.rev)" }.joined(separator: ", ")
      let other = try self.reply("phone, leaves \(list)", conflict, from: team.devices[0])
      try checkSame(
        .orderIndependent, of: reply, and: other,
        because: "Two orders of the leaves gave different answers.")
    }
  }

  // MARK: Outcomes

  private mutating func checkIdempotence(_ reply: Reply) throws(Stop) {
    guard expected.contains(.idempotent), case .live(let body) = reply.outcome else { return }
    let conflict = reply.conflict
    let parent = reply.resolution.parent(in: conflict)
    let generation = (conflict.leaves.map(\.rev.generation).max() ?? 0) + 1
    var outcome = DocumentConflict.Version(
      rev: RevisionID(JSONString("\(generation)-r")), body: body)
    if case .keep(let rev) = reply.resolution { outcome.rev = rev }
    let copy = DocumentConflict.Version(
      rev: RevisionID(JSONString("\(generation)-s")), body: body)
    let others = conflict.leaves.filter { $0.rev != parent }
    for other in [copy] + others {
      var again = conflict
      again.leaves = [outcome, other]
      let label =
        other == copy
        ? "phone, outcome against its copy" : "phone, outcome against \(other.rev)"
      let second = try self.reply(label, again, from: team.devices[0])
      guard !second.outcome.isSame(as: reply.outcome) else { continue }
      let finding = ResolverFinding(
        guarantee: .idempotent, conflict: conflict, answers: [reply.answer, second.answer],
        explanation: other == copy
          ? "The outcome in conflict with a copy of itself became another document."
          : "The outcome in conflict with the leaf \(other.rev) became another document.")
      throw .violated(finding)
    }
  }

  private mutating func checkDevices(
    _ conflict: ConflictCase, _ first: DocumentConflict
  ) throws(Stop) {
    guard expected.contains(.converges) else { return }
    for isComplete in [true, false] where isComplete == (conflict.sides.count == 2) {
      let (ending, log) = try follow(conflict, isComplete: isComplete)
      guard ending != .converged, ending != .unresolved else { continue }
      var finding = ResolverFinding(
        guarantee: .converges, conflict: first, answers: [], explanation: ending.sentence)
      finding.replication = log
      throw .violated(finding)
    }
  }

  /// Lets the devices resolve and replicate.
  func follow(
    _ conflict: ConflictCase, isComplete: Bool
  ) throws(Stop) -> (ending: DeviceGroup.Ending, log: [String]) {
    do throws(HarnessError) {
      let count = isComplete ? 2 : Self.deviceCount
      var group = try DeviceGroup(
        conflict, resolvers: Array(team.devices.prefix(count)), passing: leaves,
        revisionIDs: expected.contains(.sameBytes) ? .couchdb : .own, isComplete: isComplete)
      return (try group.run(), group.log)
    } catch {
      guard error.breakdown != nil else { throw .harness(error) }
      let first = conflict.conflict(passing: leaves)
      throw .violated(
        ResolverFinding(
          guarantee: .answers, conflict: first ?? conflict.anyConflict, answers: [],
          explanation: error.message))
    }
  }

  private static let deviceCount = 3
}

extension ConflictCase {
  /// The conflict with all leaves.
  var anyConflict: DocumentConflict {
    DocumentConflict(
      document: Self.document, leaves: sides.indices.map { version(of: $0) }, ancestor: nil,
      device: Self.devices[0])
  }
}

extension DeviceGroup.Ending {
  var sentence: String {
    switch self {
    case .converged: "The devices agree."
    case .unresolved: "The conflict remains."
    case .lost: "Each device deleted the version that the other one kept: the document is lost."
    case .endless:
      "After \(DeviceGroup.roundsMax) rounds of resolution and replication the devices differ."
    case .rejected(let message): "The store rejected the answer: \(message)"
    }
  }
}

extension Array {
  /// All orders of the elements, the given one first.
  var orders: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { place -> [[Element]] in
      var rest = self
      let element = rest.remove(at: place)
      return rest.orders.map { [element] + $0 }
    }
  }
}
