internal import Datastore
internal import JSON
internal import ObjectOperations
internal import Scenarios
internal import Simulation

// The behavior of sensible applications, and the state that they track.

extension World {
  /// The action adapted to a sensible application, which relates only objects of its context and
  /// never discards changes of single objects; nil if it does nothing.
  mutating func sensible(
    _ action: ContextAction, at place: Int, _ step: StepID
  ) throws(HarnessError) -> ContextAction? {
    if case .refresh(let id, merges: false) = action.call {
      // A refresh of one end of a relationship would keep the change of the other end.
      let outcome = try perform(
        .contexts(ContextAction(action.context, .inspectObject(id))), at: place, for: step)
      guard case .inspectedObject(let object)? = outcome.contexts else { return nil }
      return object.isUpdated || object.isDeleted ? nil : action
    }
    guard case .change(let id, let values) = action.call,
      let relationships = replicas[place].application.relationships
    else { return action }
    var kept: [(JSONString, JSONValue)] = []
    for member in values.objectValue?.members ?? [] {
      guard relationships.contains(member.name) else {
        kept.append((member.name, member.value))
        continue
      }
      switch member.value {
      case .array(let targets):
        var there: [JSONValue] = []
        for target in targets
        where try has(target.textValue ?? "", in: action.context, at: place, step) {
          there.append(target)
        }
        kept.append((member.name, .array(there)))
      case .string(let target):
        guard try has(target, in: action.context, at: place, step) else { continue }
        kept.append((member.name, member.value))
      default: kept.append((member.name, member.value))
      }
    }
    guard replicas[place].isUp, !kept.isEmpty || values == [:] else { return nil }
    return ContextAction(action.context, .change(id, values: .object(JSONObject(kept))))
  }

  /// Whether a context contains an object that is not deleted.
  private mutating func has(
    _ id: JSONString, in context: JSONString, at place: Int, _ step: StepID
  ) throws(HarnessError) -> Bool {
    let id = DocumentID(id)
    let read = try perform(.contexts(ContextAction(context, .read(id))), at: place, for: step)
    guard case .ok = read,
      case .inspectedObject(let object)? = try perform(
        .contexts(ContextAction(context, .inspectObject(id))), at: place, for: step
      ).contexts
    else { return false }
    return !object.isDeleted
  }
}

extension Application {
  /// The names of all relationships of its objects; nil if it stores none.
  var relationships: Set<JSONString>? {
    guard let entities = model?.objectValue?["entities"]?.objectValue else { return nil }
    var names: Set<JSONString> = []
    for entity in entities.members {
      for member in entity.value.objectValue?["relationships"]?.objectValue?.members ?? [] {
        names.insert(member.name)
      }
    }
    return names
  }

  /// The model of its objects; nil if it stores none.
  var model: JSONValue? {
    for case .open(let model, _, _)? in openings.map({ $0.objects }) { return model }
    return nil
  }
}
