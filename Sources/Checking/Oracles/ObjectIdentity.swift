internal import Datastore
internal import JSON

/// Checks that a context has each object once, with the same values in every query.
struct ObjectIdentity: Oracle {
  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    guard case .application(let replica, let step, let operation, let outcome) = observation,
      let call = ContextCall(operation.action, outcome), let context = call.context
    else { return nil }
    let ids = call.listedIDs
    var seen: Set<JSONString> = []
    guard let twice = ids.first(where: { !seen.insert($0).inserted }) else { return nil }
    return .repeatedObject(
      twice, operation: call.name, context: context, step: step, replica: history.replicas[replica])
  }
}
