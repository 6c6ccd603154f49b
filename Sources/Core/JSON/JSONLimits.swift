/// How much text, and how deeply nested, the parser accepts.
public struct JSONLimits: Hashable, Sendable {
  /// The deepest nesting that any limits can allow; Swift itself frees nested values recursively.
  public static let depthCeiling = 2048

  /// The deepest accepted nesting of arrays and objects; a scalar alone has depth 0.
  public let depthMax: Int

  /// The longest accepted text in bytes.
  public let bytesMax: Int

  /// Limits; a depth above `depthCeiling` counts as `depthCeiling`.
  public init(depthMax: Int = 512, bytesMax: Int = 256 << 20) {
    self.depthMax = min(depthMax, JSONLimits.depthCeiling)
    self.bytesMax = bytesMax
  }

  /// Depth 512 and 256 MiB: more than any store of the family accepts as one document.
  public static let standard = JSONLimits()
}
