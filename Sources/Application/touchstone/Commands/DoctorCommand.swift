internal import Adapters
internal import Conformance
internal import Datastore
internal import Diagnosis
internal import ReferenceDatastore

/// `touchstone doctor`: diagnoses an adapter before the vectors run.
struct DoctorCommand: Command {
  let place: AdapterPlace
  /// Whether an adapter that connects needs a new secret.
  let requiresSecret: Bool
  /// The declared product; nil if none is.
  let product: ProductFile?
  /// The value of `--product`.
  private let productName: String?

  static let manual = Manual(
    words: ["doctor"],
    summary: "Diagnose an adapter.",
    options: [
      .init(
        name: "--implementation", value: "PLACE", choices: ImplementationEntry.places,
        help: "The adapter: exec:COMMAND, connect:HOST:PORT or listen:PORT."),
      .product, .requireSecret,
    ],
    notes: """
      Runs about 10 checks in a few seconds: does the adapter start and respond, reset its stores, \
      keep stores apart, reject unknown operations, carry any text, describe itself the same in a \
      second process, survive 1000 resets, recover from a kill, and exit? With --product it also \
      compares the response to hello with the declarations of the product. A failed check that \
      declared deviations explain exactly is shown with their names. Exits with 1 if another check \
      fails.
      """,
    examples: [
      (
        "touchstone doctor --implementation 'exec:./my-adapter'",
        "check an adapter before its first run"
      ),
      (
        "touchstone doctor --implementation 'exec:./my-couchdb' --product couchdb-3.5",
        "compare the declarations of an adapter with a product file"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    guard let name = arguments.value("--implementation") else {
      throw UsageError("missing option: --implementation exec:COMMAND", Self.manual)
    }
    // The URL may have a password, so the message has the prefix only.
    if let prefix = ImplementationEntry.serverPrefix(of: name) {
      throw UsageError(
        "--implementation \(prefix)URL: doctor checks adapters, and a server needs no adapter; "
          + "test it with 'touchstone run'", Self.manual)
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
    product = try .given(arguments, Self.manual)
    productName = arguments.value("--product")
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
    let doctor = Doctor(
      place, runner: "touchstone \(toolVersion)", peers: peers, product: product?.forDoctor)
    var last: Doctor.Check?
    let checks = doctor.examine { check in
      show(check, after: last, context)
      if check.isFailure { last = check }
    }
    let failures = checks.filter(\.isFailure)
    guard let first = failures.first else {
      let explained = checks.count { if case .explained = $0.finding { true } else { false } }
      let words =
        explained == 0
        ? context.style.good("all checks passed")
        : context.style.warning(
          "\(TextLayout.counted(explained, "check")) failed as declared, the others passed")
      let options = productName.map { " --product \(shellQuoted($0))" } ?? ""
      context.output(
        "\(words)\nnext: touchstone run --implementation \(shellQuoted(place.description))\(options)\n"
      )
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
    case .pass(let text): show(style.good("pass"), check.name, text: text, context: context)
    case .skipped(let text): show(style.faint("skip"), check.name, text: text, context: context)
    case .explained(let text, let deviations):
      let noun = deviations.count == 1 ? "deviation" : "deviations"
      show(
        style.warning("decl"), check.name,
        text: "declared \(noun) \(deviations.joined(separator: ", ")): \(text)", context: context)
    case .fail where last.map { check.failed(as: $0) } ?? false:
      show(style.bad("FAIL"), check.name, text: "for the same reason", context: context)
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
  private func show(_ mark: String, _ name: String, text: String, context: Context) {
    let lines = TextLayout.wrapped(text, width: max(30, context.width - 46), indent: "")
    let first = lines.first ?? ""
    context.output("\(mark)  \(TextLayout.padded(name, 40))\(context.style.faint(first))\n")
    for line in lines.dropFirst().prefix(3) {
      context.output(String(repeating: " ", count: 46) + context.style.faint(line) + "\n")
    }
  }
}

extension ProductFile {
  /// The product as the doctor compares it with an adapter.
  fileprivate var forDoctor: Doctor.Product {
    Doctor.Product(store) { [deviations] exchanges, description in
      let transcript = Transcript(
        exchanges.map { Transcript.Exchange($0.0, $0.1) }, of: description)
      return transcript.explanation(by: deviations)?.map(\.id) ?? []
    }
  }
}
