internal import Datastore
package import JSON

extension CollectionAction {
  /// Reads the arguments of an operation; nil if the name is not that of an operation on
  /// collections.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    if let action = try CollectionAction(row: name, &reader) {
      self = action
    } else if let call = try Call(row: name, &reader) {
      self = .client(try reader.value("client"), call)
    } else if let request = try CollectionRequest(row: name, &reader) {
      let client: JSONString = try reader.value("client")
      self = .client(client, .collection(try reader.value("collection"), request))
    } else {
      return nil
    }
  }
}

extension CollectionAnswer: FamilyAnswer {
  package var json: JSONObject {
    switch self {
    case .done: [:]
    case .report(let report):
      [
        "requests": .array(report.requests), "callbacks": .array(report.callbacks),
        "progress": .array(report.progress), "fills": .array(report.fills),
        "queue": .array(report.queue),
      ]
    case .client(let state):
      [
        "collections": state.collections.json, "queue": .array(state.queue),
        "settings": .object(state.settings),
      ]
    case .move(let report): report.json
    }
  }

  package var definition: JSONString {
    switch self {
    case .done: "done"
    case .report: "collection-report"
    case .client: "client-state"
    case .move: "move-report"
    }
  }

  package init(
    definition: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) {
    switch definition {
    case "done":
      self = .done
    case "collection-report":
      self = .report(
        CollectionReport(
          requests: try reader.array("requests"), callbacks: try reader.array("callbacks"),
          progress: try reader.array("progress"), fills: try reader.array("fills"),
          queue: try reader.array("queue")))
    case "client-state":
      self = .client(
        ClientState(
          collections: try reader.value("collections"), queue: try reader.array("queue"),
          settings: reader.optional("settings")?.objectValue ?? JSONObject()))
    case "move-report":
      self = .move(try MoveReport(&reader))
    default: throw DecodingFailure(unknownResult: definition, reader)
    }
  }
}
