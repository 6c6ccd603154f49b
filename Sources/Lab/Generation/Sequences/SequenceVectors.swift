internal import Datastore
internal import JSON
internal import Scenarios

/// Writes the cases of an explorer as vectors.
struct SequenceVectors {
  static let generator: JSONString = "sequences"
  let scope: Int

  /// The vector of a case: the operations, then all requests about the document; if stores may
  /// differ it ends with the possible results.
  func vector(_ found: SequenceCase) throws(GenerationError) -> Vector {
    let state = found.after
    let name = (["sequence"] + state.names).joined(separator: "-")
    let asksEverything = found.accepted.count == 1
    let questions = asksEverything ? Self.questions(state) : []
    let asked = Asked(state.operations + questions)
    guard !asksEverything || asked.isAgreed else {
      throw GenerationError("\(name): stores may differ here")
    }
    var writer = SequenceWriter(made: state.made)
    var steps: [Step] = []
    for (index, (operation, outcome)) in zip(asked.operations, asked.outcomes).enumerated() {
      let template = writer.names.referring(operation.json)
      let isLast = index == asked.operations.count - 1
      if isLast, found.accepted.count > 1 {
        var alternatives: [JSONValue] = []
        for outcome in found.accepted {
          // Each alternative binds its own names.
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
      id: VectorID(JSONString(name)), clauses: words.clauses,
      capabilities: Capability.allCases.filter { needed.contains($0) },
      note: JSONString(words.note),
      generated: Vector.Generated(generator: Self.generator, scope: Int64(scope)), steps: steps)
  }

  /// All requests about the document with one possible result.
  private static func questions(_ state: SequenceState) -> [StoreOperation] {
    var actions: [StoreAction] = [.leaves(id: "d")]
    if !state.isWinnerOpen || state.live.isEmpty { actions.append(.read(id: "d")) }
    if !state.revisions.isEmpty {
      actions.append(.getRevisions([RevisionQuery(id: "d", revs: state.revisions)]))
    }
    actions += [.changes(), .info]
    return actions.map { StoreOperation("a", $0) }
  }
}

/// Converts outcomes to expectations in which a store's own revision ids are variables.
private struct SequenceWriter {
  /// The ids that the store chose.
  private let made: Set<RevisionID>
  private(set) var names = NameBinder()

  init(made: Set<RevisionID>) {
    self.made = made
  }

  /// The id, bound at its first occurrence if the store chooses it.
  private mutating func naming(_ rev: RevisionID) -> JSONValue {
    made.contains(rev) ? names.bound(rev) : rev.json
  }

  /// The expectation of an outcome, nil if the format has a default for it.
  mutating func expectation(
    of outcome: Outcome, _ state: SequenceState
  ) throws(GenerationError) -> JSONValue? {
    switch outcome {
    case .error(var error):
      error.message = ""
      return ["error": error.json]
    case .unknown: throw GenerationError("the model has an unknown outcome")
    case .ok(let result):
      guard let expected = expected(result, state) else {
        throw GenerationError("no expectation for \(result.json.serialized())")
      }
      return expected.isEmpty ? nil : ["ok": .object(expected)]
    }
  }

  /// The required members of a result; empty if it only reports success.
  private mutating func expected(_ result: OperationResult, _ state: SequenceState) -> JSONObject? {
    switch result {
    case .done, .inserted: return [:]
    case .written(let id, let rev): return ["id": id.json, "rev": naming(rev)]
    case .resolved(let rev, let tombstones):
      let rev = naming(rev)
      return ["rev": rev, "tombstones": unordered(tombstones.map { naming($0) })]
    case .purged(let revs): return ["purged": unordered(revs.map { names.reference(to: $0.json) })]
    case .leaves(let leaves):
      return ["leaves": names.referring(state.isWinnerOpen ? leaves.unordered : leaves.winnerFirst)]
    case .document(let document):
      return [
        "rev": names.reference(to: document.rev.json), "deleted": false, "body": document.body,
      ]
    case .revisions(let answers):
      return ["results": names.referring(.array(answers.map { $0.expectation }))]
    case .changes(let page):
      let rows = page.rows.map { row -> JSONValue in
        ["id": row.id.json, "deleted": .bool(row.deleted), "leaves": row.leaves.array.unordered]
      }
      return ["rows": names.referring(.array(rows))]
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
