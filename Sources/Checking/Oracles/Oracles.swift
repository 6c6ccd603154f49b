public import Datastore
public import JSON

/// All oracles of a run; none of them shares code with the tested modules.
public struct Oracles {
  private var history: History
  private var obligations = SessionObligations()
  private var waste = Waste()
  private var identity = StoreIdentity()
  private var winners = WinnerAgreement()
  private var fates = FateLedger()
  private var convergence = Convergence()
  private var attachments = AttachmentContents()
  private var contents = RevisionContents()
  private var locals = LocalContents()
  private var saves = SaveLedger()
  private var identities = ObjectIdentity()

  /// Creates the oracles of a run with these replicas.
  public init(_ replicas: [OracleReplica]) { history = History(replicas) }

  /// Creates the oracles of replicas with the same product.
  ///
  /// - Parameters:
  ///   - collation: the order that the stores give to the revisions of a document.
  ///   - revisionIDs: the profile of the stores' own revision ids.
  ///   - hasDigests: whether the stores report SHA-256 digests of attachments.
  public init(
    replicas: [JSONString], collation: CollationName = .bytes,
    revisionIDs: RevisionIDProfile = .own, hasDigests: Bool = true
  ) {
    self.init(
      replicas.map {
        OracleReplica(
          $0, collation: collation, revisionIDs: revisionIDs, hasDigests: hasDigests)
      })
  }

  /// Receives an event and returns its findings.
  ///
  /// - Parameter isDeclared: whether the outcome is permitted only because of a declared deviation.
  ///   Such an outcome need not name the content that was written.
  public mutating func observe(
    _ observation: Observation, isDeclared: Bool = false
  ) -> OracleFinding? {
    history.note(observation)
    if let finding = winners.observe(observation, history) { return finding }
    if let finding = obligations.observe(observation, history) { return finding }
    if let finding = identity.observe(observation, history) { return finding }
    if let finding = attachments.observe(observation, history) { return finding }
    if isDeclared {
      contents.observeDeclared(observation, history)
    } else if let finding = contents.observe(observation, history) {
      return finding
    }
    if let finding = locals.observe(observation, history) { return finding }
    if let finding = saves.observe(observation, history) { return finding }
    if let finding = identities.observe(observation, history) { return finding }
    return waste.observe(observation, history)
  }

  /// Checks the content of the stores when nothing is left to replicate.
  ///
  /// - Parameter graphs: the objects of the applications, one graph for each store; empty without
  ///   objects.
  public mutating func conclude(
    _ stores: [FinalStore], _ graphs: [FinalGraph] = []
  ) -> [OracleFinding] {
    let altered = attachments.conclude(stores, history)
    let all =
      ObjectGraph().conclude(stores, graphs, history: history) + winners.conclude(stores, history)
      + fates.conclude(stores, history) + convergence.conclude(stores, history) + altered
      + contents.conclude(stores, history)
    return all.filter { !isDeclared($0) }
  }

  /// The number of edits that have another revision id than an equal edit of the same parent on
  /// another replica: needless conflicts, and no violation.
  public var lostConvergence: Int { contents.lostConvergence }

  /// Whether a declared flaw explains a difference of contents under one revision id.
  private func isDeclared(_ finding: OracleFinding) -> Bool {
    switch finding {
    case .differentBodies(let id, let rev, _, _), .alteredBody(let id, let rev, _, _):
      contents.shared[RevisionKey(id: id, rev: rev)] == .highBytesOfTexts
    case .differentAttachments(let id, let rev, _, _),
      .attachment(_, let id, let rev, .altered, _):
      contents.shared[RevisionKey(id: id, rev: rev)] == .attachmentsOfRecreations
        || attachments.replaced[RevisionKey(id: id, rev: rev)] != nil
    default: false
    }
  }

  /// The declared flaws because of which a revision id has several contents.
  public var contentFlaws: Set<ContentFlaw> {
    Set(contents.shared.values).union(attachments.replaced.values)
  }

  /// The final state of each acknowledged write, in the order of their acknowledgement.
  public func ledger(_ stores: [FinalStore]) -> [LedgerEntry] {
    FateLedger.entries(stores, history)
  }
}
