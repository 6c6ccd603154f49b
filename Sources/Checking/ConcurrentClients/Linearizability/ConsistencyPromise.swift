/// A guarantee about operations of several clients. The contract gives all of them; a product that
/// does not give one declares a deviation.
public enum ConsistencyPromise: String, CaseIterable, Hashable, Sendable {
  /// A read shows every write that was acknowledged before the read began.
  case reads
  /// A page of the feed shows every write that was acknowledged before the request.
  case feed
  /// The feed has changes in the order of their acknowledgements.
  case feedOrder
  /// An answer of an index shows every write that was acknowledged before the request.
  case indexes
  /// `resolve` writes all revisions at once or none. If not, each revision is a write of its own, also
  /// of a resolution that is rejected.
  case resolutions
  /// After a purge, a document is as if the purged revisions had never existed. If not, documents that
  /// are purged are not searched.
  case purges
  /// Only a change applies the history limit to a document. If not, the order of the feed is not checked
  /// with a limit.
  case limits
  /// `list` shows one moment between request and response. If not, each row does.
  case lists
  /// The counts of `info` are those of one moment between request and response.
  case counts

  /// The guarantee in a few words.
  public var words: String {
    switch self {
    case .reads: "reads show acknowledged writes"
    case .feed: "so do pages of the feed"
    case .feedOrder: "the feed has the order of the writes"
    case .indexes: "queries show acknowledged writes"
    case .resolutions: "resolve is atomic"
    case .purges: "a purge leaves no trace"
    case .limits: "a rejected edit never cuts a history"
    case .lists: "a list shows one moment"
    case .counts: "so do the counts of info"
    }
  }
}
