extension JSONValue: CustomStringConvertible {
  /// The value as JSON, as `serialized()` writes it.
  public var description: String { serialized() }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON, its members in their order.
  public var description: String { JSONValue.object(self).serialized() }
}
