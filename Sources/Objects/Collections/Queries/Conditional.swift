/// A condition of a query builder; the numbers are those of the product.
///
/// Source: KinveyKit 1.41, `KCSQueryConditional`.
public enum Conditional: Int64, CaseIterable, Sendable {
  /// `$lt`.
  case less = 16
  /// `$lte`.
  case lessOrEqual = 17
  /// `$gt`.
  case greater = 18
  /// `$gte`.
  case greaterOrEqual = 19
  /// `$ne`.
  case notEqual = 20
  /// `$nearSphere`.
  case near = 1024
  /// `$within` with `$box`.
  case withinBox = 1025
  /// `$within` with `$centerSphere`.
  case withinCircle = 1026
  /// `$within` with `$polygon`.
  case withinPolygon = 1027
  /// `$nin`.
  case notIn = 1028
  /// `$in`.
  case isIn = 1029
  /// In metres; valid together with `near` only.
  case maxDistance = 1030
  /// `$regex`.
  case matches = 2000
  /// Named but unsupported in the product, as is `size`.
  case all = 8192
  /// Named but unsupported in the product.
  case size = 8193

  /// The name in JSON.
  public var name: String {
    switch self {
    case .less: "$lt"
    case .lessOrEqual: "$lte"
    case .greater: "$gt"
    case .greaterOrEqual: "$gte"
    case .notEqual: "$ne"
    case .near: "$nearSphere"
    case .withinBox: "$box"
    case .withinCircle: "$centerSphere"
    case .withinPolygon: "$polygon"
    case .notIn: "$nin"
    case .isIn: "$in"
    case .maxDistance: "$maxDistance"
    case .matches: "$regex"
    case .all: "$all"
    case .size: "$size"
    }
  }

  var isOfPlaces: Bool {
    switch self {
    case .near, .withinBox, .withinCircle, .withinPolygon, .maxDistance: true
    default: false
    }
  }
}
