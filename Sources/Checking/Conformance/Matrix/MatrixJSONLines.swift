internal import Datastore
internal import JSON
internal import Scenarios

/// Several runs as JSON Lines: each in the form of `JSONLinesReport`, then a line for each
/// difference.
///
/// * `difference`: `id`, `file`, `behaviours` [{`implementations`, `behaviour` (`asExpected`, `fail`,
///   `noVerdict`), `message`, and with `fail` `step` and `actual`}], `notAsked`.
/// * `matrix`: `implementations` [{label, conclusion}], `offers` [{name, cells [{grade, passed,
///   count}]}], `families` [{name, cells [{passed, count}]}], `differences` (how many), `failedByAll`.
struct MatrixJSONLines {
  private let matrix: RunMatrix

  init(_ matrix: RunMatrix) { self.matrix = matrix }

  var text: String {
    let runs = matrix.columns.map { JSONLinesReport($0.report, label: $0.label).text }
    let lines = matrix.differences.map { Self.line($0) } + [last]
    return runs.joined() + lines.map { SafeJSON($0).line + "\n" }.joined()
  }

  private static func line(_ difference: RunMatrix.Difference) -> JSONValue {
    [
      "kind": "difference", "id": difference.vector.id.json, "file": .text(difference.vector.file),
      "behaviours": .array(difference.behaviours.map { json($0) }),
      "notAsked": .array(difference.skippers.map { .text($0) }),
    ]
  }

  private static func json(_ behaviour: RunMatrix.Difference.Behaviour) -> JSONValue {
    let name: JSONValue =
      switch behaviour.kind {
      case .asExpected: "asExpected"
      case .failure: "fail"
      case .noVerdict: "noVerdict"
      }
    var json: JSONObject = [
      "implementations": .array(behaviour.implementations.map { .text($0) }), "behaviour": name,
      "message": .text(behaviour.words),
    ]
    if let witness = behaviour.witness {
      json["step"] = witness.step.map { .count($0) } ?? .null
      json["actual"] = witness.exchange.outcome
    }
    return .object(json)
  }

  private var last: JSONValue {
    [
      "kind": "matrix",
      "implementations": .array(
        matrix.columns.map {
          ["label": .text($0.label), "conclusion": .text($0.summary.conclusion.name)]
        }),
      "offers": .array(matrix.offers.map { Self.json($0) }),
      "families": .array(matrix.families.map { Self.json($0) }),
      "differences": .count(matrix.differences.count),
      "failedByAll": .array(matrix.failedByAll.map { $0.json }),
    ]
  }

  private static func json(_ row: RunMatrix.Row) -> JSONValue {
    let cells = row.cells.map { cell -> JSONValue in
      var json: JSONObject = [:]
      json["grade"] = cell.grade.map { .text($0.rawValue) }
      json["passed"] = .count(cell.tally.passed)
      json["count"] = .count(cell.tally.count)
      return .object(json)
    }
    return ["name": .text(row.name), "cells": .array(cells)]
  }
}
