public import JSON

/// The values that earlier answers gave to names.
public struct Bindings: Hashable, Sendable {
  private var values: [JSONString: JSONValue] = [:]

  public init() {}

  /// The value of a name, or nil when nothing bound it yet.
  public subscript(name: JSONString) -> JSONValue? {
    get { values[name] }
    set { values[name] = newValue }
  }
}
