internal import Datastore
internal import JSON
internal import ObjectMapping
internal import Rendering

/// A self-contained page about one journey of objects: the model, each object with its documents and
/// what came back after each stage, and the value that was lost.
public struct ObjectPage {
  /// The name of the store.
  let store: String
  let record: JourneyRecord
  /// The journeys and objects of the campaign.
  let (journeys, objects): (Int, Int)
  let command: String
  let program: String?
  let differences: [JourneyDifference]

  /// - Parameters:
  ///   - journeys: the number of journeys of the campaign.
  ///   - objects: the number of their objects.
  ///   - command: the command that repeats the journey.
  ///   - program: the name and version of the program; nil for none.
  public init(
    of store: String, _ record: JourneyRecord, journeys: Int, objects: Int, command: String,
    program: String? = nil
  ) {
    self.store = store
    self.record = record
    (self.journeys, self.objects) = (journeys, objects)
    self.command = command
    self.program = program
    differences = record.loss.map { JourneyDifference.all(of: $0, record.model) } ?? []
  }

  /// The page.
  public var html: String {
    var page = Page(
      "Objects", kind: "objects",
      purpose: "This page shows one journey of random objects through a store: how each object is "
        + "stored, and what came back after each stage.", heading: sentence, program: program)
    page.isWide = true
    page.style = SequencePicture.style + Self.style
    page.remark = "This page needs no network"
    return page.html { markup in
      markup.facts([
        ("store", store.printable), ("journeys", "\(journeys)"), ("objects in them", "\(objects)"),
        ("shown journey", "seed \(record.seed)"),
        ("form of the documents", record.form?.string ?? "fixed"),
      ])
      markup.command(command.printable)
    } body: { markup in
      markup.arrowTips()
      markup.line("<main>")
      addContents(&markup)
      addLoss(&markup)
      addJourney(&markup)
      addModel(&markup)
      addObjects(&markup)
      markup.line("</main>")
    }
  }

  private var sentence: String {
    guard let loss = record.loss else {
      let counts = "\(TextCount.of(journeys, "journey")), \(TextCount.of(objects, "object"))"
      return "\(store): 0 lost values in \(counts)"
    }
    let names = differences.filter { $0.name != "" }.map { "\"\($0.name)\"" }
    let what = names.isEmpty ? "a value" : names.joined(separator: ", ")
    let whose = record.lostTrack.map { " of object \"\(record.tracks[$0].object.id.text)\"" } ?? ""
    return "\(store) lost \(what)\(whose): it differs after it was \(loss.stage)"
  }

  private func addContents(_ markup: inout Markup) {
    markup.card("Contents") { markup in
      markup.contents(
        (record.loss == nil ? [] : [Markup.Entry("The lost value", id: "loss")]) + [
          Markup.Entry("The journey", id: "journey"), Markup.Entry("The model", id: "model"),
          Markup.Entry(
            "Objects", id: "objects", count: "\(record.tracks.count)",
            entries: record.tracks.enumerated().map { place, track in
              Markup.Entry(track.object.id.text.printable, id: Self.anchor(place))
            }),
        ])
    }
  }

  static func anchor(_ place: Int) -> String { "object-\(place)" }

  // MARK: The loss

  private func addLoss(_ markup: inout Markup) {
    guard let loss = record.loss else { return }
    markup.card("The lost value", id: "loss", note: "") { markup in
      markup.table(
        ["property", "before", "after", "stage", "operation", "object"],
        differences.map { difference in
          [
            Markup.Cell(difference.name == "" ? "the whole value" : difference.name.string),
            Markup.Cell(Self.text(difference.before)),
            Markup.Cell(Self.text(difference.after), tone: "bad"), Markup.Cell(loss.stage),
            Markup.Cell("\(loss.operation.action.name) at \(loss.operation.store.text)"),
            record.lostTrack.map { place in
              Markup.Cell(
                record.tracks[place].object.id.text.string, link: Self.anchor(place))
            } ?? "",
          ]
        })
      markup.fold("The operation and both values as JSON") { markup in
        for value in [loss.operation.json, loss.expected, loss.found] {
          markup.element("pre", content: value.pretty().printableLines)
        }
      }
    }
  }

