package import Datastore

/// Shrinks a case by leaving out parts of a list: halves first, then smaller parts, until no single
/// element can be left out.
///
/// - Parameters:
///   - elements: the list of a case.
///   - attempt: runs the case with the rest of the list; nil if the finding is not reproduced.
package func shrunk<Case, Element>(
  _ original: Case, leavingOut elements: (Case) -> [Element],
  _ attempt: ([Element]) throws(HarnessError) -> Case?
) throws(HarnessError) -> Case {
  var best = original
  var length = max(1, elements(best).count / 2)
  while true {
    var start = 0
    var isSmaller = false
    while start < elements(best).count {
      var rest = elements(best)
      rest.removeSubrange(start..<min(start + length, rest.count))
      if let smaller = try attempt(rest) {
        best = smaller
        isSmaller = true
      } else {
        start += length
      }
    }
    if length == 1, !isSmaller { return best }
    length = max(1, length / 2)
  }
}
