internal import JSON

/// A place on the Earth, in degrees.
public struct GeographicPoint: Hashable, Sendable {
  /// From -180 to 180.
  public let longitude: Double
  /// From -90 to 90.
  public let latitude: Double

  /// The place of these degrees; nil outside their ranges.
  public init?(longitude: Double, latitude: Double) {
    guard -180...180 ~= longitude, -90...90 ~= latitude else { return nil }
    self.longitude = longitude
    self.latitude = latitude
  }

  /// Reads `[longitude, latitude]`.
  init?(_ json: JSONValue) {
    guard let numbers = json.arrayValue, numbers.count == 2, let longitude = numbers[0].number,
      let latitude = numbers[1].number
    else { return nil }
    self.init(longitude: longitude, latitude: latitude)
  }

  var json: JSONValue { [.double(longitude), .double(latitude)] }
}

/// A part of the surface of the Earth.
public enum GeographicShape: Hashable, Sendable {
  /// `$box`: what lies between two corners, the south-western one first.
  case box(GeographicPoint, GeographicPoint)
  /// `$centerSphere`: what is at most so many metres away.
  case circle(GeographicPoint, radius: Double)
  /// `$polygon`: what lies inside of three or more corners.
  case polygon([GeographicPoint])

  var json: JSONValue {
    switch self {
    case .box(let first, let second): ["$box": [first.json, second.json]]
    case .circle(let center, let radius): ["$centerSphere": [center.json, .double(radius)]]
    case .polygon(let corners): ["$polygon": .array(corners.map { $0.json })]
    }
  }
}

extension JSONValue {
  /// A number as a double, near enough for a place.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value.isFinite ? value : nil
    default: nil
    }
  }
}
