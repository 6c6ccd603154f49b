public import JSON

/// The values that earlier outcomes bound to names.
public struct Bindings: Hashable, Sendable {
  private var values: [JSONString: JSONValue] = [:]

  /// Creates bindings without names.
  public init() {}

  /// The value of a name; nil if it is not bound yet.
  public subscript(name: JSONString) -> JSONValue? {
    get { values[name] }
    set { values[name] = newValue }
  }
}
