internal import Datastore
internal import JSON

/// A context has each object once, and with one set of values whichever way it is asked.
struct ObjectIdentity: Oracle {
  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    guard case .application(let replica, let step, let operation, let outcome) = observation,
      let action = operation.action.contexts, let answer = outcome.contexts
    else { return nil }
    let ids: [Text]
    switch answer {
    case .objects(let objects): ids = objects.compactMap { $0.objectValue?["id"]?.textValue }
    case .ids(let found): ids = found.map { $0.text }
    case .inspectedContext(let context): ids = context.registered.map { $0.text }
    case .conflicts(let conflicts): ids = conflicts.map { $0.id.text }
    default: return nil
    }
    var seen: Set<Text> = []
    guard let twice = ids.first(where: { !seen.insert($0).inserted }) else { return nil }
    return OracleFinding(
      "identity", Text(action.name),
      "context \(action.context) at \(history.replicas[replica]) has '\(twice)' twice in step \(step)",
      about: DocumentID(twice))
  }
}
