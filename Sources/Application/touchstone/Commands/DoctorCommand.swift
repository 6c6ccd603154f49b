internal import Adapters
internal import Conformance
internal import Datastore

/// `touchstone doctor`: diagnoses an adapter before the vectors run.
struct DoctorCommand: Command {
  let place: AdapterPlace
  /// Whether an adapter that connects needs a new secret.
  let requiresSecret: Bool

  static let manual = Manual(
    words: ["doctor"],
    summary: "Diagnose an adapter.",
    options: [
      .init(
        name: "--implementation", value: "PLACE", choices: ImplementationEntry.places,
        help: "The adapter: exec:COMMAND, connect:HOST:PORT or listen:PORT."),
      .requireSecret,
    ],
    notes: """
      Runs about 10 checks in a few seconds: does the adapter start and respond, reset its stores, \
      keep stores apart, reject unknown operations, carry any text, describe itself the same in a \
      second process, survive 1000 resets, recover from a kill, and exit? Exits with 1 if a check \
      fails.
      """,
    examples: [
      (
        "touchstone doctor --implementation 'exec:./my-adapter'",
        "check an adapter before its first run"
      )
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    guard let name = arguments.value("--implementation") else {
      throw UsageError("missing option: --implementation exec:COMMAND", Self.manual)
    }
    let place: AdapterPlace?
    do throws(AdapterPlace.Fault) {
      place = try AdapterPlace(name)
    } catch {
      throw UsageError("\(error)", Self.manual)
    }
    guard let place else {
      throw UsageError(
        "--implementation '\(name)': expected exec:COMMAND, connect:ADDRESS or listen:ADDRESS",
        Self.manual)
    }
    self.place = place
    requiresSecret = try ImplementationEntry.requiresSecret(arguments, of: [name], Self.manual)
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    Processor.stayOnOne()
    let peers: PeerRules
    do throws(HarnessError) {
      peers = try .ofRunner(place, context, requiresSecret: requiresSecret)
      place.announceWaiting(context)
    } catch {
      throw CommandFailure("\(error)")
    }
    let doctor = Doctor(place, runner: "touchstone \(toolVersion)", peers: peers)
    var last: Doctor.Check?
    let checks = doctor.examine { check in
      show(check, after: last, context)
      if check.isFailure { last = check }
    }
    let failures = checks.filter(\.isFailure)
    guard let first = failures.first else {
      context.output(
        "\(context.style.good("all checks passed"))\n"
          + "next: touchstone run --implementation \(shellQuoted(place.description))\n")
      return .success
    }
    let count = TextLayout.counted(failures.count, "check")
    context.output("\(context.style.bad("\(count) failed")). Fix first: \(first.name)\n")
    return .failure
  }

  /// - Parameter last: the last failed check, whose text is not repeated.
  private func show(
    _ check: Doctor.Check, after last: Doctor.Check?, _ context: Context
  ) {
    let style = context.style
    switch check.finding {
    case .pass(let text): show(style.good("pass"), check.name, text, context)
    case .skipped(let text): show(style.faint("skip"), check.name, text, context)
    case .fail where last.map { check.failed(as: $0) } ?? false:
      show(style.bad("FAIL"), check.name, "for the same reason", context)
    case .fail(let text, let request, let advice):
      context.output("\(style.bad("FAIL"))  \(check.name)\n")
      let texts = [("request", request), ("found", text), ("fix", advice)]
      for case (let label, let text?) in texts {
        // The standard error of an adapter that does not start has several lines.
        let lines = text.split(whereSeparator: \.isNewline).flatMap {
          TextLayout.wrapped(String($0), width: max(30, context.width - 15), indent: "")
        }
        for (index, line) in lines.enumerated() {
          context.output("      \(TextLayout.padded(index == 0 ? label : "", 9))\(line)\n")
        }
      }
    }
  }

  /// Prints a check with its result, in two columns.
  private func show(_ mark: String, _ name: String, _ text: String, _ context: Context) {
    let lines = TextLayout.wrapped(text, width: max(30, context.width - 46), indent: "")
    let first = lines.first ?? ""
    context.output("\(mark)  \(TextLayout.padded(name, 40))\(context.style.faint(first))\n")
    for line in lines.dropFirst().prefix(3) {
      context.output(String(repeating: " ", count: 46) + context.style.faint(line) + "\n")
    }
  }
}
