#if HTTP
  internal import JSON

  /// Selectors of CouchDB in the form of the contract.
  ///
  /// In CouchDB `$ne` and `$nin` need the field, and everything except null is above null.
  enum SelectorDialect {
    static func translated(_ selector: JSONValue) -> JSONValue {
      switch selector {
      case .array(let parts): return .array(parts.map { translated($0) })
      case .object(let object):
        var members: [(JSONString, JSONValue)] = []
        for member in object.members { members += translated(member) }
        // A member that occurs twice is a conjunction.
        var names: [JSONString] = []
        for (name, _) in members where !names.contains(name) { names.append(name) }
        guard names.count < members.count else { return .object(JSONObject(members)) }
        return ["$and": .array(members.map { .object(JSONObject([$0])) })]
      default: return selector
      }
    }

    private static func translated(_ member: JSONObject.Member) -> [(JSONString, JSONValue)] {
      switch (member.name, member.value) {
      case ("$ne", _), ("$nin", _):
        return [(member.name, member.value), ("$exists", true)]
      case ("$gt", .null): return [("$exists", true), ("$ne", .null)]
      case ("$gte", .null): return [("$exists", true)]
      case ("$eq", _), ("$in", _), ("$all", _), ("$lt", _), ("$lte", _), ("$gt", _), ("$gte", _),
        ("$regex", _), ("$mod", _), ("$size", _), ("$type", _), ("$exists", _):
        return [(member.name, member.value)]
      case (_, .object(let object)) where isConditions(object):
        return conditions(object, of: member.name)
      default: return [(member.name, translated(member.value))]
      }
    }

    private static func isConditions(_ object: JSONObject) -> Bool {
      !object.isEmpty
        && object.members.allSatisfy { $0.name.utf8.first == UInt8(ascii: "$") }
    }

    /// The conditions of one field: what occurs twice becomes several members of it.
    private static func conditions(
      _ object: JSONObject, of field: JSONString
    ) -> [(JSONString, JSONValue)] {
      var parts: [JSONObject] = [[:]]
      for member in object.members {
        for (name, value) in translated(member) {
          if parts[parts.count - 1][name] == value { continue }
          if parts[parts.count - 1][name] != nil { parts.append([:]) }
          parts[parts.count - 1][name] = value
        }
      }
      return parts.map { (field, .object($0)) }
    }
  }
#endif
