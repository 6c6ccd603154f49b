internal import Datastore
internal import RevisionTree

/// What a store with deviations remembers beyond the state of the model.
struct DeviationMemory: Hashable {
  /// Documents that are counted as live although all their leaves are deleted, with the position of
  /// the change that left them so; a later change ends it.
  var countedAsLive: [DocumentID: Int64] = [:]
  /// The path of each revision that arrived below another parent than the known one, as sent.
  var contradictoryPaths: [DocumentID: [Revision: [Revision]]] = [:]
  /// Documents for which nothing is predicted any more, with the deviation that is the reason.
  var unpredictable: [DocumentID: Deviation.ID] = [:]
  /// The history limit at the latest change of each document; absent for no limit.
  var limitsAtChange: [DocumentID: Int64] = [:]
  /// The revisions that each document had and that a history limit has cut.
  var cut: [DocumentID: Set<Revision>] = [:]
  /// The deletion flags of a store that looks them up by suffix.
  var suffixFlags: [DocumentID: SuffixFlags] = [:]
}
