public import Datastore

extension Upgrade {
  /// The disagreement of a seed, shrunk, with its files; nil if the case does not disagree again.
  public func shrunk(seed: UInt64) throws(HarnessError) -> Disagreement? {
    try minimized(seed: seed).map(withFiles)
  }

  /// A shorter case with the same disagreement, whose files are kept.
  ///
  /// Disagreements are the same if the phase, the name of the operation and the kinds of outcomes
  /// are equal. As in a comparison, random steps are left out first, then operations, and then the
  /// remaining operations are simplified.
  public func shrunk(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement {
    try withFiles(minimized(disagreement))
  }

  /// Runs the operations of a disagreement once more and keeps the files.
  private func withFiles(_ disagreement: Disagreement) throws(HarnessError) -> Disagreement {
    var place: String?
    let verdict = try run(
      seed: disagreement.seed, operations: disagreement.operations, keeps: { place = $0 })
    guard var last = verdict.disagreement(like: disagreement) else { return disagreement }
    last.files = place
    return last
  }
}
