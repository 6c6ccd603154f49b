internal import JSON
internal import Scenarios

/// The differences between the expected and the actual outcome, grouped by the value that contains
/// them.
///
/// Equal parts are not shown; one line per value counts them.
struct MismatchDiff {
  enum Line: Hashable {
    /// The value that contains the following lines.
    case place(String)
    /// An expected part, with its name.
    case expected(label: String, text: String)
    /// An actual part, with its name.
    case actual(label: String, text: String)
    /// A note about the parts left out.
    case elided(String)
  }

  let lines: [Line]

  init(_ mismatches: [Mismatch], in outcome: JSONValue) {
    var lines: [Line] = []
    var groups: [(parent: ValuePath, mismatches: [Mismatch])] = []
    for mismatch in mismatches {
      let parent = mismatch.path.parent
      if let place = groups.firstIndex(where: { $0.parent == parent }) {
        groups[place].mismatches.append(mismatch)
      } else {
        groups.append((parent, [mismatch]))
      }
    }
    for group in groups {
      if !group.parent.components.isEmpty { lines.append(.place(group.parent.description)) }
      for mismatch in group.mismatches {
        let remark = mismatch.remark.isEmpty ? "" : "  (\(mismatch.remark))"
        var expected = mismatch.expected.map { $0.serialized() + remark }
        var actual = mismatch.actual.map { $0.serialized() }
        if let left = expected, let right = actual {
          (expected, actual) = Self.withoutCommonStart(left, right)
        }
        if let expected { lines.append(.expected(label: mismatch.label, text: expected)) }
        if let actual { lines.append(.actual(label: mismatch.label, text: actual)) }
      }
      if let elided = Self.elided(group.parent, group.mismatches, outcome: outcome) {
        lines.append(.elided(elided))
      }
    }
    self.lines = lines
  }

  /// Returns two long texts from shortly before their first difference on, or unchanged.
  private static func withoutCommonStart(_ left: String, _ right: String) -> (String, String) {
    let (lefts, rights) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    let common = zip(lefts, rights).prefix { $0 == $1 }.count
    let kept = 16
    guard common > 2 * kept, max(lefts.count, rights.count) > 4 * kept else { return (left, right) }
    func end(_ scalars: [Unicode.Scalar]) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars.dropFirst(common - kept))
      return "… \(String(text))"
    }
    return (end(lefts), end(rights))
  }

  /// The number of members that are as expected or not compared.
  private static func elided(
    _ parent: ValuePath, _ mismatches: [Mismatch], outcome: JSONValue
  ) -> String? {
    // At the root the whole outcome is shown.
    guard mismatches.allSatisfy({ !$0.path.components.isEmpty }) else { return nil }
    let shown = Set(mismatches.filter { $0.actual != nil }.map(\.path)).count
    let (count, noun): (Int, String)
    switch parent.value(in: outcome) {
    case .object(let object): (count, noun) = (object.count - shown, "member")
    case .array(let elements): (count, noun) = (elements.count - shown, "element")
    default: return nil
    }
    return count > 0 ? TextLayout.counted(count, "more \(noun)") : nil
  }
}

extension Mismatch {
  /// The name of the differing part in the value that contains it.
  fileprivate var label: String {
    switch path.components.last {
    case .member(let name): "\(JSONValue.string(name).serialized()): "
    case .element(let index): "[\(index)]: "
    case .someElement: "[*]: "
    case nil: ""
    }
  }
}
