internal import Datastore
public import JSON

/// Known failures: the vectors that fail, the message, and the reason.
public struct KnownFailures: Hashable, Sendable {
  /// The entries in the order of the file.
  public let entries: [Entry]

  /// Creates a list.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// Vectors that fail in one way.
  public struct Entry: Hashable, Sendable {
    /// A pattern for the ids of the vectors.
    public let vectors: Glob
    /// A part of `Witness.message`.
    public let message: Glob
    /// The reason, for readers.
    public let reason: JSONString
    /// A link for more information.
    public let link: JSONString?
    /// The last day on which the entry applies.
    public let expires: CalendarDay?

    /// Creates an entry.
    public init(
      vectors: Glob, message: Glob, reason: JSONString, link: JSONString? = nil,
      expires: CalendarDay? = nil
    ) {
      self.vectors = vectors
      self.message = message
      self.reason = reason
      self.link = link
      self.expires = expires
    }

    /// Whether a failure matches the entry.
    func describes(_ witness: Witness) -> Bool {
      Glob(JSONString("*\(message.pattern)*")).matches(JSONString(witness.message))
    }

    /// Whether the day is after the last day.
    func isExpired(on day: CalendarDay) -> Bool { expires.map { $0 < day } ?? false }

    /// The reason for the entry, in one phrase.
    var explanation: String {
      let more = [link.map(\.description), expires.map { "until \($0)" }].compactMap { $0 }
      return more.isEmpty ? reason.string : "\(reason) (\(more.joined(separator: "; ")))"
    }
  }

  /// Returns the failures of a run as a list: entries that still apply are kept, other failures get
  /// new entries.
  ///
  /// - Parameter earlier: earlier lists; their entries for vectors that did not run are kept, too.
  public init(baselineOf report: RunReport, keeping earlier: [Entry] = []) {
    var entries: [Entry] = []
    for result in report.results {
      guard case .fail(let witness) = result.verdict,
        result.knownFailure?.deviations.isEmpty ?? true
      else { continue }
      let entry =
        result.knownFailure?.entry
        ?? earlier.first { $0.vectors.matches(result.vector.id.text) && $0.describes(witness) }
        ?? Entry(
          vectors: Glob(result.vector.id.text), message: Glob(JSONString(witness.message)),
          reason: Self.baselineReason)
      if !entries.contains(entry) { entries.append(entry) }
    }
    let executed = Set(report.results.filter(\.isDecided).map(\.vector.id))
    let others = report.corpus.vectors.map(\.id).filter { !executed.contains($0) }
    for entry in earlier where !entries.contains(entry) {
      if others.contains(where: { entry.vectors.matches($0.text) }) { entries.append(entry) }
    }
    self.entries = entries
  }

  private static let baselineReason: JSONString = "Failed when the baseline was written."
}

extension RunReport.Result {
  /// Whether the vector ran to a verdict about the store.
  fileprivate var isDecided: Bool {
    switch verdict {
    case .pass, .fail: true
    case .skipped, .harnessError: false
    }
  }
}
