// Written by `tools/operations/generate.py` from the tables of operations.

internal import Datastore
package import JSON

extension CollectionAction.Call {
  /// The name of the operation as encoded in JSON.
  package var name: String {
    switch self {
    case .open: "openCollection"
    case .collection(_, let inner): inner.name
    case .setNetwork: "setNetwork"
    case .drain: "drainQueue"
    case .inspect: "inspectClient"
    case .migrate: "migrateObjects"
    case .crash: "crashClient"
    case .setSettings: "setSettings"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .open(let collectionOpening):
      list.add(collectionOpening)
    case .collection(let name, let inner): return [("collection", name.json)] + inner.arguments
    case .setNetwork(let state, let next):
      list.add("state", state)
      list.add("next", ifPresent: next)
    case .migrate(let objectMove):
      list.add(objectMove)
    case .setSettings(let settings):
      list.add("settings", settings)
    case .drain, .inspect, .crash: break
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "openCollection":
      self = .open(try reader.group())
    case "setNetwork":
      self = .setNetwork(state: try reader.value("state"), next: try reader.ifPresent("next"))
    case "drainQueue":
      self = .drain
    case "inspectClient":
      self = .inspect
    case "migrateObjects":
      self = .migrate(try reader.group())
    case "crashClient":
      self = .crash
    case "setSettings":
      self = .setSettings(try reader.value("settings"))
    default: return nil
    }
  }
}

extension CollectionOpening: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("collection", collection)
    list.add("mapping", mapping)
    list.add("references", ifPresent: references)
    list.add("defaults", ifPresent: defaults)
    list.add("policy", ifPresent: policy)
    list.add("offline", ifPresent: offline)
    list.add("ids", ifPresent: ids)
    list.add("options", ifPresent: options)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    collection = try reader.value("collection")
    mapping = try reader.value("mapping")
    references = try reader.ifPresent("references")
    defaults = try reader.ifPresent("defaults")
    policy = try reader.ifPresent("policy")
    offline = try reader.ifPresent("offline")
    ids = try reader.ifPresent("ids")
    options = try reader.ifPresent("options")
  }
}

extension ObjectMove: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("from", from)
    list.add("collections", collections)
    list.add("batch", ifPresent: batch)
    list.add("flag", ifPresent: flag)
    list.add("deletes", ifPresent: deletes)
    list.add("ids", ifPresent: ids)
    list.add("background", ifPresent: background)
    list.add("costs", ifPresent: costs)
    list.add("steps", ifPresent: steps)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    from = try reader.value("from")
    collections = try reader.value("collections")
    batch = try reader.ifPresent("batch")
    flag = try reader.ifPresent("flag")
    deletes = try reader.ifPresent("deletes")
    ids = try reader.ifPresent("ids")
    background = try reader.ifPresent("background")
    costs = try reader.ifPresent("costs")
    steps = try reader.ifPresent("steps")
  }
}
