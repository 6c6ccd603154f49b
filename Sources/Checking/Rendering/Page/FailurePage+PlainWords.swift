internal import Datastore
internal import JSON
internal import Scenarios

extension FailurePage {
  /// What happened, in one sentence without ids: "A deletion never reached replica a."
  var plainSentence: String {
    guard let finding = trace.findings.first else { return "No checker reported a finding." }
    return lossSentence(finding) ?? (finding.plain ?? finding.sentence).printable
  }

  /// The sentence about a lost write.
  ///
  /// The oracle compares final states only. The trace also tells whether a replica ever had the
  /// revision, and so whether replication or the store lost it.
  private func lossSentence(_ finding: Trace.Finding) -> String? {
    guard finding.isLoss,
      let write = trace.writes.first(where: { $0.id == finding.document && !$0.missing.isEmpty })
    else { return nil }
    let subject = finding.shape == "lost deletion" ? "A deletion" : "A write"
    func names(_ replicas: [ReplicaName]) -> String {
      (replicas.count == 1 ? "replica " : "replicas ")
        + listed(replicas.map { $0.name }, atMost: 8)
    }
    if write.missing.count == timeline.lanes.count {
      return "\(subject) was acknowledged and is missing at all replicas."
    }
    let losers = write.missing.filter { stored(write, at: $0) }
    return losers.isEmpty
      ? "\(subject) never reached \(names(write.missing))."
      : "\(subject) was stored at \(names(losers)) and lost there."
  }

  /// Whether a replica had the revision of a write at any time of the run.
  private func stored(_ write: Trace.Write, at replica: ReplicaName) -> Bool {
    trace.entries.contains { entry in
      guard entry.replica == replica, case .holds(let id, let branches) = entry.event else {
        return false
      }
      return id == write.id && branches.contains { $0.path.contains(write.rev) }
    }
  }
}
