internal import Datastore
internal import JSON
internal import Scenarios

/// Writes the cases of an explorer as vectors.
struct ForestVectors {
  static let generator: JSONString = "forests"
  let scope: Int

  /// The vector of a case: the records one by one in one store, in another order and in one call in
  /// another; both must equal the model.
  func vector(_ found: ForestCase) throws(GenerationError) -> Vector {
    let schedule = found.schedule
    let forest = schedule.forest
    var operations = schedule.arrivals.map { arrival in
      StoreOperation("a", .insertRevisions([arrival.record(in: forest)]))
    }
    operations += questions(to: "a", schedule.arrivals, forest)
    if let other = found.otherOrder {
      operations.append(StoreOperation("b", .insertRevisions(other.map { $0.record(in: forest) })))
      operations += questions(to: "b", other, forest)
    }
    let asked = Asked(operations)
    let id = name(of: schedule)
    guard asked.isAgreed else { throw GenerationError("\(id): stores may differ here") }
    var steps: [Step] = []
    for (operation, outcome) in zip(operations, asked.outcomes) {
      steps.append(try .generated(operation.json, try expectation(of: outcome)))
    }
    let words = ForestWords(schedule)
    return Vector(
      id: id, clauses: words.clauses(isTwice: found.otherOrder != nil),
      note: JSONString(words.note(other: found.otherOrder)),
      generated: Vector.Generated(generator: Self.generator, scope: Int64(scope)), steps: steps)
  }

  /// The vector of a schedule after which stores may differ: it ends with all possible results.
  func vector(disputed schedule: Schedule) throws(GenerationError) -> Vector {
    let forest = schedule.forest
    var operations = schedule.arrivals.map { arrival in
      StoreOperation("a", .insertRevisions([arrival.record(in: forest)]))
    }
    // Bodies that arrive late are another dispute, so no other ancestors are requested.
    let known = holdings(schedule.arrivals, forest)
    let tips = (0..<forest.count).reversed().filter {
      known.leaves(in: forest) & 1 << $0 != 0 || schedule.arrivals.last?.tip == $0
    }
    let asksLeaves =
      Set(
        Asked(operations + [StoreOperation("a", .leaves(id: "d"))]).histories.compactMap { $0.last }
      ).count > 1
    operations.append(
      StoreOperation(
        "a",
        asksLeaves
          ? .leaves(id: "d")
          : .getRevisions([RevisionQuery(id: "d", revs: tips.map { forest.name($0) })])))
    let asked = Asked(operations)
    let id = name(of: schedule)
    var alternatives: [JSONValue] = []
    for history in asked.histories {
      guard let outcome = history.last, let expectation = try expectation(of: outcome),
        !alternatives.contains(expectation)
      else { continue }
      alternatives.append(expectation)
    }
    guard alternatives.count >= 2 else { throw GenerationError("\(id): stores do not differ here") }
    var steps: [Step] = []
    for operation in operations.dropLast() { steps.append(try .generated(operation.json, nil)) }
    if let last = operations.last {
      steps.append(try .generated(last.json, ["oneOf": .array(alternatives)]))
    }
    let words = ForestWords(schedule)
    return Vector(
      id: id, clauses: words.disputedClauses, note: JSONString(words.disputedNote),
      generated: Vector.Generated(generator: Self.generator, scope: Int64(scope)), steps: steps)
  }

  /// The id lists the records in order, so it does not depend on other generated vectors.
  private func name(of schedule: Schedule) -> VectorID {
    let codes = schedule.arrivals.map { $0.code(in: schedule.forest) }
    return VectorID(JSONString((["forest"] + codes).joined(separator: "-")))
  }

  private func holdings(_ arrivals: [Arrival], _ forest: Forest) -> Holdings {
    var holdings = Holdings()
    for arrival in arrivals { holdings.merge(arrival, in: forest) }
    return holdings
  }

  /// All requests about the document with an undisputed result.
  private func questions(
    to store: StoreName, _ arrivals: [Arrival], _ forest: Forest
  ) -> [StoreOperation] {
    var holdings = Holdings()
    var late = 0
    for arrival in arrivals {
      if holdings.holds(arrival.tip), holdings.bodies & 1 << arrival.tip == 0 {
        late |= 1 << arrival.tip
      }
      holdings.merge(arrival, in: forest)
    }
    let places = (0..<forest.count).reversed().filter { late & 1 << $0 == 0 }
    var actions: [StoreAction] = [
      .leaves(id: "d"),
      .getRevisions([RevisionQuery(id: "d", revs: places.map { forest.name($0) })]),
    ]
    if store == "a" {
      actions.append(.read(id: "d"))
      let all = (0..<forest.count).reversed().map { forest.name($0) }
      if holdings.known != holdings.bodies {
        actions.append(.revsDiff([RevisionQuery(id: "d", revs: all)]))
      }
    }
    if holdings.leaves(in: forest).nonzeroBitCount > 2 { actions.append(.changes()) }
    return actions.map { StoreOperation(store, $0) }
  }

  /// The expectation of an outcome, nil if the format has a default for it.
  private func expectation(of outcome: Outcome) throws(GenerationError) -> JSONValue? {
    switch outcome {
    case .error(var error):
      error.message = ""
      return ["error": error.json]
    case .unknown: throw GenerationError("the model has an unknown outcome")
    case .ok(let result):
      switch result {
      case .inserted: return nil
      case .leaves(let leaves): return ["ok": ["leaves": leaves.winnerFirst]]
      case .document(let document):
        return ["ok": ["rev": document.rev.json, "deleted": false, "body": document.body]]
      case .revisions(let answers):
        return ["ok": ["results": .array(answers.map { $0.expectation })]]
      case .revsDiff(let differences):
        let results = differences.map { difference -> JSONValue in
          [
            "id": difference.id.json,
            "missing": ["$unordered": .array(difference.missing.map { $0.json })],
            "possibleAncestors": [
              "$unordered": .array(difference.possibleAncestors.map { $0.json })
            ],
          ]
        }
        return ["ok": ["results": .array(results)]]
      case .changes(let page):
        let rows = page.rows.map { row -> JSONValue in
          ["id": row.id.json, "deleted": .bool(row.deleted), "leaves": row.leaves.array.unordered]
        }
        return ["ok": ["rows": .array(rows)]]
      default: throw GenerationError("no expectation for \(result.json.serialized())")
      }
    }
  }
}
