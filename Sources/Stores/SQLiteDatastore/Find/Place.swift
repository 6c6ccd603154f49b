internal import Datastore
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A place in radians, prepared for distances to many others.
struct Place {
  /// The place in degrees.
  let point: GeographicPoint
  let longitude: Double
  let latitude: Double
  let cosine: Double

  init(_ point: GeographicPoint) {
    self.point = point
    longitude = point.longitude * (.pi / 180)
    latitude = point.latitude * (.pi / 180)
    cosine = cos(latitude)
  }

  /// Nil for a value that is not a place.
  init?(_ value: JSONValue) {
    guard let point = GeographicPoint(value) else { return nil }
    self.init(point)
  }

  /// The distance in metres along a great circle, by the haversine formula.
  func metres(to other: Place) -> Double {
    let (rise, turn) = (
      sin((other.latitude - latitude) / 2), sin((other.longitude - longitude) / 2)
    )
    let haversine = rise * rise + cosine * other.cosine * turn * turn
    return 2 * GeographicPoint.earthRadius
      * atan2(haversine.squareRoot(), max(1 - haversine, 0).squareRoot())
  }

  /// The distance in metres to the nearest place among a value and its elements.
  func metres(toNearestOf value: JSONValue?) -> Double {
    guard let value else { return .infinity }
    var least = Place(value).map { metres(to: $0) } ?? .infinity
    if case .array(let elements) = value {
      for element in elements {
        if let place = Place(element) { least = min(least, metres(to: place)) }
      }
    }
    return least
  }
}

/// A part of the Earth, prepared for tests of many places.
enum Region {
  /// Between two latitudes, and from a longitude eastward over a width, in degrees.
  case box(latitudes: ClosedRange<Double>, west: Double, width: Double)
  case circle(Place, metres: Double)
  case polygon(FlatPolygon)

  init(_ shape: GeographicShape) {
    switch shape {
    case .box(let first, let second):
      let width = second.longitude - first.longitude
      self = .box(
        latitudes: first.latitude...second.latitude, west: first.longitude,
        width: width < 0 ? width + 360 : width)
    case .circle(let center, let radius): self = .circle(Place(center), metres: radius)
    case .polygon(let corners): self = .polygon(FlatPolygon(corners.map { Place($0) }))
    }
  }

  func contains(_ place: Place) -> Bool {
    switch self {
    case .box(let latitudes, let west, let width):
      let point = place.point
      // A place on the antimeridian has two longitudes.
      let longitudes = point.longitude.magnitude == 180 ? [-180, 180] : [point.longitude]
      return latitudes.contains(point.latitude)
        && longitudes.map { $0 - west }.contains { ($0 < 0 ? $0 + 360 : $0) <= width }
    case .circle(let center, let metres): return center.metres(to: place) <= metres
    case .polygon(let polygon): return polygon.contains(place)
    }
  }
}

/// A polygon on the plane that touches the Earth at the center of its corners.
///
/// Seen from the center of the Earth, great circles are straight lines on that plane.
struct FlatPolygon {
  private let east: SIMD3<Double>
  private let north: SIMD3<Double>
  private let up: SIMD3<Double>
  private var corners: [SIMD2<Double>] = []

  init(_ places: [Place]) {
    let sum = places.map { Self.direction($0) }.reduce(SIMD3(repeating: 0), +)
    up = sum / (sum * sum).sum().squareRoot()
    let level = (up.x * up.x + up.y * up.y).squareRoot()
    east = level > 1e-9 ? SIMD3(-up.y, up.x, 0) / level : SIMD3(0, 1, 0)
    north = SIMD3(
      up.y * east.z - up.z * east.y, up.z * east.x - up.x * east.z, up.x * east.y - up.y * east.x)
    corners = places.compactMap { flat($0) }
  }

  func contains(_ place: Place) -> Bool {
    guard let point = flat(place), var last = corners.last else { return false }
    var isInside = false
    for corner in corners {
      if (corner.y > point.y) != (last.y > point.y) {
        let share = (point.y - corner.y) / (last.y - corner.y)
        if point.x < corner.x + share * (last.x - corner.x) { isInside.toggle() }
      }
      last = corner
    }
    return isInside
  }

  /// The projection of a place onto the plane; nil on the other hemisphere.
  private func flat(_ place: Place) -> SIMD2<Double>? {
    let direction = Self.direction(place)
    let height = (direction * up).sum()
    guard height > 0 else { return nil }
    return SIMD2((direction * east).sum(), (direction * north).sum()) / height
  }

  private static func direction(_ place: Place) -> SIMD3<Double> {
    SIMD3(
      place.cosine * cos(place.longitude), place.cosine * sin(place.longitude),
      sin(place.latitude))
  }
}
