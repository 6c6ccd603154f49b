// Written by `tools/operations/generate.py` from the tables of operations.

internal import Datastore
package import JSON

extension StackAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .open: "openStack"
    case .perform: "performInStack"
    case .save: "saveStack"
    case .run: "runStack"
    case .reset: "resetStack"
    case .entity: "entityOfClass"
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .open(let stack, let policy, let options):
      list.add("stack", stack)
      list.add("policy", ifPresent: policy)
      list.add("options", ifPresent: options)
    case .perform(let stack, let stackClosure, let stackCall):
      list.add("stack", stack)
      list.add(stackClosure)
      list.add(stackCall)
    case .save(let stack, let stackCall):
      list.add("stack", stack)
      list.add(stackCall)
    case .run(let stack, let queue):
      list.add("stack", stack)
      list.add("queue", ifPresent: queue)
    case .reset(let stack):
      list.add("stack", stack)
    case .entity(let `class`, let prefix):
      list.add("class", `class`)
      list.add("prefix", ifPresent: prefix)
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "openStack":
      self = .open(
        try reader.value("stack"), policy: try reader.ifPresent("policy"),
        options: try reader.ifPresent("options"))
    case "performInStack":
      self = .perform(try reader.value("stack"), try reader.group(), try reader.group())
    case "saveStack":
      self = .save(try reader.value("stack"), try reader.group())
    case "runStack":
      self = .run(try reader.value("stack"), queue: try reader.ifPresent("queue"))
    case "resetStack":
      self = .reset(try reader.value("stack"))
    case "entityOfClass":
      self = .entity(ofClass: try reader.value("class"), prefix: try reader.ifPresent("prefix"))
    default: return nil
    }
  }
}
