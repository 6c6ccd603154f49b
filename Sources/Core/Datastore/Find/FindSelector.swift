public import JSON

/// A query for documents as a value; each store implements its own matching.
///
/// Source: Touchstone contract, after the selectors of CouchDB and CDTDatastore.
public indirect enum FindSelector: Hashable, Sendable {
  /// `$and`: all of these hold; with an empty list, every document matches.
  case all([FindSelector])
  /// `$or`: at least one of these holds.
  case any([FindSelector])
  /// `$nor`: none of these holds.
  case none([FindSelector])
  /// `$not`: this does not hold.
  case not(FindSelector)
  /// All of the conditions hold for the value at a path.
  case field(FieldPath, [Condition])
  /// `$text`: all words occur.
  case text(TextSearch)

  /// The maximum nesting depth of operators and fields.
  public static let depthMax = 64
}

/// A condition for the value at a path.
public indirect enum Condition: Hashable, Sendable {
  /// `$eq`: the value, or an element of it, is this one.
  case equals(Operand)
  /// `$ne`: not `$eq`.
  case differs(Operand)
  /// `$in`: `$eq` with one of these.
  case isIn([Operand])
  /// `$nin`: not `$in`.
  case notIn([Operand])
  /// `$lt`, `$lte`, `$gt`, `$gte`: the comparison with the operand holds for the value, or for an
  /// element of it.
  case compares(Comparison, Operand)
  /// `$exists`: whether the field has a value.
  case exists(Bool)
  /// `$type`: the kind of the value itself.
  case type(ValueType)
  /// `$all`: the value is an array that has each of these among its elements.
  case hasAll([JSONValue])
  /// `$size`: the value is an array with this number of elements.
  case size(Int64)
  /// `$elemMatch`: the value is an array with an element that satisfies all of these.
  case element(ElementCondition)
  /// `$mod`: the value, or an element of it, is an integer with this remainder.
  case remainder(divisor: Int64, Int64)
  /// `$regex`: the value, or an element of it, is a string with a match somewhere.
  case matches(RegularExpression)
  /// `$nearSphere` and `$maxDistance`: the value, or an element of it, is a place within a distance
  /// in metres of another one; nil for any distance.
  case near(GeographicPoint, within: Double?)
  /// `$within`: the value, or an element of it, is a place inside a shape.
  case within(GeographicShape)
  /// `$not`: at least one of these does not hold.
  case not([Condition])
}

/// A condition for one element of an array.
public enum ElementCondition: Hashable, Sendable {
  /// All of these hold for the element as a value.
  case conditions([Condition])
  /// The element is an object that the selector matches.
  case selector(FindSelector)
}

/// The operand of a comparison.
public enum Operand: Hashable, Sendable {
  /// A JSON value.
  case value(JSONValue)
  /// `{"$decimal": "12.50"}`: the text of a decimal number; strings are compared as decimal
  /// numbers.
  case decimal(JSONString)
}

/// The four order comparisons.
public enum Comparison: String, CaseIterable, Sendable {
  /// Before the operand.
  case less = "$lt"
  /// Before the operand, or equal to it.
  case lessOrEqual = "$lte"
  /// After the operand.
  case greater = "$gt"
  /// After the operand, or equal to it.
  case greaterOrEqual = "$gte"
}

/// The kinds of JSON values.
public enum ValueType: String, CaseIterable, Sendable {
  /// The kinds, with the names that `$type` takes.
  case null, boolean, number, string, array, object
}

/// A search for words, each of which must occur in the strings at one of the paths.
public struct TextSearch: Hashable, Sendable {
  /// The text that contains the words.
  public var search: JSONString
  /// The paths to search, at least one.
  public var fields: [FieldPath]

  /// Creates a search for all words of a text.
  public init(_ search: JSONString, in fields: [FieldPath]) {
    self.search = search
    self.fields = fields
  }
}
