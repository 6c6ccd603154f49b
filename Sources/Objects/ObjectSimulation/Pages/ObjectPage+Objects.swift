internal import Datastore
internal import JSON
internal import ObjectMapping
internal import Rendering

extension ObjectPage {
  // MARK: The model

  func addModel(_ markup: inout Markup) {
    markup.card("The model", id: "model", note: "Entities with their properties.") { markup in
      for entity in record.model.entities {
        markup.element("h3", content: entity.name.printable)
        let attributes = entity.attributes.map { attribute -> [Markup.Cell] in
          let notes = [
            attribute.transformer.map { "transformer \($0)" },
            attribute.mimeType.map { "media type \($0)" },
          ]
          return [
            Markup.Cell(attribute.name.string), "attribute",
            Markup.Cell("\(attribute.type.rawValue)"),
            Markup.Cell(notes.compactMap { $0 }.joined(separator: ", ")),
          ]
        }
        let relationships = entity.relationships.map { relationship -> [Markup.Cell] in
          let inverse = relationship.inverse.map { "inverse \($0)" } ?? "no inverse"
          return [
            Markup.Cell(relationship.name.string), "relationship",
            Markup.Cell(
              "\(relationship.isToMany ? "to many" : "to one") \(relationship.destination)"),
            Markup.Cell(inverse),
          ]
        }
        markup.table(
          ["property", "kind", "type", ""], attributes + relationships, namesRows: true)
      }
    }
  }

  // MARK: Objects

  func addObjects(_ markup: inout Markup) {
    markup.card(
      "Objects", id: "objects",
      note: "= is a value equal to the one before. A warning announces that a value is uncertain "
        + "after a JSON library that keeps doubles only."
    ) { markup in
      for (place, track) in record.tracks.enumerated() {
        let isLost = record.lostTrack == place
        markup.fold(
          "\(track.object.id.text) (\(track.object.entity))\(isLost ? ": lost" : "")",
          id: Self.anchor(place), tone: isLost ? "bad" : "",
          isOpen: isLost || record.loss == nil && place == 0
        ) { markup in
          markup.line("<div class=\"object\">")
          addValues(of: track, isLost: isLost, markup: &markup)
          addDocuments(of: track, markup: &markup)
          markup.line("</div>")
        }
      }
    }
  }

  /// The columns of stages, each with the views that it contains.
  private func columns(
    of track: JourneyRecord.Track
  ) -> [(name: String, views: [JourneyRecord.View])] {
    var columns: [(name: String, views: [JourneyRecord.View])] = []
    for view in track.views {
      let name = view.stage.hasPrefix("converted") ? "double-only libraries" : view.stage
      if let last = columns.firstIndex(where: { $0.name == name }) {
        columns[last].views.append(view)
      } else {
        columns.append((name, [view]))
      }
    }
    return columns
  }

  private func addValues(
    of track: JourneyRecord.Track, isLost: Bool, markup: inout Markup
  ) {
    guard let entity = record.model[track.object.entity] else { return }
    let columns = columns(of: track)
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let lost = Set(isLost ? differences.map(\.name) : [])
    let isSeen = track.views.contains { $0.found == record.loss?.foundObject }
    // A lost document is in no view.
    let lastColumn = isLost && !isSeen ? ["document, \(record.loss?.stage ?? "")"] : []
    func lastCell(_ name: JSONString) -> [Markup.Cell] {
      guard !lastColumn.isEmpty else { return [] }
      guard let difference = differences.first(where: { $0.name == name }) else {
        return [Markup.Cell("=", tone: "good")]
      }
      return [Markup.Cell("lost: \(Self.text(difference.after))", tone: "bad")]
    }
    var rows = names.map { name -> [Markup.Cell] in
      let isLost = lost.contains(name)
      return [
        Markup.Cell(name.string, tone: isLost ? "bad" : ""),
        Markup.Cell(Self.shown(track.object.properties[name])),
      ] + columns.map { cell(name, of: track, in: $0.views, isLost: isLost) } + lastCell(name)
    }
    for difference in differences where isLost && !names.contains(difference.name) {
      let cells: [Markup.Cell] = [
        Markup.Cell(
          difference.name == "" ? "the whole value" : difference.name.string, tone: "bad"),
        Markup.Cell(Self.text(difference.before)),
      ]
      let last = Markup.Cell("lost: \(Self.text(difference.after))", tone: "bad")
      let width = columns.count + lastColumn.count
      rows.append(cells + (0..<max(0, width - 1)).map { _ in "" } + (width > 0 ? [last] : []))
    }
    markup.table(
      ["property", "value"] + columns.map(\.name) + lastColumn, rows, namesRows: true)
  }

  /// What came back for a property in a stage.
  private func cell(
    _ name: JSONString, of track: JourneyRecord.Track, in views: [JourneyRecord.View], isLost: Bool
  ) -> Markup.Cell {
    let object = track.object
    var isChanged = false
    var expected = object.json.objectValue?["values"]?.objectValue?[name]
    if let update = track.changed, views.contains(where: { Self.isAfterChange($0.stage) }) {
      let now = update.json.objectValue?["values"]?.objectValue?[name]
      isChanged = now != expected
      expected = now
    }
    for view in views where record.loss?.foundObject == view.found && isLost {
      let found = view.found.objectValue?["values"]?.objectValue?[name]
      return Markup.Cell("lost: \(Self.text(found))", tone: "bad")
    }
    let uncertain = views.filter { $0.warnings.contains(name) }
    let others = uncertain.compactMap { view -> String? in
      let found = view.found.objectValue?["values"]?.objectValue?[name]
      return found == expected ? nil : Self.text(found)
    }
    if let other = others.first {
      return Markup.Cell("warning, up to \(others.count) of \(views.count): \(other)", tone: "odd")
    }
    guard !isChanged || views.first?.stage != "changed" else {
      return Markup.Cell("changed to \(Self.text(expected))", tone: "live")
    }
    return Markup.Cell("=", tone: "good")
  }

  private static func isAfterChange(_ stage: String) -> Bool {
    ["changed", "reopened", "replicated", "queried", "deleted"].contains { stage.hasPrefix($0) }
  }

  private static func shown(_ value: PropertyValue?) -> String {
    value.map { $0.json.serialized() } ?? "null"
  }

  private func addDocuments(
    of track: JourneyRecord.Track, markup: inout Markup
  ) {
    for document in track.documents {
      let form = document.form == nil ? "fixed form" : "released form"
      let place = document.store.map { "read at \($0.text), \(document.stage)" } ?? document.stage
      let isLost =
        record.loss?.found == document.body && record.lostTrack.map { record.tracks[$0] } == track
      markup.fold(
        "Document, \(form), \(place)\(isLost ? ": lost" : "")", tone: isLost ? "bad" : ""
      ) { markup in
        markup.element("pre", content: document.body.pretty().printableLines)
        for attachment in document.attachments {
          let bytes =
            if case .data(let base64) = attachment.content { ": \(base64)" } else { "" }
          markup.element(
            "pre",
            content: "attachment \(attachment.name) (\(attachment.type ?? "no type"))\(bytes)"
              .printableLines)
        }
      }
    }
  }
}
