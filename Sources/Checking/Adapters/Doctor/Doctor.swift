internal import Datastore
internal import JSON

/// Looks at an adapter before hundreds of vectors do: whether it starts, speaks, forgets, and stays well.
///
/// Each check says what it saw. The first one that is not well is the one to mend first: what comes
/// after it may only be its consequence.
public struct Doctor {
  let place: AdapterPlace
  let runner: String
  let limits: AdapterLimits
  let peers: PeerRules

  public init(
    _ place: AdapterPlace, runner: String, limits: AdapterLimits = AdapterLimits(),
    peers: PeerRules = PeerRules()
  ) {
    self.place = place
    self.runner = runner
    self.limits = limits
    self.peers = peers
  }

  /// One look, and what it saw.
  public struct Check: Hashable, Sendable {
    public let name: String
    public let finding: Finding

    public enum Finding: Hashable, Sendable {
      case well(String)
      /// What is wrong, and what to do about it.
      case ill(String, advice: String)
      /// Why nobody looked.
      case notAsked(String)
    }

    public var isIll: Bool { if case .ill = finding { true } else { false } }
  }

  /// Why a check is not well.
  struct Complaint: Error {
    let what: String
    let advice: String

    init(_ what: String, _ advice: String) { (self.what, self.advice) = (what, advice) }
  }

  /// Makes all checks, in the order in which to mend what they find.
  ///
  /// - Parameter report: called after each, for who watches.
  public func examine(_ report: (Check) -> Void) -> [Check] {
    var checks: [Check] = []
    func note(_ name: String, _ finding: Check.Finding) {
      checks.append(Check(name: name, finding: finding))
      report(checks[checks.count - 1])
    }
    let adapter: AdapterImplementation
    do throws(HarnessError) {
      let start = Deadline.now
      adapter = try AdapterImplementation(place, runner: runner, limits: limits, peers: peers)
      let description = adapter.description
      let language = description.language.map { ", \($0)" } ?? ""
      note(
        "starts and says hello",
        .well("\(description.name) \(description.version)\(language), after \(start.age)"))
    } catch {
      note(
        "starts and says hello",
        .ill(
          error.message,
          advice:
            "Start it by hand, type {\"id\":0,\"hello\":{\"protocol\":{\"first\":1,\"last\":1},"
            + "\"runner\":\"me\",\"serves\":[]}} and read what it prints. It must write the whole "
            + "answer, and flush."))
      return checks
    }
    for (name, look) in looks {
      note(name, finding(adapter, look))
    }
    note("says goodbye", finding(adapter, sayGoodbye))
    return checks
  }

  private func finding(
    _ adapter: AdapterImplementation,
    _ look: (AdapterImplementation) throws -> Check.Finding
  ) -> Check.Finding {
    do {
      try adapter.begin(.run("doctor"))
      return try look(adapter)
    } catch let complaint as Complaint {
      return .ill(complaint.what, advice: complaint.advice)
    } catch let error as HarnessError {
      let log = adapter.takeLog().split(whereSeparator: \.isNewline).suffix(3)
      let said = log.isEmpty ? "" : "; it wrote: \(log.joined(separator: " | "))"
      return .ill(
        "it broke down: \(error.message)\(said)",
        advice:
          "Nothing that is asked may end the process, stop it, or be answered with anything but "
          + "one line with the same id. Catch what goes wrong, and answer an error.")
    } catch {
      return .ill("\(error)", advice: "See the message.")
    }
  }

  typealias Look = (AdapterImplementation) throws -> Check.Finding

  /// What is looked at, with what comes first first.
  var looks: [(String, Look)] {
    [
      ("keeps a document", keepDocument),
      ("forgets everything at reset", forget),
      ("keeps stores apart", keepApart),
      ("opens with its defaults", openWithDefaults),
      ("answers what it does not know", answerUnknown),
      ("carries any text, large bodies", carry),
      ("answers the same in another process", repeatItself),
      ("survives 1,000 resets and leaks nothing", survive),
      ("outlives a kill", outlive),
      ("takes requests in a row", pipeline),
      ("answers quickly", hurry),
    ]
  }
}

extension Deadline {
  /// How long ago it was, for people.
  var age: String {
    let nanoseconds = Deadline.now.nanoseconds - nanoseconds
    return nanoseconds < 10_000_000
      ? "\(nanoseconds / 1000) µs" : "\(nanoseconds / 1_000_000) ms"
  }
}
