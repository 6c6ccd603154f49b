// Written by `tools/operations/generate.py` from the tables of operations.

internal import Datastore
package import JSON

extension ObjectAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .describe: "describeModel"
    case .validate: "validateObject"
    case .encode: "encodeObject"
    case .decode: "decodeObject"
    case .coordinate: "coordinate"
    case .open: "openObjects"
    case .save: "saveObjects"
    case .load: "loadObject"
    case .list: "listObjects"
    case .check: "checkObjects"
    case .fetch: "fetchObjects"
    case .updateAll: "updateObjects"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .describe(let model, let transformers, let predicates):
      list.add("model", model)
      list.add("transformers", ifPresent: transformers)
      list.add("predicates", ifPresent: predicates)
    case .validate(let model, let object):
      list.add("model", model)
      list.add("object", object)
    case .encode(let model, let object, let form, let transformers):
      list.add("model", model)
      list.add("object", object)
      list.add("form", ifPresent: form)
      list.add("transformers", ifPresent: transformers)
    case .decode(let objectDecoding):
      list.add(objectDecoding)
    case .coordinate(let objectCoordination):
      list.add(objectCoordination)
    case .open(let model, let migrates, let form):
      list.add("model", model)
      list.add("migrates", ifPresent: migrates)
      list.add("form", ifPresent: form)
    case .save(let inserted, let updated, let deleted):
      list.add("inserted", ifPresent: inserted)
      list.add("updated", ifPresent: updated)
      list.add("deleted", ifPresent: deleted)
    case .load(let objectReference):
      list.add(objectReference)
    case .list(let entity):
      list.add("entity", entity)
    case .fetch(let objectFetch):
      list.add(objectFetch)
    case .updateAll(let entity, let predicate, let arguments, let values):
      list.add("entity", entity)
      list.add("predicate", ifPresent: predicate)
      list.add("arguments", ifPresent: arguments)
      list.add("values", values)
    case .check: break
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "describeModel":
      self = .describe(
        model: try reader.value("model"), transformers: try reader.ifPresent("transformers"),
        predicates: try reader.ifPresent("predicates"))
    case "validateObject":
      self = .validate(model: try reader.value("model"), object: try reader.value("object"))
    case "encodeObject":
      self = .encode(
        model: try reader.value("model"), object: try reader.value("object"),
        form: try reader.ifPresent("form"), transformers: try reader.ifPresent("transformers"))
    case "decodeObject":
      self = .decode(try reader.group())
    case "coordinate":
      self = .coordinate(try reader.group())
    case "openObjects":
      self = .open(
        model: try reader.value("model"), migrates: try reader.ifPresent("migrates"),
        form: try reader.ifPresent("form"))
    case "saveObjects":
      self = .save(
        inserted: try reader.ifPresent("inserted"), updated: try reader.ifPresent("updated"),
        deleted: try reader.ifPresent("deleted"))
    case "loadObject":
      self = .load(try reader.group())
    case "listObjects":
      self = .list(entity: try reader.value("entity"))
    case "checkObjects":
      self = .check
    case "fetchObjects":
      self = .fetch(try reader.group())
    case "updateObjects":
      self = .updateAll(
        entity: try reader.value("entity"), predicate: try reader.ifPresent("predicate"),
        arguments: try reader.ifPresent("arguments"), values: try reader.value("values"))
    default: return nil
    }
  }
}

extension ObjectDecoding: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("model", model)
    list.add("id", id)
    list.add("body", body)
    list.add("attachments", ifPresent: attachments)
    list.add("trustsNumbers", ifPresent: trustsNumbers)
    list.add("transformers", ifPresent: transformers)
    list.add("value", ifPresent: value)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    model = try reader.value("model")
    id = try reader.value("id")
    body = try reader.value("body")
    attachments = try reader.ifPresent("attachments")
    trustsNumbers = try reader.ifPresent("trustsNumbers")
    transformers = try reader.ifPresent("transformers")
    value = try reader.ifPresent("value")
  }
}

extension ObjectCoordination: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("model", model)
    list.add("registration", ifPresent: registration)
    list.add("others", ifPresent: others)
    list.add("stores", stores)
    list.add("find", ifPresent: find)
    list.add("targets", ifPresent: targets)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    model = try reader.value("model")
    registration = try reader.ifPresent("registration")
    others = try reader.ifPresent("others")
    stores = try reader.value("stores")
    find = try reader.ifPresent("find")
    targets = try reader.ifPresent("targets")
  }
}

extension ObjectFetch: ArgumentGroup {
  package var members: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    list.add("entity", entity)
    list.add("predicate", ifPresent: predicate)
    list.add("arguments", ifPresent: arguments)
    list.add("sort", ifPresent: sort)
    list.add("offset", ifPresent: offset)
    list.add("limit", ifPresent: limit)
    list.add("result", ifPresent: result)
    list.add("columns", ifPresent: columns)
    list.add("groupBy", ifPresent: groupBy)
    return list.members
  }

  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    entity = try reader.value("entity")
    predicate = try reader.ifPresent("predicate")
    arguments = try reader.ifPresent("arguments")
    sort = try reader.ifPresent("sort")
    offset = try reader.ifPresent("offset")
    limit = try reader.ifPresent("limit")
    result = try reader.ifPresent("result")
    columns = try reader.ifPresent("columns")
    groupBy = try reader.ifPresent("groupBy")
  }
}
