extension JSONValue {
  /// How deeply arrays and objects are nested: 0 for a scalar, 1 for `{}`.
  public var depth: Int {
    var depthMax = 0
    visit { _, depth in depthMax = max(depthMax, depth) }
    return depthMax
  }

  private var isNonFinite: Bool {
    if case .double(let number) = self { !number.isFinite } else { false }
  }

  /// What a store asks about a value before it keeps it, found in one pass.
  public struct Shape: Sendable {
    /// The depth of nesting; 0 is a scalar.
    public fileprivate(set) var depth = 0
    /// Whether an infinity or a NaN is in it.
    public fileprivate(set) var hasNonFiniteNumber = false
    /// No fewer than the bytes of `serialized()`, and at most some six times as many: enough to
    /// know of most values that they are not too long.
    public fileprivate(set) var bytesAtMost = 0
  }

  /// Depth, numbers and a bound of the length.
  public var shape: Shape {
    var shape = Shape()
    visit { value, depth in
      shape.depth = max(shape.depth, depth)
      // The comma that follows counts in, and the longest spellings: \u0000 of a byte, and
      // -2.2250738585072014e-308 of a double.
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

  /// Calls `body` with each value in this value, itself among them, and the depth down to it.
  ///
  /// The order is none to rely on. The values still to visit are kept in an array and not on the
  /// stack, so that a value of any depth can be asked whether it is too deep.
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
