package import Datastore
public import JSON
public import Scenarios
public import Simulation

extension LayerComparison.Disagreement: SequenceDisagreement {
  package var operations: [StoreOperation] { steps.map { $0.operation } }

  /// The operation without a member or an element that it need not have.
  package func simplifications(at place: Int) -> [StoreOperation] {
    steps[place].operation.json.reductions.compactMap { json in
      guard let simpler = try? StoreOperation(json) else { return nil }
      return simpler == steps[place].operation ? nil : simpler
    }
  }

  /// Equal for two disagreements of the same class: the operation and the kinds of both outcomes.
  package var signature: [String] {
    guard let last = steps.last else { return [] }
    let kinds = [last.actual, last.expected].map { $0.errorKind?.name ?? "ok" }
    return [last.operation.action.name, breakdown == nil ? kinds[0] : "none", kinds[1]]
  }

  /// The disagreement as a finding of a report.
  package var reported: Trace.Finding {
    let operation = steps.last.map { "\($0.operation)" } ?? ""
    let answer = breakdown ?? steps.last?.actual.description ?? ""
    let expected = steps.last?.expected.description ?? ""
    return Trace.Finding(
      oracle: "layer", shape: JSONString(signature.joined(separator: " ")),
      sentence: JSONString("\(operation) returned \(answer); expected: \(expected)"), time: 0)
  }

  /// The disagreement as a vector, which the implementation fails and the bundled layer passes.
  public func vector() throws(DecodingFailure) -> Vector {
    let capabilities = steps.reduce(into: Set<Capability>()) {
      $0.formUnion($1.operation.action.capabilities)
    }
    var vectorSteps: [Scenarios.Step] = []
    for (place, step) in steps.enumerated() {
      let template = OperationTemplate(step.operation)
      let isLast = place == steps.count - 1
      let expectation = expectation(of: step, isLast: isLast)
      vectorSteps.append(
        try Scenarios.Step(
          template, ExpectedOutcome(expectation, of: step.operation.action, path: "")
        ).shortened())
    }
    return Vector(
      id: VectorID(JSONString("layer-seed-\(seed)")), clauses: [ClauseID("MODEL-001")],
      capabilities: Capability.allCases.filter { capabilities.contains($0) },
      note: JSONString("Found by comparison with the bundled layer at seed \(seed), and shrunk."),
      isOpened: false, steps: vectorSteps)
  }

  /// The whole outcome of the last step; of the others only whether they succeed.
  private func expectation(of step: LayerComparison.Step, isLast: Bool) -> JSONValue {
    guard case .ok = step.expected else { return step.expected.comparable }
    return isLast ? step.expected.comparable.without(chosenMembers) : ["ok": [:]]
  }
}

extension JSONValue {
  /// The value without the members of these names, at any depth.
  fileprivate func without(_ names: Set<JSONString>) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.without(names) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { !names.contains($0.name) }
            .map { ($0.name, $0.value.without(names)) }))
    default: self
    }
  }

  /// The value without one member or element, at any depth; the largest parts first.
  fileprivate var reductions: [JSONValue] {
    switch self {
    case .array(let elements):
      let shorter = elements.indices.map { place in
        JSONValue.array(Array(elements[..<place] + elements[(place + 1)...]))
      }
      let inner = elements.indices.flatMap { place in
        elements[place].reductions.map { reduced in
          var changed = elements
          changed[place] = reduced
          return JSONValue.array(changed)
        }
      }
      return shorter + inner
    case .object(let object):
      let fewer = object.members.filter { $0.name != "attributes" }.map { member in
        var changed = object
        changed[member.name] = nil
        return JSONValue.object(changed)
      }
      // Without an attribute or a member of a body other operations would fail for other reasons.
      let reducible = object.members.filter { $0.name != "attributes" && $0.name != "body" }
      let inner = reducible.flatMap { member in
        member.value.reductions.map { reduced in
          var changed = object
          changed[member.name] = reduced
          return JSONValue.object(changed)
        }
      }
      return fewer + inner
    default: return []
    }
  }
}
