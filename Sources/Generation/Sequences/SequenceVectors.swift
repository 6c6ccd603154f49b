internal import Datastore
internal import JSON
internal import Scenarios

/// Writes the cases of an explorer as vectors.
struct SequenceVectors {
  static let generator: Text = "sequences"
  let scope: Int

  /// The vector of a case: the operations, then a look at the whole document; where stores may
  /// answer differently it ends with what they may answer.
  func vector(_ found: SequenceCase) throws(GenerationError) -> Vector {
    let state = found.after
    let name = (["sequence"] + state.names).joined(separator: "-")
    let asksEverything = found.accepted.count == 1
    let questions = asksEverything ? Self.questions(state) : []
    let asked = Asked(state.operations + questions)
    guard !asksEverything || asked.isAgreed else {
      throw GenerationError("\(name): stores may differ here")
    }
    var writer = NameWriter(made: state.made)
    var steps: [Step] = []
    for (index, (operation, outcome)) in zip(asked.operations, asked.outcomes).enumerated() {
      let template = writer.referring(operation.json)
      let isLast = index == asked.operations.count - 1
      if isLast, found.accepted.count > 1 {
        var alternatives: [JSONValue] = []
        for outcome in found.accepted {
          // Each alternative stands for itself and binds for itself.
          var branch = writer
          alternatives.append(try branch.expectation(of: outcome, state) ?? ["ok": [:]])
        }
        steps.append(try .generated(template, ["oneOf": .array(alternatives)]))
      } else {
        steps.append(try .generated(template, try writer.expectation(of: outcome, state)))
      }
    }
    let needed = state.operations.reduce(into: Set<Capability>()) {
      $0.formUnion($1.action.capabilities)
    }
    let words = SequenceWords(found)
    return Vector(
      id: VectorID(Text(name)), clauses: words.clauses,
      capabilities: Capability.allCases.filter { needed.contains($0) }, note: Text(words.note),
      generated: Vector.Generated(generator: Self.generator, scope: Int64(scope)), steps: steps)
  }

  /// Everything that can be asked about the document and has one answer.
  private static func questions(_ state: SequenceState) -> [Operation] {
    var actions: [Action] = [.leaves(id: "d")]
    if !state.isWinnerOpen || state.live.isEmpty { actions.append(.read(id: "d")) }
    if !state.revisions.isEmpty {
      actions.append(.getRevisions([RevisionQuery(id: "d", revs: state.revisions)]))
    }
    actions += [.changes(), .info]
    return actions.map { Operation("a", $0) }
  }
}

/// Puts variables in the place of the revision ids that a store makes.
struct NameWriter {
  /// The ids that are made.
  private let made: Set<RevisionID>
  private var variables: [JSONValue: Text] = [:]

  init(made: Set<RevisionID>) {
    self.made = made
  }

  /// The value with references to what was bound, but for what stands in bodies.
  func referring(_ value: JSONValue) -> JSONValue {
    if let variable = variables[value] { return ["$ref": .string(variable)] }
    switch value {
    case .array(let elements): return .array(elements.map { referring($0) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { member in
            (member.name, member.name == "body" ? member.value : referring(member.value))
          }))
    default: return value
    }
  }

  /// The id, bound where it appears first.
  private mutating func naming(_ rev: RevisionID) -> JSONValue {
    guard made.contains(rev), variables[rev.json] == nil else { return referring(rev.json) }
    let variable = Text("r\(variables.count + 1)")
    variables[rev.json] = variable
    let generation = Int64(rev.text.string.prefix { $0 != "-" }) ?? 0
    return ["$bind": .string(variable), "generation": .integer(generation)]
  }

  /// What an outcome lets expect, nil where the rule of the format says it.
  mutating func expectation(
    of outcome: Outcome, _ state: SequenceState
  ) throws(GenerationError) -> JSONValue? {
    switch outcome {
    case .error(var error):
      error.message = ""
      return ["error": error.json]
    case .unknown: throw GenerationError("the model does not know")
    case .ok(let result):
      guard let expected = expected(result, state) else {
        throw GenerationError("nothing is expected of \(result.json.serialized())")
      }
      return expected.isEmpty ? nil : ["ok": .object(expected)]
    }
  }

  /// The members that a result must have; none when it says no more than success.
  private mutating func expected(_ result: OperationResult, _ state: SequenceState) -> JSONObject? {
    switch result {
    case .done, .inserted: return [:]
    case .written(let id, let rev): return ["id": id.json, "rev": naming(rev)]
    case .resolved(let rev, let tombstones):
      let rev = naming(rev)
      return ["rev": rev, "tombstones": unordered(tombstones.map { naming($0) })]
    case .purged(let revs): return ["purged": unordered(revs.map { referring($0.json) })]
    case .leaves(let leaves):
      return ["leaves": referring(state.isWinnerOpen ? leaves.unordered : leaves.winnerFirst)]
    case .document(let document):
      return ["rev": referring(document.rev.json), "deleted": false, "body": document.body]
    case .revisions(let answers):
      return ["results": referring(.array(answers.map { $0.expectation }))]
    case .changes(let page):
      let rows = page.rows.map { row -> JSONValue in
        ["id": row.id.json, "deleted": .bool(row.deleted), "leaves": row.leaves.unordered]
      }
      return ["rows": referring(.array(rows))]
    case .info(let info):
      return [
        "documents": .integer(info.documents), "deletedDocuments": .integer(info.deletedDocuments),
      ]
    default: return nil
    }
  }

  private func unordered(_ values: [JSONValue]) -> JSONValue {
    values.count < 2 ? .array(values) : ["$unordered": .array(values)]
  }
}
