public import JSON

/// Which documents are meant, as a value: what matching means is the business of each store.
///
/// Source: Touchstone contract, after the selectors of CouchDB and CDTDatastore.
public indirect enum Selector: Hashable, Sendable {
  /// All of these, `$and`; without any, every document.
  case all([Selector])
  /// At least one of these, `$or`.
  case any([Selector])
  /// None of these, `$nor`.
  case none([Selector])
  /// Not this, `$not`.
  case not(Selector)
  /// All of the conditions for the value at a path.
  case field(FieldPath, [Condition])
  /// All words occur, `$text`.
  case text(TextSearch)

  /// How deeply operators and fields may lie in each other.
  public static let depthMax = 64
}

/// What is asked of the value at a path.
public indirect enum Condition: Hashable, Sendable {
  /// `$eq`: the value, or an element of it, is this one.
  case equals(Operand)
  /// `$ne`: not `$eq`.
  case differs(Operand)
  /// `$in`: `$eq` with one of these.
  case isIn([Operand])
  /// `$nin`: not `$in`.
  case notIn([Operand])
  /// `$lt`, `$lte`, `$gt`, `$gte`: the value, or an element of it, stands so to this one.
  case compares(Comparison, Operand)
  /// `$exists`: whether there is a value at all.
  case exists(Bool)
  /// `$type`: the kind of the value itself.
  case type(ValueType)
  /// `$all`: the value is an array that has each of these among its elements.
  case hasAll([JSONValue])
  /// `$size`: the value is an array of so many elements.
  case size(Int64)
  /// `$elemMatch`: the value is an array with an element that meets all of these.
  case element(ElementCondition)
  /// `$mod`: the value, or an element of it, is an integer with this remainder.
  case remainder(divisor: Int64, Int64)
  /// `$regex`: the value, or an element of it, is a string with a match somewhere.
  case matches(RegularExpression)
  /// `$nearSphere` and `$maxDistance`: the value, or an element of it, is a place at most so many metres
  /// from another one; nil is any distance.
  case near(GeographicPoint, within: Double?)
  /// `$within`: the value, or an element of it, is a place inside of a shape.
  case within(GeographicShape)
  /// `$not`: not all of these.
  case not([Condition])
}

/// What is asked of one element of an array.
public enum ElementCondition: Hashable, Sendable {
  /// All of these, of the element as a value.
  case conditions([Condition])
  /// The element is an object that this selects.
  case selector(Selector)
}

/// What a value is compared with.
public enum Operand: Hashable, Sendable {
  case value(JSONValue)
  /// `{"$decimal": "12.50"}`: strings are read as decimal numbers; the text is one.
  case decimal(JSONString)
}

/// The four ways to stand to an operand.
public enum Comparison: String, CaseIterable, Sendable {
  case less = "$lt"
  case lessOrEqual = "$lte"
  case greater = "$gt"
  case greaterOrEqual = "$gte"
}

/// The kinds of JSON values.
public enum ValueType: String, CaseIterable, Sendable {
  case null, boolean, number, string, array, object
}

/// Words that all have to occur, each in the strings at any of the paths.
public struct TextSearch: Hashable, Sendable {
  /// The text whose words are sought.
  public var search: JSONString
  /// Where, at least one.
  public var fields: [FieldPath]

  public init(_ search: JSONString, in fields: [FieldPath]) {
    self.search = search
    self.fields = fields
  }
}
