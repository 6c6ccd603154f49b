internal import Datastore
public import JSON

extension ScenarioStep {
  /// The step as its file contains it.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [("step", id.json), ("when", .integer(when))]
    members += directive.members
    return .object(JSONObject(members))
  }

  init(_ json: JSONValue, path: String, after time: Int64) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    id = StepID(try reader.text("step"))
    when = try reader.optionalInteger("when") ?? time + 1000
    guard when >= time, when <= 1 << 40 else {
      throw DecodingFailure(
        path: reader.path(to: "when"), message: "expected \(time) to \(1 << 40)")
    }
    directive = try Directive(&reader)
    try reader.finish()
  }
}

extension Directive {
  /// The directive alone, as an object.
  public var json: JSONValue { .object(JSONObject(members)) }

  /// The replicas that the directive names.
  var replicas: [ReplicaName] {
    switch self {
    case .perform(let replica, _), .crash(let replica, _), .restart(let replica),
      .clock(let replica, _), .storage(let replica, _), .loseCheckpoint(let replica),
      .copyStore(let replica), .restoreStore(let replica):
      [replica]
    case .replicate(let replicate): [replicate.source, replicate.target, replicate.by]
    case .partition(let groups): groups.flatMap { $0 }
    case .block(let from, let to): [from, to]
    case .stop, .heal, .settle: []
    }
  }

  fileprivate var members: [(JSONString, JSONValue)] {
    switch self {
    case .perform(let replica, let operation):
      [("at", replica.json), ("do", operation.json)]
    case .replicate(let replicate): [("replicate", replicate.json)]
    case .stop(let step): [("stop", ["step": step.json])]
    case .partition(let groups):
      [("partition", .array(groups.map { .array($0.map { $0.json }) }))]
    case .block(let from, let to): [("block", ["from": from.json, "to": to.json])]
    case .heal: [("heal", true)]
    case .crash(let replica, let kind):
      [("crash", ["replica": replica.json, "kind": .text(kind.rawValue)])]
    case .restart(let replica): [("restart", ["replica": replica.json])]
    case .clock(let replica, let offset):
      [("clock", ["replica": replica.json, "offset": .integer(offset)])]
    case .storage(let replica, let condition):
      [("storage", ["replica": replica.json, "is": .text(condition.rawValue)])]
    case .loseCheckpoint(let replica): [("loseCheckpoint", ["replica": replica.json])]
    case .copyStore(let replica): [("copyStore", ["replica": replica.json])]
    case .restoreStore(let replica): [("restoreStore", ["replica": replica.json])]
    case .settle: [("settle", true)]
    }
  }

  fileprivate init(_ reader: inout ObjectReader) throws(DecodingFailure) {
    if let at = try reader.optionalText("at") {
      self = .perform(
        at: ReplicaName(at),
        try ClientOperation(try reader.required("do"), path: reader.path(to: "do")))
      return
    }
    if reader.optional("replicate") != nil {
      self = .replicate(try Replicate(try reader.reader("replicate")))
      return
    }
    if let groups = try reader.optionalElements(
      "partition",
      { (group, path) throws(DecodingFailure) in
        try group.elements(at: path) { (element, path) throws(DecodingFailure) in
          try ReplicaName(element, path: path)
        }
      })
    {
      self = .partition(groups)
      return
    }
    if reader.optional("heal") != nil {
      _ = try reader.bool("heal")
      self = .heal
      return
    }
    if reader.optional("settle") != nil {
      _ = try reader.bool("settle")
      self = .settle
      return
    }
    self = try Self.readObject(&reader)
  }

  /// Reads a directive whose arguments are an object.
  private static func readObject(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> Directive {
    let names: [JSONString] = [
      "stop", "block", "crash", "restart", "clock", "storage", "loseCheckpoint", "copyStore",
      "restoreStore",
    ]
    guard let name = names.first(where: { reader.optional($0) != nil }) else {
      throw DecodingFailure(
        path: reader.path, message: "expected a step, such as at and do, or replicate")
    }
    var arguments = try reader.reader(name)
    let directive: Directive
    switch name {
    case "stop": directive = .stop(StepID(try arguments.text("step")))
    case "block":
      directive = .block(
        from: ReplicaName(try arguments.text("from")), to: ReplicaName(try arguments.text("to")))
    case "crash":
      directive = .crash(
        ReplicaName(try arguments.text("replica")), try arguments.choice("kind"))
    case "clock":
      directive = .clock(
        ReplicaName(try arguments.text("replica")), offset: try arguments.integer("offset"))
    case "storage":
      directive = .storage(
        ReplicaName(try arguments.text("replica")), try arguments.choice("is"))
    case "restart": directive = .restart(ReplicaName(try arguments.text("replica")))
    case "copyStore": directive = .copyStore(ReplicaName(try arguments.text("replica")))
    case "restoreStore": directive = .restoreStore(ReplicaName(try arguments.text("replica")))
    default: directive = .loseCheckpoint(ReplicaName(try arguments.text("replica")))
    }
    try arguments.finish()
    return directive
  }
}

extension Replicate {
  /// The directive's arguments as a file contains them.
  public var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [
      ("source", source.json), ("target", target.json), ("by", by.json),
    ]
    if isContinuous { members.append(("mode", "continuous")) }
    if let filter { members.append(("filter", filter.json)) }
    if let batch { members.append(("batch", .integer(batch))) }
    return .object(JSONObject(members))
  }

