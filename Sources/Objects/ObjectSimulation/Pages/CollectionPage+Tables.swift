internal import Collections
internal import JSON
internal import Oracles
internal import Rendering

extension CollectionPage {
  func addDevices(_ markup: inout Markup) {
    markup.card("Devices", id: "devices", note: "") { markup in
      markup.table(
        ["device", "cache policy", "offline queue", "ids of new objects", "removals in a request"],
        recording.workload.clients.enumerated().map { place, client in
          [
            Markup.Cell("device \(place)"), Markup.Cell(client.options.policy.rawValue),
            Markup.Cell(client.options.isOffline ? "yes" : "no"),
            Markup.Cell(
              client.options.ids == .client
                ? "assigned by the client" : "assigned by the backend"),
            Markup.Cell("\(client.options.removalBatch)"),
          ]
        }, namesRows: true)
    }
  }

  /// The versions that each entity of the backend had.
  func addObjects(_ drawing: CollectionPicture, markup: inout Markup) {
    let losses = drawing.trace.losses
    let lost = Set(losses.map(\.stamp))
    var keys: [CollectionLedger.Key] = []
    var rows: [CollectionLedger.Key: [[Markup.Cell]]] = [:]
    for entry in drawing.trace.entries {
      guard case .performed(let request) = entry.event else { continue }
      for change in request.changes where change.before != change.after {
        if rows[change.key] == nil { keys.append(change.key) }
        let loss = losses.first { $0.arrival == request.arrival && $0.key == change.key }
        let version = change.after.map { $0.string } ?? "removed"
        let fate =
          change.after.map { lost.contains($0) ? "lost later" : "" } ?? ""
        rows[change.key, default: []].append([
          Markup.Cell("\(entry.time)"), Markup.Cell("device \(entry.device)"),
          Markup.Cell(version, tone: fate.isEmpty ? "" : "odd"), Markup.Cell(fate, tone: "odd"),
          Markup.Cell(loss.map { drawing.sentence($0) } ?? "", tone: "bad"),
        ])
      }
    }
    markup.card(
      "Objects and their versions", id: "objects",
      note: "A version is named by its save: s7.0 is the first object that step 7 saved."
    ) { markup in
      for key in keys {
        let versions = rows[key] ?? []
        let isLossy = losses.contains { $0.key == key }
        markup.fold(
          "\(key.collection)/\(key.id): \(TextCount.of(versions.count, "version"))"
            + (isLossy ? ", with a loss" : ""), tone: isLossy ? "bad" : ""
        ) { $0.table(["ms", "request of", "version", "", "loss"], versions) }
      }
    }
  }
}
