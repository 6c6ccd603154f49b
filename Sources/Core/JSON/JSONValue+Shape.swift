extension JSONValue {
  /// The nesting depth of arrays and objects: 0 for a scalar, 1 for `{}`.
  public var depth: Int {
    var depthMax = 0
    visit { _, depth in depthMax = max(depthMax, depth) }
    return depthMax
  }

  private var isNonFinite: Bool {
    if case .double(let number) = self { !number.isFinite } else { false }
  }

  /// The properties of a value that a store checks before a write, computed in one pass.
  public struct Shape: Sendable {
    /// The nesting depth; 0 for a scalar.
    public fileprivate(set) var depth = 0
    /// Whether the value contains an infinity or a NaN.
    public fileprivate(set) var hasNonFiniteNumber = false
    /// An upper bound of the length of `serialized()` in bytes, at most about six times too large.
    /// It suffices to accept most values without serializing them.
    public fileprivate(set) var bytesAtMost = 0
  }

  /// The depth, the numbers and the bound of the length.
  public var shape: Shape {
    var shape = Shape()
    visit { value, depth in
      shape.depth = max(shape.depth, depth)
      // Includes the comma that follows, and the longest encodings: \u0000 for a byte, and
      // -2.2250738585072014e-308 for a double.
      switch value {
      case .string(let text): shape.bytesAtMost += 6 * text.utf8.count + 3
      case .array: shape.bytesAtMost += 3
      case .object(let object):
        shape.bytesAtMost += 3
        for member in object.members { shape.bytesAtMost += 6 * member.name.utf8.count + 3 }
      default:
        shape.bytesAtMost += 25
        if value.isNonFinite { shape.hasNonFiniteNumber = true }
      }
    }
    return shape
  }

  /// Calls `body` with each value in this value, including itself, and with its depth.
  ///
  /// The order is unspecified. The pending values are in an array and not on the call stack, so
  /// that the depth of arbitrarily deep values can be checked.
  private func visit(_ body: (JSONValue, _ depth: Int) -> Void) {
    var waiting = [(value: self, depthAbove: 0)]
    while let (value, depthAbove) = waiting.popLast() {
      switch value {
      case .array(let elements):
        body(value, depthAbove + 1)
        waiting.append(contentsOf: elements.lazy.map { ($0, depthAbove + 1) })
      case .object(let object):
        body(value, depthAbove + 1)
        waiting.append(contentsOf: object.members.lazy.map { ($0.value, depthAbove + 1) })
      default: body(value, depthAbove)
      }
    }
  }
}
