internal import Datastore
internal import JSON

// Mutants with places on the Earth.

extension Defect {
  static let geography: [Defect] = [
    conditions(
      "distances-fall-short", "FIND-035", sentence: "`$maxDistance` is 0.1 % too short."
    ) {
      guard $0 == "$maxDistance", let metres = $1.metres else { return [($0, $1)] }
      return [($0, .double(metres * 0.999))]
    },
    shaping(
      "circles-fall-short", "FIND-036",
      sentence: "The radius of a `$centerSphere` is 0.1 % too short."
    ) {
      guard $0 == "$centerSphere", let parts = $1.arrayValue, let metres = parts[1].metres else {
        return $1
      }
      return [parts[0], .double(metres * 0.999)]
    },
    shaping(
      "boxes-end-at-the-meridian", "FIND-036",
      sentence: "A `$box` cannot cross the meridian of 180 degrees."
    ) {
      guard $0 == "$box", let corners = $1.arrayValue, let first = corners[0].arrayValue,
        let second = corners[1].arrayValue, let west = first[0].metres,
        let east = second[0].metres, west > east
      else { return $1 }
      return [corners[0], [180, second[1]]]
    },
    shaping(
      "edges-follow-parallels", "FIND-036",
      sentence: "Polygon edges are straight lines on a map of degrees."
    ) {
      guard $0 == "$polygon", let corners = $1.arrayValue else { return $1 }
      return .array(corners.flattened)
    },
    conditions(
      "denials-need-places", "FIND-037",
      sentence: "A negated `$nearSphere` does not select documents without a place."
    ) {
      guard $0 == "$not", $1.member("$within") != nil else { return [($0, $1)] }
      return [($0, $1), ("$within", ["$box": [[-180, -90], [180, 90]]])]
    },
    finding(
      "nearness-is-no-order", "FIND-038",
      sentence: "`$nearSphere` without a sort orders documents by their ids."
    ) {
      found, request, _, _ in
      guard request.sort.isEmpty, request.selector.serialized().contains("$nearSphere")
      else { return found }
      return found.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
    },
    searching(
      "odd-places-select-nothing", "FIND-039",
      sentence: "An invalid place as an operand returns an empty result."
    ) {
      let text = $0.selector.serialized()
      guard text.contains("$nearSphere") || text.contains("$within"),
        (try? FindSelector($0.selector)) == nil
      else { return }
      $0.selector = ["$or": []]
    },
  ]

  /// Replaces the shape of each `$within`.
  private static func shaping(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (JSONString, JSONValue) -> JSONValue
  ) -> Defect {
    conditions(name, clause, sentence: sentence) { name, value in
      guard name == "$within", let shape = value.objectValue?.members.first else {
        return [(name, value)]
      }
      return [(name, [shape.name: change(shape.name, shape.value)])]
    }
  }
}

extension JSONValue {
  fileprivate var metres: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

extension [JSONValue] {
  /// The corners with ten more on each straight line of the map between two of them.
  fileprivate var flattened: [JSONValue] {
    var points: [JSONValue] = []
    for (corner, next) in zip(self, dropFirst() + prefix(1)) {
      guard let first = corner.arrayValue, let second = next.arrayValue,
        let x = first[0].metres, let y = first[1].metres, let u = second[0].metres,
        let v = second[1].metres, abs(u - x) <= 180
      else { return self }
      for step in 0..<10 {
        let share = Double(step) / 10
        points.append([.double(x + share * (u - x)), .double(y + share * (v - y))])
      }
    }
    return points
  }
}
