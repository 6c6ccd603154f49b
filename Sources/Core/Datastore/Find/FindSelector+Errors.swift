public import JSON

extension FindSelector {
  /// All errors of a selector, each at its path; empty for a valid selector.
  ///
  /// `init` throws one of them.
  public static func errors(in json: JSONValue) -> [DatastoreError] {
    guard let object = json.objectValue else {
      return [DatastoreError(.badRequest(path: "selector"), "expected an object")]
    }
    return SelectorReader.errors(inSelector: object, path: "selector", depth: 1)
  }
}

// Each part is parsed separately. If parsing of a composite part fails, its own parts are checked
// for errors; for other parts the parser stops at the first error.

extension SelectorReader {
  fileprivate static func errors(
    inSelector object: JSONObject, path: String, depth: Int, isElement: Bool = false
  ) -> [DatastoreError] {
    guard depth <= FindSelector.depthMax else {
      return errors { () throws(DatastoreError) in
        _ = try selector(object, path: path, depth: depth, isElement: isElement)
      }
    }
    return object.members.flatMap { member -> [DatastoreError] in
      let place = DecodingPath.member(member.name, of: path)
      switch (member.name.string, member.value) {
      case ("$and", .array(let parts)), ("$or", .array(let parts)), ("$nor", .array(let parts)):
        return parts.enumerated().flatMap { index, part in
          guard let part = part.objectValue else {
            return [
              fault(member.name, DecodingPath.element(index, of: place), message: "not a selector")
            ]
          }
          return errors(
            inSelector: part, path: DecodingPath.element(index, of: place), depth: depth + 1,
            isElement: isElement)
        }
      case ("$not", .object(let inner)):
        return errors(inSelector: inner, path: place, depth: depth + 1, isElement: isElement)
      case (_, .object(let inner)) where !member.name.isOperator && !inner.isEmpty:
        guard inner.hasOperators else {
          return errors(ofName: member, path, depth, isElement: isElement)
            + errors(inSelector: inner, path: place, depth: depth + 1, isElement: isElement)
        }
        return errors(ofName: member, path, depth, isElement: isElement)
          + errors(inConditions: inner, path: place, depth: depth + 1)
      default:
        return errors { () throws(DatastoreError) in
          _ = try selector(
            JSONObject([(member.name, member.value)]), path: path, depth: depth,
            isElement: isElement)
        }
      }
    }
  }

  /// The errors in the name of a field.
  private static func errors(
    ofName member: JSONObject.Member, _ path: String, _ depth: Int, isElement: Bool
  ) -> [DatastoreError] {
    errors { () throws(DatastoreError) in
      _ = try selector(
        JSONObject([(member.name, .null)]), path: path, depth: depth, isElement: isElement)
    }
  }

  private static func errors(
    inConditions object: JSONObject, path: String, depth: Int
  ) -> [DatastoreError] {
    object.members.flatMap { member -> [DatastoreError] in
      let place = DecodingPath.member(member.name, of: path)
      switch (member.name.string, member.value) {
      case ("$not", .object(let inner)) where !inner.isEmpty && depth < FindSelector.depthMax:
        return errors(inConditions: inner, path: place, depth: depth + 1)
      case ("$elemMatch", .object(let inner)) where depth < FindSelector.depthMax:
        return isOfValues(inner)
          ? errors(inConditions: inner, path: place, depth: depth + 1)
          : errors(inSelector: inner, path: place, depth: depth + 1, isElement: true)
      case ("$in", .array(let operands)), ("$nin", .array(let operands)):
        return operands.enumerated().flatMap { index, operand in
          errors { () throws(DatastoreError) in
            _ = try self.operand(operand, DecodingPath.element(index, of: place))
          }
        }
      case ("$maxDistance", _) where object["$nearSphere"] != nil: return []
      default:
        var part = JSONObject([(member.name, member.value)])
        if member.name == "$nearSphere" { part["$maxDistance"] = object["$maxDistance"] }
        return errors { () throws(DatastoreError) in
          _ = try conditions(part, path: path, depth: depth)
        }
      }
    }
  }

  private static func errors(_ read: () throws(DatastoreError) -> Void) -> [DatastoreError] {
    do throws(DatastoreError) { try read() } catch { return [error] }
    return []
  }
}
