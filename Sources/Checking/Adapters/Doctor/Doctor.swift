internal import Datastore
internal import JSON

/// Diagnoses an adapter before the vectors run: whether it starts, responds, resets and keeps running.
///
/// Each check reports its result. The first failure is the one to fix first, because later ones may be
/// its consequences.
public struct Doctor {
  let place: AdapterPlace
  let runner: String
  let limits: AdapterLimits
  let peers: PeerRules
  /// What is declared about the store; nil without a product file.
  let product: Product?
  /// The operations of the check in progress.
  let transcript = Transcript()

  /// Creates a doctor for the adapter at a place.
  ///
  /// - Parameters:
  ///   - runner: the name of the runner, such as `touchstone` with its version, for the logs of the
  ///     adapter.
  ///   - limits: the time limits of each check.
  ///   - peers: the secret and the messages of a socket; without effect for a command.
  ///   - product: what is declared about the store; nil without a product file.
  public init(
    _ place: AdapterPlace, runner: String, limits: AdapterLimits = AdapterLimits(),
    peers: PeerRules = PeerRules(), product: Product? = nil
  ) {
    self.place = place
    self.runner = runner
    self.limits = limits
    self.peers = peers
    self.product = product
  }

  /// A check and its result.
  public struct Check: Hashable, Sendable {
    /// The name of the check, such as `exits at bye`.
    public let name: String
    /// The result of the check.
    public let finding: Finding

    /// The result of a check.
    public enum Finding: Hashable, Sendable {
      /// The check passed; the text says what was observed.
      case pass(String)
      /// The failure, the request that it answers in JSON if there is one, and how to fix it.
      case fail(String, request: String?, advice: String)
      /// The failure, and the ids of the declared deviations that explain it exactly.
      case explained(String, by: [String])
      /// The reason why the check did not run.
      case skipped(String)
    }

    /// Whether both checks failed with the same text, also for different requests.
    public func failed(as other: Check) -> Bool {
      guard case .fail(let text, _, let advice) = finding else { return false }
      guard case .fail(text, _, advice) = other.finding else { return false }
      return true
    }

    /// True if the adapter failed the check.
    public var isFailure: Bool { if case .fail = finding { true } else { false } }
  }

  /// The reason for a failure, and how to fix it.
  struct Complaint: Error {
    let what: String
    let request: String?
    let advice: String

    /// - Parameter request: the request whose response shows the failure; nil if it is not one request.
    init(_ what: String, _ request: JSONValue? = nil, advice: String) {
      self.what = what
      self.request = request?.serialized()
      self.advice = advice
    }
  }

  /// The store answers that it does not support an operation yet.
  struct NotYet: Error {
    let operation: String
  }

  /// Runs all checks, in the order in which to fix their failures.
  ///
  /// - Parameter report: called after each check.
  public func examine(_ report: (Check) -> Void) -> [Check] {
    examine(where: { _ in true }, report)
  }

  /// Runs the checks with the selected names, after the first, which starts the adapter.
  func examine(
    where isSelected: (String) -> Bool, _ report: (Check) -> Void = { _ in }
  ) -> [Check] {
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
        "starts and responds to hello",
        .pass("\(description.name) \(description.version)\(language), after \(start.age)"))
    } catch {
      note(
        "starts and responds to hello",
        .fail(
          error.message, request: nil,
          advice:
            "Start the adapter by hand, type {\"id\":0,\"hello\":{\"protocol\":{\"first\":1,\"last\":1},"
            + "\"runner\":\"me\",\"serves\":[]}} and read its output. It must write the whole response "
            + "as one line, and flush."))
      return checks
    }
    let declarations = "declares what the product file declares"
    if isSelected(declarations), let finding = compareDeclarations(adapter.description) {
      note(declarations, finding)
    }
    for (name, look) in looks where isSelected(name) {
      note(name, finding(adapter, look))
    }
    return checks
  }

  private func finding(
    _ adapter: AdapterImplementation,
    _ look: (AdapterImplementation) throws -> Check.Finding
  ) -> Check.Finding {
    do {
      try adapter.begin(.run("doctor"))
      transcript.begin()
      return try look(adapter)
    } catch let complaint as Complaint {
      let deviations = explanation(of: complaint, adapter.description)
      guard deviations.isEmpty else { return .explained(complaint.what, by: deviations) }
      return .fail(complaint.what, request: complaint.request, advice: complaint.advice)
    } catch let missing as NotYet {
      return .skipped("the store answers \(missing.operation) with unsupported")
    } catch let error as HarnessError {
      let said = Self.summary(ofLog: adapter.takeLog())
      return .fail(
        "\(error.message)\(said.isEmpty ? "" : "; standard error: \(said)")",
        request: adapter.lastRequest.map { Self.shown($0) },
        advice: Self.advice(for: error.breakdown))
    } catch {
      return .fail("\(error)", request: nil, advice: "See the message.")
    }
  }

  private static func advice(for breakdown: HarnessError.Breakdown?) -> String {
    switch breakdown?.shape {
    case "garbage":
      "Write nothing but responses to standard output, one JSON object in UTF-8 per line. Print "
        + "messages to standard error."
    case "wrong id": "Answer each request once, with its id as a number."
    case "hang": "Answer every request with one line that ends with LF, and flush it."
    case "long line": "Answer with a line of at most 64 MiB."
    case _ where breakdown?.answer != nil:
      "Answer with the members and types that Vectors/operations.md lists for the operation."
    case _ where breakdown?.isProtocolError == false:
      "Find the cause in standard error, and repair it. An operation that the store cannot perform "
        + "is answered with an error."
    default: "Answer every request with one line that has the same id, and keep running."
    }
  }

  /// The first line and the last ones of the standard error: a stack trace begins with the program or
  /// the exception, and may end with it.
  static func summary(ofLog log: String) -> String {
    // Some languages mark the place in a line with carets below it.
    let lines = log.split(whereSeparator: \.isNewline).filter { line in
      !line.allSatisfy { $0 == "^" || $0 == "~" || $0 == " " }
    }
    let shown = lines.count <= 4 ? lines : [lines[0], "…"] + lines.suffix(2)
    return shown.joined(separator: " | ")
  }

  /// The beginning of a request, for readers.
  private static func shown(_ request: JSONValue) -> String {
    let text = (request.objectValue?["perform"] ?? request).serialized()
    return text.utf8.count <= 200 ? text : "\(text.prefix(160))… (\(text.utf8.count) bytes)"
  }

  typealias Look = (AdapterImplementation) throws -> Check.Finding

  /// The checks in order, with their names.
  var looks: [(String, Look)] {
    [
      ("stores a document", keepDocument),
      ("removes everything at reset", forget),
      ("keeps stores apart", keepApart),
      ("opens with its defaults", openWithDefaults),
      ("rejects invalid requests", answerUnknown),
      ("reads numbers and sequences", readNumbers),
      ("carries any text and large bodies", carry),
      ("responds the same in another process", repeatItself),
      ("survives 1,000 resets without leaks", survive),
      ("recovers from a kill", outlive),
      ("accepts pipelined requests", pipeline),
      ("responds quickly", hurry),
      ("exits at bye", sayGoodbye),
    ]
  }
}

extension Deadline {
  /// The time since this moment, for readers.
  var age: String {
    let nanoseconds = Deadline.now.nanoseconds - nanoseconds
    return nanoseconds < 10_000_000
      ? "\(nanoseconds / 1000) µs" : "\(nanoseconds / 1_000_000) ms"
  }
}
