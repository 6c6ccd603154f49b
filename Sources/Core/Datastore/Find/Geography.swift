public import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A place on the Earth, in degrees.
public struct GeographicPoint: Hashable, Sendable {
  /// The longitude, -180 to 180.
  public let longitude: Double
  /// The latitude, -90 to 90.
  public let latitude: Double

  /// The radius of the sphere that models the Earth, in metres.
  public static let earthRadius = 6_371_000.0

  /// The place at these coordinates in degrees; nil outside their ranges.
  public init?(longitude: Double, latitude: Double) {
    guard -180...180 ~= longitude, -90...90 ~= latitude else { return nil }
    self.longitude = longitude
    self.latitude = latitude
  }

  /// Reads `[longitude, latitude]`; nil for any other value.
  public init?(_ json: JSONValue) {
    guard let numbers = json.arrayValue, numbers.count == 2, let longitude = numbers[0].number,
      let latitude = numbers[1].number
    else { return nil }
    self.init(longitude: longitude, latitude: latitude)
  }

  /// The place in JSON: `[longitude, latitude]`.
  public var json: JSONValue { [.double(longitude), .double(latitude)] }
}

/// A part of the surface of the Earth, including its edges.
public enum GeographicShape: Hashable, Sendable {
  /// `$box`: the area between two corners, the south-western one first; it may cross the
  /// antimeridian.
  case box(GeographicPoint, GeographicPoint)
  /// `$centerSphere`: the area within a radius in metres.
  case circle(GeographicPoint, radius: Double)
  /// `$polygon`: the points around which the corners, joined by great circles, wind an odd number
  /// of times.
  case polygon([GeographicPoint])

  /// The operand of `$within` in JSON.
  public var json: JSONValue {
    switch self {
    case .box(let first, let second): ["$box": [first.json, second.json]]
    case .circle(let center, let radius): ["$centerSphere": [center.json, .double(radius)]]
    case .polygon(let corners): ["$polygon": .array(corners.map { $0.json })]
    }
  }
}

extension SelectorReader {
  /// Reads `$nearSphere` with its `$maxDistance`.
  static func near(
    _ object: JSONObject, path: String
  ) throws(DatastoreError) -> Condition {
    guard let point = object["$nearSphere"].flatMap({ GeographicPoint($0) }) else {
      throw fault(
        "$nearSphere", DecodingPath.member("$nearSphere", of: path),
        message: "expected [longitude, latitude] in degrees")
    }
    guard let distance = object["$maxDistance"] else { return .near(point, within: nil) }
    guard let metres = distance.number, metres >= 0 else {
      throw fault(
        "$maxDistance", DecodingPath.member("$maxDistance", of: path),
        message: "expected a distance in metres, 0 or more")
    }
    return .near(point, within: metres)
  }

  /// Reads the shape of `$within`.
  static func within(_ value: JSONValue, _ path: String) throws(DatastoreError) -> Condition {
    guard let object = value.objectValue, let shape = object.members.first, object.count == 1 else {
      throw fault("$within", path, message: "expected one of $box, $centerSphere, $polygon")
    }
    let path = DecodingPath.member(shape.name, of: path)
    switch shape.name.string {
    case "$box":
      guard let corners = points(shape.value), corners.count == 2,
        corners[0].latitude <= corners[1].latitude
      else {
        throw fault("$box", path, message: "expected a south-western and a north-eastern corner")
      }
      return .within(.box(corners[0], corners[1]))
    case "$centerSphere":
      guard let parts = shape.value.arrayValue, parts.count == 2,
        let center = GeographicPoint(parts[0]), let radius = parts[1].number, radius >= 0
      else {
        throw fault("$centerSphere", path, message: "expected a place and a radius in metres")
      }
      return .within(.circle(center, radius: radius))
    case "$polygon":
      guard let corners = points(shape.value), corners.count >= 3, areOnOneSide(corners) else {
        throw fault(
          "$polygon", path,
          message:
            "expected 3 or more corners, each within 90 degrees of their center")
      }
      return .within(.polygon(corners))
    default: throw misplaced(shape.name, path)
    }
  }

  private static func points(_ json: JSONValue) -> [GeographicPoint]? {
    let values = json.arrayValue ?? []
    let points = values.compactMap { GeographicPoint($0) }
    return points.count == values.count ? points : nil
  }

  /// Whether all corners lie on the hemisphere around their center; only then is the inside of the
  /// polygon well defined.
  private static func areOnOneSide(_ corners: [GeographicPoint]) -> Bool {
    let directions = corners.map { corner -> SIMD3<Double> in
      let (longitude, latitude) = (corner.longitude * .pi / 180, corner.latitude * .pi / 180)
      return SIMD3(
        cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
    let middle = directions.reduce(SIMD3(repeating: 0), +)
    // One millionth of the radius is six metres.
    let length = (middle * middle).sum().squareRoot()
    return directions.allSatisfy { ($0 * middle).sum() > length * 1e-6 }
  }
}

extension JSONValue {
  /// The number as a double, which is precise enough for a place.
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value.isFinite ? value : nil
    default: nil
    }
  }
}