  /// A value in a cell.
  static func text(_ value: JSONValue?) -> String { value?.serialized() ?? "missing" }

  // MARK: The journey

  private static let stages = [
    "encoded", "decoded", "saved", "changed", "reopened", "replicated", "queried", "deleted",
  ]

  private func addJourney(_ markup: inout Markup) {
    let picture = picture
    markup.card(
      "The journey", id: "journey",
      note: "Equal operations of a stage are one line, with their number."
    ) { markup in
      markup.legend(of: [picture])
      markup.picture(picture, title: "the stages of the journey")
    }
  }

  private var picture: SequencePicture {
    var picture = SequencePicture(
      lanes: ["application", "store home", "store abroad"], unit: "step")
    func lane(_ store: StoreName) -> Int { store.text == "abroad" ? 2 : 1 }
    func add(
      _ lane: Int, _ sign: SequencePicture.Sign, words: String, isLoss: Bool = false,
      isResult: Bool? = nil
    ) {
      picture.rows.append(
        SequencePicture.Row(
          "\(picture.rows.count + 1)", lane: lane, sign: sign, words: words, isLoss: isLoss,
          peer: isResult.map { (0, $0) }))
    }
    for step in record.steps {
      let place = lane(step.store)
      let words = "\(step.words)"
      switch step.name {
      case "encodeObject", "decodeObject": add(0, .mapping, words: words)
      case "replicate":
        add(1, .replication, words: words)
        add(2, .replication, words: "the documents arrive")
        picture.messages.append(
          SequencePicture.Message(
            .again, from: picture.rows.count - 2, to: picture.rows.count - 1, lane: 2))
      default:
        add(place, step.isWrite ? .written : .returned, words: words, isResult: !step.isWrite)
      }
    }
    if let loss = record.loss {
      let isMapping = ["encodeObject", "decodeObject"].contains(loss.operation.action.name)
      for difference in differences {
        let name = difference.name == "" ? "" : "\(difference.name): "
        add(
          isMapping ? 0 : lane(loss.operation.store), .lost,
          words: "lost: \(name)\(Self.text(difference.before)) → \(Self.text(difference.after))",
          isLoss: true, isResult: isMapping ? nil : true)
      }
      let reached = Set(record.steps.map(\.stage))
      let rest = Self.stages.filter { !reached.contains($0) && $0 != "queried" }
      if !rest.isEmpty {
        picture.rows.append(
          SequencePicture.Row(
            "", lane: nil, sign: .lost, words: "not reached: \(rest.joined(separator: ", "))"))
      }
    }
    return picture
  }

  private static let style = """
    .object td, .object th { vertical-align: top; overflow-wrap: anywhere; min-width: 6em; }
    details pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    """
}

extension JourneyRecord.Step {
  fileprivate var isWrite: Bool { ["saveObjects", "openObjects", "open", "close"].contains(name) }

  /// The stage and its operations in words.
  fileprivate var words: String {
    func counted(_ verb: String, _ noun: String) -> String {
      "\(stage): \(verb) \(TextCount.of(count, noun))"
    }
    return switch name {
    case "encodeObject": counted("encode", "object")
    case "decodeObject": counted("decode", "document")
    case "open": "\(stage): open the store"
    case "close": "\(stage): close the store"
    case "openObjects": "\(stage): open the model"
    case "describeModel": "\(stage): describe the model"
    case "saveObjects": "\(stage): save the objects"
    case "loadObject": counted("load", "object")
    case "read": counted("read", "document")
    case "readAttachment": counted("read", "attachment")
    case "fetchObjects": "\(stage): \(count == 1 ? "1 query" : "\(count) queries")"
    case "replicate": "\(stage): replicate the documents"
    default: "\(stage): \(name), \(count)×"
    }
  }
}

extension SequencePicture.Sign {
  fileprivate static let mapping = Self("m", "odd", meaning: "an object is encoded or decoded")
  fileprivate static let replication = Self("r", "odd", meaning: "the stores replicate")
  fileprivate static let written = Self("w", "live", meaning: "the store writes")
  fileprivate static let returned = Self("=", "good", meaning: "the store returns what it has")
  fileprivate static let lost = Self("L", "bad", meaning: "a lost value")
}