  init(_ given: ObjectReader) throws(DecodingFailure) {
    var reader = given
    source = ReplicaName(try reader.text("source"))
    target = ReplicaName(try reader.text("target"))
    by = try reader.optionalText("by").map { ReplicaName($0) } ?? target
    isContinuous = try reader.optionalText("mode") == "continuous"
    filter = try reader.optional("filter").map { value throws(DecodingFailure) in
      try Filter(value, path: reader.path(to: "filter"))
    }
    batch = try reader.optionalInteger("batch")
    try reader.finish()
    if let batch, !(1...100_000).contains(batch) {
      throw DecodingFailure(path: reader.path(to: "batch"), message: "expected 1 to 100000")
    }
  }
}

extension ClientOperation {
  /// The operation as a file contains it, without its store.
  public var json: JSONValue {
    var members = StoreOperation("notes", action).json.objectValue?.members ?? []
    members.removeAll { $0.name == "store" }
    let object = JSONObject(members.map { ($0.name, $0.value) })
    return .object(leaf.map { object.choosing($0) } ?? object)
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    guard let object = json.objectValue else {
      throw DecodingFailure(path: path, message: "expected an operation")
    }
    var leaf: Int64?
    var members: [(JSONString, JSONValue)] = []
    for member in object.withoutChoices(&leaf).members {
      if member.name == "store" {
        throw DecodingFailure(
          path: "\(path).store",
          message: "expected the one store of the scenario, which its first members name")
      }
      members.append((member.name, member.value))
      if member.name == "op" { members.append(("store", "notes")) }
    }
    action = try StoreOperation(.object(JSONObject(members)), path: path).action
    self.leaf = leaf
  }
}

extension JSONObject {
  /// An operation, or a write of a batch, with a leaf in place of its revisions.
  fileprivate func choosing(_ leaf: Int64) -> JSONObject {
    let chosen: JSONValue = ["$leaf": .integer(leaf)]
    return JSONObject(
      members.map { member in
        switch member.name {
        case "rev", "keep": return (member.name, chosen)
        case "revs": return (member.name, [chosen])
        case "leaves": return (member.name, ["$live": true])
        case "records":
          return (member.name, member.value.replacingPathEnds { _ in chosen })
        case "writes":
          let writes = member.value.arrayValue?.compactMap(\.objectValue) ?? []
          let id = writes.first?["id"]
          let all = writes.map { JSONValue.object($0["id"] == id ? $0.choosing(leaf) : $0) }
          return (member.name, .array(all))
        default: return (member.name, member.value)
        }
      })
  }

  /// The operation with placeholders in place of chosen leaves.
  fileprivate func withoutChoices(_ leaf: inout Int64?) -> JSONObject {
    var plain: [(JSONString, JSONValue)] = []
    for member in members {
      var value = member.value
      switch member.name {
      case "rev", "keep":
        if let chosen = value.leafPlace { (leaf, value) = (chosen, "1-0") }
      case "revs":
        if let chosen = value.arrayValue?.first?.leafPlace { (leaf, value) = (chosen, ["1-0"]) }
      case "leaves": if value == ["$live": true] { value = [] }
      case "records":
        value = value.replacingPathEnds { end in
          guard let chosen = end.leafPlace else { return end }
          leaf = chosen
          return "1-0"
        }
      case "writes":
        guard let writes = value.arrayValue else { break }
        value = .array(
          writes.map { write in
            write.objectValue.map { .object($0.withoutChoices(&leaf)) } ?? write
          })
      default: break
      }
      plain.append((member.name, value))
    }
    return JSONObject(plain)
  }
}

extension JSONValue {
  /// The records with the last revision of each path replaced.
  fileprivate func replacingPathEnds(_ replacement: (JSONValue) -> JSONValue) -> JSONValue {
    guard let records = arrayValue else { return self }
    return .array(
      records.map { record in
        guard var object = record.objectValue, var path = object["path"]?.arrayValue,
          let end = path.popLast()
        else { return record }
        path.append(replacement(end))
        object["path"] = .array(path)
        return .object(object)
      })
  }

  /// The number in `{"$leaf": 0}`.
  fileprivate var leafPlace: Int64? {
    guard let object = objectValue, object.count == 1,
      case .integer(let place)? = object["$leaf"], place >= 0
    else { return nil }
    return place
  }
}
