internal import Conformance

/// `touchstone new-adapter`: writes the skeleton of an adapter.
struct NewAdapterCommand: Command {
  let language: AdapterLanguage
  let folder: String

  static let manual = Manual(
    words: ["new-adapter"],
    summary: "Write the skeleton of an adapter, in one of eight languages.",
    operands: ["LANGUAGE", "DIR"],
    choices: AdapterLanguage.allCases.map(\.rawValue),
    notes: """
      LANGUAGE is python, javascript, c, rust, go, java, kotlin or swift. The skeleton implements \
      the whole protocol and answers every operation with 'unsupported'. Connect your store at the \
      three places marked TO DO. DIR must not exist, or must be empty. The files are copied from \
      tools/adapters beside the folder Vectors of the checkout or the installation. An adapter in \
      Swift depends on the package and needs a checkout.
      """,
    examples: [
      (
        "touchstone new-adapter python my-adapter",
        "begin an adapter in Python; prints the next steps"
      )
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let name = arguments.operands[0]
    guard let language = AdapterLanguage(rawValue: name) else {
      let known = AdapterLanguage.allCases.map(\.rawValue)
      throw UsageError(
        "no skeleton in '\(name)'; expected one of \(known.joined(separator: ", "))", Self.manual,
        suggestion: nearest(to: name, among: known))
    }
    var folder = arguments.operands[1]
    guard !folder.isEmpty else { throw UsageError("DIR is empty", Self.manual) }
    while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    self.language = language
    self.folder = folder
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let checkout = try Self.checkout()
    guard language != .swift || Files.exists("\(checkout)/Package.swift") else {
      throw CommandFailure(
        "an adapter in Swift depends on the package touchstone, and \(checkout) has no "
          + "Package.swift; run new-adapter with a program that was built in a checkout")
    }
    let isFree: Bool
    do throws(Files.Failure) {
      isFree = try isFolderFree()
      if isFree { try copy(from: checkout) }
    } catch {
      throw CommandFailure("\(error)")
    }
    guard isFree else {
      throw CommandFailure(UsageError("\(folder) exists and is not empty", Self.manual))
    }
    context.output(nextSteps)
    return .success
  }

  /// The folder of the checkout or the installation that holds `tools/adapters` and `Vectors`.
  private static func checkout() throws(CommandFailure) -> String {
    guard let location = try? VectorsLocation.find(),
      let checkout = Files.realPath("\(location.folder)/.."),
      Files.isFolder("\(checkout)/tools/adapters")
    else {
      throw CommandFailure(
        "no folder tools/adapters beside the folder Vectors; set "
          + "\(VectorsLocation.environmentVariable) to the folder Vectors of a checkout or of an "
          + "installation")
    }
    return checkout
  }

  /// Whether the folder has no files that would be overwritten; hidden files are ignored.
  private func isFolderFree() throws(Files.Failure) -> Bool {
    guard Files.exists(folder) else { return true }
    return try Files.names(inFolder: folder).isEmpty
  }

  private func copy(from checkout: String) throws(Files.Failure) {
    // All are read before one is written: half an adapter would be in the way the next time.
    var copies: [(file: String, text: String)] = []
    for source in language.files {
      let bytes = try Files.read("\(checkout)/tools/adapters/\(language.rawValue)/\(source)")
      let file = source.hasPrefix("skeleton/") ? String(source.dropFirst(9)) : source
      // The skeleton in Swift depends on the checkout that it lies in, four folders up.
      let text = String(decoding: bytes, as: UTF8.self)
        .replacing(#""../../../..""#, with: String(reflecting: checkout))
      copies.append((file, text))
    }
    try Files.createFolder(folder)
    for (file, text) in copies {
      var parent = folder
      for part in file.split(separator: "/").dropLast() {
        parent += "/\(part)"
        try Files.createFolder(parent)
      }
      try Files.write(text, to: "\(folder)/\(file)")
    }
  }

  /// The written files and the next commands.
  private var nextSteps: String {
    // A program would read a name that begins with a hyphen as an option.
    let shown = shellQuoted(folder.hasPrefix("-") ? "./\(folder)" : folder)
    let place = shellQuoted("exec:\(language.startCommand(shown))")
    let build = language.buildCommand(shown).map { "  \($0)\n" } ?? ""
    return """
      \(folder)/\(language.mainFile) answers every operation with 'unsupported'.
      Connect your store at the three places marked TO DO. Next:

      \(build)  touchstone doctor --implementation \(place)
        touchstone run --implementation \(place)

      """
  }
}
