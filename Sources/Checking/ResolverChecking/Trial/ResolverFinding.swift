/// A broken guarantee with the conflict that shows it.
public struct ResolverFinding: Hashable, Sendable {
  /// One answer of a resolver, with its circumstances.
  public struct Answer: Hashable, Sendable {
    /// The device and the circumstances, such as `tablet`.
    public var label: String
    /// The answer, such as `keep 2-b`.
    public var text: String
    /// The document that results from it; nil if the answer contains it.
    public var outcome: String?
  }

  /// The guarantee that is broken.
  public var guarantee: ResolverGuarantee
  /// The conflict.
  public var conflict: DocumentConflict
  /// The answers that show the violation.
  public var answers: [Answer]
  /// What is wrong with them, as a sentence.
  public var explanation: String
  /// What follows when the devices replicate; empty if nothing worse follows.
  public var replication: [String] = []
  /// Where the first violation was found, such as `seed 17`.
  public var origin = ""
}
