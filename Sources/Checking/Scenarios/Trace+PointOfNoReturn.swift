public import Datastore

extension Trace {
  /// The first event after which no continuation that was searched avoids the finding.
  public struct PointOfNoReturn: Hashable, Sendable {
    /// The place of the point.
    public var place: Place
    /// The document that a continuation saves; nil for all documents.
    public var document: DocumentID?
    /// The continuations of the run up to the event before the point.
    public var before: Tally
    /// The continuations of the run up to the point. Equal to `before` if the point is no event.
    public var after: Tally
    /// The continuations of the whole run in which the running sessions go on, if those of the
    /// point end them; nil otherwise.
    public var whileRunning: Tally?
    /// The mildest remedy after the last event; nil if none has an effect, or if none is necessary.
    public var remedy: Remedy?

    /// Creates a point.
    public init(
      _ place: Place, document: DocumentID?, before: Tally, after: Tally,
      whileRunning: Tally? = nil, remedy: Remedy? = nil
    ) {
      self.place = place
      self.document = document
      self.before = before
      self.after = after
      self.whileRunning = whileRunning
      self.remedy = remedy
    }

    /// The place of a point of no return.
    public enum Place: Hashable, Sendable {
      /// No continuation of the beginning avoids the finding.
      case beginning
      /// An event with these entries of the trace.
      case event(entries: Range<Int>)
      /// Some continuations after the last event avoid the finding.
      case afterTheRun
    }

    /// The number of continuations, and of those that avoid the finding.
    public struct Tally: Hashable, Sendable {
      /// The continuations that avoid the finding.
      public var saving: Int
      /// All continuations that were run.
      public var tried: Int

      /// Creates a tally.
      public init(saving: Int = 0, tried: Int = 0) {
        self.saving = saving
        self.tried = tried
      }
    }

    /// Something outside of the scenario that avoids the finding.
    public enum Remedy: CaseIterable, Hashable, Sendable {
      /// Replication between all pairs of replicas.
      case allPairs
      /// The same after all checkpoints were removed.
      case withoutCheckpoints
    }
  }
}
