internal import Datastore
public import JSON

/// Failures that somebody knows of: which vectors fail, how, and why that is so for now.
public struct KnownFailures: Hashable, Sendable {
  public let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// Some vectors that fail in one way.
  public struct Entry: Hashable, Sendable {
    /// Each vector with such an id fails.
    public let vectors: Glob
    /// What `Witness.message` holds somewhere.
    public let message: Glob
    public let reason: JSONString
    /// Where to read on.
    public let link: JSONString?
    /// The last day on which the entry counts.
    public let expires: CalendarDay?

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

    /// Whether a failure fails as the entry says.
    func describes(_ witness: Witness) -> Bool {
      Glob(JSONString("*\(message.pattern)*")).matches(JSONString(witness.message))
    }

    /// Whether the day is one after the last.
    func isExpired(on day: CalendarDay) -> Bool { expires.map { $0 < day } ?? false }

    /// Why the failure is borne, in one phrase for people.
    var explanation: String {
      let more = [link.map(\.description), expires.map { "until \($0)" }].compactMap { $0 }
      return more.isEmpty ? reason.string : "\(reason) (\(more.joined(separator: "; ")))"
    }
  }

  /// The failures of a run as a list: entries that hold are kept, other failures get new ones.
  public init(baselineOf report: RunReport) {
    var entries: [Entry] = []
    for result in report.results {
      guard case .fail(let witness) = result.verdict else { continue }
      let entry =
        result.knownFailure
        ?? Entry(
          vectors: Glob(result.vector.id.text), message: Glob(JSONString(witness.message)),
          reason: Self.baselineReason)
      if !entries.contains(entry) { entries.append(entry) }
    }
    self.entries = entries
  }

  private static let baselineReason: JSONString = "Failed when the baseline was written."
}
