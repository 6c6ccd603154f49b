package import JSON

/// The shape of a JSON value in an operation or in its result.
///
/// It determines the JSON Schemas, the places where a vector may refer to a bound name, and the
/// reading of expectations.
package indirect enum ValueShape: Sendable {
  /// A string, an integer or a boolean, with the keywords of JSON Schema that restrict it.
  case scalar(Scalar, JSONObject)
  case null
  /// A document id or a revision id. In an operation of a vector, a reference may replace it.
  case name
  /// A sequence. In an operation of a vector, a reference may replace it.
  case sequence
  /// A value that is compared as a whole; nil for any value. It contains no references.
  case data(ValueShape?)
  /// An object with any members.
  case object
  /// A list with any elements.
  case array
  /// An object with these members and no others.
  case members([Member])
  /// An object with any names and with values of one shape, with exactly one member if `isSingle`.
  case map(of: ValueShape, isSingle: Bool = false)
  case list(of: ValueShape, Order = .inOrder)
  /// A list of fixed length.
  case tuple([ValueShape])
  /// One of several shapes.
  case alternatives([ValueShape])
  /// A shape of the table, by its name.
  case definition(JSONString)

  package enum Scalar: String, Sendable {
    case text = "string"
    case integer
    case number
    case bool = "boolean"
  }

  /// The order of the elements of a list that the contract guarantees.
  package enum Order: Sendable {
    case inOrder
    /// The first element is the winner. The others have no order.
    case winnerFirst
    case open
    /// In order under the profile `dense-changes`, otherwise in any order.
    case inOrderIfDense
    /// One result for each element of an argument: of a batch, or of the steps of a closure.
    case results
  }

  /// A member of an object, or an argument of an operation.
  package struct Member: Sendable {
    package var name: JSONString
    package var shape: ValueShape
    package var presence = Presence.required
    /// The shape in the notation of the table.
    package var notation = ""
    /// The capability that an operation needs if the member is present.
    package var capability: Capability?
    /// The member that is always present together with this one.
    package var companion: JSONString?
    /// The member of an expectation that contains a pattern for this one.
    package var pattern: JSONString?

    package init(_ name: JSONString, _ shape: ValueShape) {
      (self.name, self.shape) = (name, shape)
    }
  }

  package enum Presence: Hashable, Sendable {
    case required
    case optional
    /// Exactly one member of the object has this presence.
    case choice
  }
}
