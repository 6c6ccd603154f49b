internal import Datastore
package import JSON

extension ContextAction {
  /// The arguments in JSON.
  package var arguments: [(JSONString, JSONValue)] {
    let members: [(JSONString, JSONValue?)] =
      switch call {
      case .open(let parent, let policy, let options):
        [
          ("parent", parent.map { .string($0) }), ("policy", policy.map { .string($0) }),
          ("options", options),
        ]
      case .insert(let id, let entity, let values):
        [("id", id.json), ("entity", .string(entity)), ("values", values)]
      case .change(let id, let values): [("id", id.json), ("values", values)]
      case .delete(let id), .read(let id), .inspectObject(let id): [("id", id.json)]
      case .fetch(let fetch, let includesPendingChanges):
        fetch.encodedArguments + [
          ("includesPendingChanges", includesPendingChanges.map { .bool($0) })
        ]
      case .refresh(let id, let merges): [("id", id.json), ("merges", .bool(merges))]
      case .obtainPermanentIDs(let ids): [("ids", .array(ids.map { $0.json }))]
      case .merge(let other): [("from", .string(other))]
      case .resolve(let policy): [("policy", .string(policy))]
      case .inspect, .rollback, .reset, .save, .processConflicts: []
      }
    return [("context", .string(context))]
      + members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Reads the arguments of an operation; nil if the name is not that of an operation on contexts.
  init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    guard let call = try Call(name, &reader) else { return nil }
    self.init(try reader.text("context"), call)
  }
}

extension ContextAction.Call {
  fileprivate init?(_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "openContext":
      self = .open(
        parent: try reader.optionalText("parent"), policy: try reader.optionalText("policy"),
        options: reader.optional("options"))
    case "insertObject":
      self = .insert(
        try reader.identifier("id"), entity: try reader.text("entity"),
        values: reader.optional("values"))
    case "changeObject":
      self = .change(try reader.identifier("id"), values: try reader.required("values"))
    case "deleteObject": self = .delete(try reader.identifier("id"))
    case "readInContext": self = .read(try reader.identifier("id"))
    case "inspectObject": self = .inspectObject(try reader.identifier("id"))
    case "inspectContext": self = .inspect
    case "fetchInContext":
      self = .fetch(
        try ObjectFetch(&reader),
        includesPendingChanges: try reader.optionalBool("includesPendingChanges"))
    case "refreshObject":
      self = .refresh(try reader.identifier("id"), merges: try reader.bool("merges"))
    case "obtainPermanentIDs": self = .obtainPermanentIDs(try reader.identifiers("ids"))
    case "rollbackContext": self = .rollback
    case "resetContext": self = .reset
    case "saveContext": self = .save
    case "mergeChanges": self = .merge(from: try reader.text("from"))
    case "processConflicts": self = .processConflicts
    case "resolveConflicts": self = .resolve(policy: try reader.text("policy"))
    default: return nil
    }
  }
}
