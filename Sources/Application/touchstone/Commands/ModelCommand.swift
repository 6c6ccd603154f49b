internal import Conformance
internal import JSON
internal import ModelFiles
internal import ObjectMapping

/// `touchstone model`: prints the model of a file as JSON, and what differs from Core Data.
struct ModelCommand: Command {
  let file: ModelFile
  let versions: [String]
  let path: String

  static let manual = Manual(
    words: ["model"],
    summary: "Print a model of Core Data as JSON, and what differs in documents.",
    operands: ["FILE"],
    notes: """
      FILE is the source of a model: a folder .xcdatamodeld, of which the current version is read; a \
      folder .xcdatamodel, such as one version in it; its file 'contents'; or a model in JSON. A \
      compiled model (.mom, .momd) cannot be read.

      Standard output is the model in JSON, as operations such as openObjects and 'touchstone \
      objects --model' read it. Standard error lists the parts that are read differently from Core \
      Data, with their lines, and the properties that are not portable to other \
      clients. docs/objects.md explains both. Exits with 2 if FILE is not a model.
      """,
    examples: [
      ("touchstone model Recipes.xcdatamodeld > recipes.json", "write the model as JSON"),
      (
        "touchstone model 'Recipes.xcdatamodeld/Recipes 2.xcdatamodel' > /dev/null",
        "list the differences of one version"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    path = arguments.operands[0]
    file = try Self.read(path, Self.manual)
    do throws(ModelFileError) { versions = try ModelFile.versionNames(of: path) } catch {
      throw UsageError("\(error)", Self.manual)
    }
  }

  /// Reads a model for a command.
  static func read(_ path: String, _ manual: Manual) throws(UsageError) -> ModelFile {
    do throws(ModelFileError) { return try ModelFile(contentsOf: path) } catch {
      throw UsageError("\(error)", manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    context.output(file.model.json.pretty() + "\n")
    context.error(text(width: context.errorWidth))
    return .success
  }

  // MARK: Text

  private func text(width: Int) -> String {
    let entities = file.model.entities
    var lines = [
      [
        TextLayout.printable("\(path): version '\(file.version)'")
          + (versions.count > 1 ? " of \(versions.count)" : ""),
        "\(entities.count) \(entities.count == 1 ? "entity" : "entities")",
        TextLayout.counted(entities.reduce(0) { $0 + $1.attributes.count }, "attribute"),
        TextLayout.counted(entities.reduce(0) { $0 + $1.relationships.count }, "relationship"),
      ].joined(separator: ", ")
    ]
    lines += Self.section(
      ("difference from Core Data", "differences from Core Data"), width,
      items: file.warnings.map { ($0.message, "\($0.element) (line \($0.line))") })
    let advice = file.model.portabilityWarnings(TransformerRegistry())
    lines += Self.section(
      ("portability warning", "portability warnings"), width,
      items: advice.map { ($0.reason.sentence, $0.path) })
    return lines.map { $0 + "\n" }.joined()
  }

  /// The places of each sentence, in the order of the first ones.
  private static func section(
    _ noun: (one: String, more: String), _ width: Int,
    items: [(sentence: String, place: String)]
  ) -> [String] {
    let count = "\(items.count) \(items.count == 1 ? noun.one : noun.more)"
    var places: [(sentence: String, places: [String])] = []
    var known: [String: Int] = [:]
    for item in items {
      if let place = known[item.sentence] {
        places[place].places.append(item.place)
      } else {
        known[item.sentence] = places.count
        places.append((item.sentence, [item.place]))
      }
    }
    return [count]
      + places.flatMap { sentence, places in
        TextLayout.wrapped(TextLayout.printable(sentence), width: width, indent: "  ")
          + TextLayout.wrapped(
            TextLayout.printable(places.joined(separator: ", ")), width: width, indent: "    ")
      }
  }
}

extension PortabilityWarning.Reason {
  /// The reason as a sentence, for a terminal.
  fileprivate var sentence: String {
    switch self {
    case .decimal: "other clients read a decimal as a text, which does not compare as a number"
    case .transformableWithoutType:
      "other clients cannot read a transformable value: its transformer defines no MIME type"
    case .floatingPointCompared: "a predicate compares a number that may have lost digits"
    case .nameBeyondSymbols:
      "the name has other characters than letters and digits, which the schema of the format does "
        + "not permit"
    }
  }
}
