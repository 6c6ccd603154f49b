/// The maximum length and nesting depth that the parser accepts.
public struct JSONLimits: Hashable, Sendable {
  /// The maximum of `depthMax`; Swift frees nested values recursively, which limits the depth.
  public static let depthCeiling = 2048

  /// The maximum nesting depth of arrays and objects; a scalar has depth 0.
  public let depthMax: Int

  /// The maximum length of a text in bytes.
  public let bytesMax: Int

  /// Limits; a depth above `depthCeiling` is reduced to `depthCeiling`.
  public init(depthMax: Int = 512, bytesMax: Int = 256 << 20) {
    self.depthMax = min(depthMax, JSONLimits.depthCeiling)
    self.bytesMax = bytesMax
  }

  /// Depth 512 and 256 MiB: more than any store of the CouchDB family accepts for one document.
  public static let standard = JSONLimits()
}
