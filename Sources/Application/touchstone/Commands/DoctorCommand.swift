internal import Adapters
internal import Conformance
internal import Datastore

/// `touchstone doctor`: looks at an adapter before the vectors do.
struct DoctorCommand: Command {
  let place: AdapterPlace
  /// Whether an adapter that connects has to know a new secret.
  let requiresSecret: Bool

  static let manual = Manual(
    words: ["doctor"],
    summary: "See whether an adapter works at all, and what to mend first.",
    options: [
      .init(
        name: "--implementation", value: "PLACE",
        help: "Where the adapter is: exec:COMMAND, connect:HOST:PORT or listen:PORT."),
      .requireSecret,
    ],
    notes: """
      Some ten looks that take a few seconds: does it start, answer, forget, keep stores apart, \
      answer what it does not know, carry any text, say the same in another process, survive a \
      thousand resets, outlive a kill, end. Exits with 1 when something is to be mended.
      """,
    examples: [
      ("touchstone doctor --implementation 'exec:./my-adapter'", "before the first run")
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    guard let name = arguments.value("--implementation") else {
      throw UsageError("which adapter? --implementation exec:COMMAND", Self.manual)
    }
    let place: AdapterPlace?
    do throws(AdapterPlace.Fault) {
      place = try AdapterPlace(name)
    } catch {
      throw UsageError("\(error)", Self.manual)
    }
    guard let place else {
      throw UsageError("'\(name)' is no adapter; expected exec:COMMAND or the like", Self.manual)
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
    let checks = doctor.examine { show($0, context) }
    let ill = checks.filter(\.isIll)
    guard let first = ill.first, case .ill(_, let advice) = first.finding else {
      context.output(
        "\(context.style.good("well"))\n"
          + "next: touchstone run --implementation \(shellQuoted(place.description))\n")
      return .success
    }
    let count = TextLayout.counted(ill.count, "thing")
    context.output("\(context.style.bad("\(count) to mend")); first: \(first.name)\n")
    for line in TextLayout.wrapped(advice, width: context.width, indent: "  ") {
      context.output("\(line)\n")
    }
    return .failure
  }

  private func show(_ check: Doctor.Check, _ context: Context) {
    let style = context.style
    let (mark, text) =
      switch check.finding {
      case .well(let text): (style.good("well "), text)
      case .ill(let text, _): (style.bad("ILL  "), text)
      case .notAsked(let text): (style.faint("  -  "), text)
      }
    let name = TextLayout.padded(check.name, 40)
    let lines = TextLayout.wrapped(
      text, width: max(30, context.width - 46), indent: "")
    context.output("\(mark) \(name)\(style.faint(lines.first ?? ""))\n")
    for line in lines.dropFirst().prefix(3) {
      context.output(String(repeating: " ", count: 46) + style.faint(line) + "\n")
    }
  }
}
