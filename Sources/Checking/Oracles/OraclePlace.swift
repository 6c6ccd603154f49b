internal import Datastore
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A place as a direction from the center of the Earth.
struct OraclePlace {
  private let x: Double
  private let y: Double
  private let z: Double
  private let point: GeographicPoint

  init(_ point: GeographicPoint) {
    self.point = point
    let degree = Double.pi / 180
    x = cos(point.latitude * degree) * cos(point.longitude * degree)
    y = cos(point.latitude * degree) * sin(point.longitude * degree)
    z = sin(point.latitude * degree)
  }

  init?(_ json: JSONValue) {
    guard let point = GeographicPoint(json) else { return nil }
    self.init(point)
  }

  /// The distance along a great circle, in metres, from the cross and the dot product.
  func metres(to other: OraclePlace) -> Double {
    let (a, b, c) = (
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x
    )
    let cosine = x * other.x + y * other.y + z * other.z
    return 6_371_000 * atan2((a * a + b * b + c * c).squareRoot(), cosine)
  }

  func lies(in shape: GeographicShape) -> Bool {
    switch shape {
    case .circle(let center, let radius): return metres(to: OraclePlace(center)) <= radius
    case .box(let first, let second):
      let isBetween = first.latitude <= point.latitude && point.latitude <= second.latitude
      let (west, east) = (first.longitude, second.longitude)
      // At most once around the Earth; 180 degrees east equals 180 degrees west.
      return isBetween
        && [-360, 0, 360].map { point.longitude + $0 }.contains {
          west <= $0 && $0 <= (east < west ? east + 360 : east)
        }
    case .polygon(let corners):
      // The place is in an odd number of the triangles of the first corner and two consecutive
      // corners.
      let corners = corners.map { OraclePlace($0) }
      let triangles = zip(corners.dropFirst(), corners.dropFirst(2)).filter { second, third in
        isInside(corners[0], second, c: third)
      }
      return triangles.count % 2 == 1
    }
  }

  /// Whether it is on the same side of all 3 edges of a triangle, and not antipodal.
  private func isInside(_ a: OraclePlace, _ b: OraclePlace, c: OraclePlace) -> Bool {
    let sides = [side(of: a, b), side(of: b, c), side(of: c, a)]
    let isFront = x * (a.x + b.x + c.x) + y * (a.y + b.y + c.y) + z * (a.z + b.z + c.z) > 0
    return isFront && (sides.allSatisfy { $0 > 0 } || sides.allSatisfy { $0 < 0 })
  }

  private func side(of a: OraclePlace, _ b: OraclePlace) -> Double {
    (a.y * b.z - a.z * b.y) * x + (a.z * b.x - a.x * b.z) * y + (a.x * b.y - a.y * b.x) * z
  }
}
