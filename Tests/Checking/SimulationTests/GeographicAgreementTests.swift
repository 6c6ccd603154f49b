import Datastore
import JSON
import SQLiteDatastore
import Selectors
import Storage
import Testing

@testable import Oracles
@testable import Simulation

/// The model, the SQLite store and the oracles agree on which places are near or inside of an area.
struct GeographicAgreementTests {
  /// Random places, equal places with two representations, and near places with distant
  /// coordinates.
  private struct Places {
    var random: KeyedRandom

    mutating func number(_ range: ClosedRange<Int>, _ unit: Double) -> Double {
      Double(range.lowerBound + random.below(range.count)) * unit
    }

    mutating func point() throws -> GeographicPoint {
      let longitude =
        random.chance(1, in: 4)
        ? random.pick([-180, 180, 179.75, -179.75, 0, 90]) ?? 0
        : number(-1_800_000...1_800_000, 1e-4)
      let latitude =
        random.chance(1, in: 8)
        ? random.pick([-90, 90, 89.5, -89.5, 0]) ?? 0 : number(-900_000...900_000, 1e-4)
      return try #require(GeographicPoint(longitude: longitude, latitude: latitude))
    }

    /// Returns a place at most `degrees` away in both coordinates, but never a pole: a place on an
    /// edge of a polygon may be inside or outside.
    mutating func point(around center: GeographicPoint, _ degrees: Int) throws -> GeographicPoint {
      let wide = number(-degrees * 1000...degrees * 1000, 1e-3)
      let high = number(-degrees * 1000...degrees * 1000, 1e-3)
      let longitude = (center.longitude + wide + 540).truncatingRemainder(dividingBy: 360) - 180
      let latitude = min(max(center.latitude + high, -89.9), 89.9)
      return try #require(GeographicPoint(longitude: longitude, latitude: latitude))
    }

    mutating func condition() throws -> JSONValue {
      let center = try point()
      let metres = JSONValue.double(number(0...20_000_000, 1) + 0.5)
      switch random.below(4) {
      case 0: return ["$nearSphere": center.json, "$maxDistance": metres]
      case 1: return ["$within": ["$centerSphere": [center.json, metres]]]
      case 2:
        let corners = [center, try point()].sorted { $0.latitude < $1.latitude }
        return ["$within": ["$box": .array(corners.map { $0.json })]]
      default:
        var corners: [JSONValue] = []
        let degrees = random.pick([2, 20, 60]) ?? 2
        for _ in 0..<3 + random.below(5) {
          corners.append(try point(around: center, degrees).json)
        }
        return ["$within": ["$polygon": .array(corners)]]
      }
    }
  }

  @Test func threeAgree() throws {
    var places = Places(random: KeyedRandom(seed: 1, key: 2))
    let store = SQLiteDatastore(storage: MemoryStorage())
    let environment = RunEnvironment(seed: 1)
    _ = try store.perform(StoreOperation("a", .open()), environment)
    var bodies: [DocumentID: JSONValue] = [:]
    for number in 0..<120 {
      let id = DocumentID(JSONString("\(number)"))
      // A document may have two places.
      let point = try places.point().json
      let body: JSONValue = ["at": number % 10 == 0 ? [point, try places.point().json] : point]
      bodies[id] = body
      _ = try store.perform(StoreOperation("a", .create(id: id, body: body)), environment)
    }
    var refused = 0
    var found = 0
    for number in 0..<600 {
      let condition: JSONValue = ["at": try places.condition()]
      // A polygon whose corners surround the Earth encloses nothing, so it is rejected.
      guard let selector = try? FindSelector(condition) else {
        refused += 1
        continue
      }
      let request = FindRequest(condition, limit: 1000)
      let outcome = try store.perform(StoreOperation("a", .finding(.find(request))), environment)
      guard case .ok(.found(.documents(let documents))) = outcome else {
        Issue.record("\(number): \(outcome.json.serialized())")
        continue
      }
      let stored = Set(documents.map { $0.id })
      for (id, body) in bodies {
        let isMatched = Subject(body, id: id.text, rev: "1-a").matches(selector)
        let isChecked = selector.selects(RevisionRecord(id: id, path: ["1-a"], body: body))
        #expect(
          isMatched == isChecked && isMatched == stored.contains(id),
          """
          \(number): \(condition.serialized()) of \(body.serialized()): model \(isMatched), oracles \
          \(isChecked), store \(stored.contains(id))
          """)
      }
      found += stored.count
    }
    #expect(refused < 100)
    #expect((10_000...40_000).contains(found))
  }
}
