public import Datastore
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// Places on a sphere, as unit vectors from its center.

extension GeographicPoint {
  fileprivate var direction: SIMD3<Double> {
    let (longitude, latitude) = (longitude * .pi / 180, latitude * .pi / 180)
    return SIMD3(
      cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  /// The distance in metres along a great circle, from the chord between two unit vectors.
  func distance(to other: GeographicPoint) -> Double {
    let chord = direction - other.direction
    let half = min((chord * chord).sum().squareRoot() / 2, 1)
    return 2 * asin(half) * Self.earthRadius
  }
}

extension GeographicShape {
  func contains(_ point: GeographicPoint) -> Bool {
    switch self {
    case .circle(let center, let radius): return point.distance(to: center) <= radius
    case .box(let first, let second):
      guard first.latitude...second.latitude ~= point.latitude else { return false }
      // The antimeridian has two encodings, -180° and 180°.
      let longitudes = abs(point.longitude) == 180 ? [-180, 180] : [point.longitude]
      // A box that starts east of its end crosses the antimeridian.
      return longitudes.contains { longitude in
        first.longitude <= second.longitude
          ? first.longitude...second.longitude ~= longitude
          : longitude >= first.longitude || longitude <= second.longitude
      }
    case .polygon(let corners): return Self.turns(corners.map { $0.direction }, point.direction)
    }
  }

  /// Whether the polygon of the corners winds around a place an odd number of times.
  ///
  /// The polygon also winds around the antipodes, where nothing is inside.
  private static func turns(_ corners: [SIMD3<Double>], _ place: SIMD3<Double>) -> Bool {
    let middle = corners.reduce(SIMD3(repeating: 0), +)
    guard (middle * place).sum() > 0 else { return false }
    var sum = 0.0
    for (corner, next) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      // The angle between the planes through the place and each of the two corners.
      let (left, right) = (cross(place, corner), cross(place, next))
      sum += atan2((place * cross(left, right)).sum(), (left * right).sum())
    }
    return Int((sum / (2 * .pi)).rounded()) % 2 != 0
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

/// The origin of an order by distance.
public struct Origin {
  let path: FieldPath
  let point: GeographicPoint

  /// The distance in metres to the nearest place of a document.
  public func distance(of subject: Subject) -> Double {
    guard let value = subject.value(at: path) else { return .infinity }
    return ([value] + (value.arrayValue ?? [])).compactMap { GeographicPoint($0) }
      .map { $0.distance(to: point) }.min() ?? .infinity
  }
}

extension FindSelector {
  /// The place by whose distance the documents are ordered if no other order is requested: that of
  /// the first `$nearSphere` that every result must satisfy.
  public var origin: Origin? {
    switch self {
    case .all(let parts): return parts.lazy.compactMap { $0.origin }.first
    case .field(let path, let conditions):
      for case .near(let point, _) in conditions { return Origin(path: path, point: point) }
      return nil
    default: return nil
    }
  }
}
