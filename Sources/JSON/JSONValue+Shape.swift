extension JSONValue {
  /// How deeply arrays and objects are nested: 0 for a scalar, 1 for `{}`.
  public var depth: Int {
    var depthMax = 0
    visit { _, depth in depthMax = max(depthMax, depth) }
    return depthMax
  }

  /// Whether an infinity or a NaN is in this value; JSON has no spelling for either.
  public var hasNonFiniteNumber: Bool {
    var found = false
    visit { value, _ in
      if case .double(let number) = value, !number.isFinite { found = true }
    }
    return found
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
