// Written by `tools/operations/generate.py` from the tables of operations.

internal import Datastore
package import JSON

extension ContextAction.Call {
  /// The name of the operation as encoded in JSON.
  package var name: String {
    switch self {
    case .open: "openContext"
    case .insert: "insertObject"
    case .change: "changeObject"
    case .delete: "deleteObject"
    case .read: "readInContext"
    case .inspectObject: "inspectObject"
    case .inspect: "inspectContext"
    case .fetch: "fetchInContext"
    case .observeFetch: "observeFetch"
    case .updateFetch: "updateFetch"
    case .refresh: "refreshObject"
    case .obtainPermanentIDs: "obtainPermanentIDs"
    case .rollback: "rollbackContext"
    case .reset: "resetContext"
    case .save: "saveContext"
    case .merge: "mergeChanges"
    case .processConflicts: "processConflicts"
    case .resolve: "resolveConflicts"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .open(let parent, let policy, let options):
      list.add("parent", ifPresent: parent)
      list.add("policy", ifPresent: policy)
      list.add("options", ifPresent: options)
    case .insert(let id, let entity, let values):
      list.add("id", id)
      list.add("entity", entity)
      list.add("values", ifPresent: values)
    case .change(let id, let values):
      list.add("id", id)
      list.add("values", values)
    case .delete(let id):
      list.add("id", id)
    case .read(let id):
      list.add("id", id)
    case .inspectObject(let id):
      list.add("id", id)
    case .fetch(let objectFetch, let includesPendingChanges):
      list.add(objectFetch)
      list.add("includesPendingChanges", ifPresent: includesPendingChanges)
    case .observeFetch(let observer, let observedFetch):
      list.add("observer", observer)
      list.add(observedFetch)
    case .updateFetch(let observer):
      list.add("observer", observer)
    case .refresh(let id, let merges):
      list.add("id", id)
      list.add("merges", merges)
    case .obtainPermanentIDs(let ids):
      list.add("ids", ids)
    case .merge(let from):
      list.add("from", from)
    case .resolve(let policy):
      list.add("policy", policy)
    case .inspect, .rollback, .reset, .save, .processConflicts: break
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "openContext":
      self = .open(
        parent: try reader.ifPresent("parent"), policy: try reader.ifPresent("policy"),
        options: try reader.ifPresent("options"))
    case "insertObject":
      self = .insert(
        try reader.value("id"), entity: try reader.value("entity"),
        values: try reader.ifPresent("values"))
    case "changeObject":
      self = .change(try reader.value("id"), values: try reader.value("values"))
    case "deleteObject":
      self = .delete(try reader.value("id"))
    case "readInContext":
      self = .read(try reader.value("id"))
    case "inspectObject":
      self = .inspectObject(try reader.value("id"))
    case "inspectContext":
      self = .inspect
    case "fetchInContext":
      self = .fetch(
        try reader.group(), includesPendingChanges: try reader.ifPresent("includesPendingChanges"))
    case "observeFetch":
      self = .observeFetch(observer: try reader.value("observer"), try reader.group())
    case "updateFetch":
      self = .updateFetch(observer: try reader.value("observer"))
    case "refreshObject":
      self = .refresh(try reader.value("id"), merges: try reader.value("merges"))
    case "obtainPermanentIDs":
      self = .obtainPermanentIDs(try reader.value("ids"))
    case "rollbackContext":
      self = .rollback
    case "resetContext":
      self = .reset
    case "saveContext":
      self = .save
    case "mergeChanges":
      self = .merge(from: try reader.value("from"))
    case "processConflicts":
      self = .processConflicts
    case "resolveConflicts":
      self = .resolve(policy: try reader.value("policy"))
    default: return nil
    }
  }
}

extension ObservedFetch: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("entity", entity)
    list.add("predicate", ifPresent: predicate)
    list.add("arguments", ifPresent: arguments)
    list.add("sort", ifPresent: sort)
    list.add("offset", ifPresent: offset)
    list.add("limit", ifPresent: limit)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    entity = try reader.value("entity")
    predicate = try reader.ifPresent("predicate")
    arguments = try reader.ifPresent("arguments")
    sort = try reader.ifPresent("sort")
    offset = try reader.ifPresent("offset")
    limit = try reader.ifPresent("limit")
  }
}
