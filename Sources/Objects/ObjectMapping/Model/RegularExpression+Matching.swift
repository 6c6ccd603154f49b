public import Datastore
public import JSON
internal import Selectors

extension RegularExpression {
  /// Whether the complete text matches, scalar by scalar.
  ///
  /// Throws `tooLarge` with `workMax` if parts × bytes exceed it, as `find` does.
  public func matchesWhole(_ text: JSONString) throws(DatastoreError) -> Bool {
    guard work(on: text) <= Self.workMax else {
      throw DatastoreError(
        .tooLarge(limit: Self.workMax),
        "a text of \(text.utf8.count) bytes is too long for the pattern: parts × bytes exceed "
          + "\(Self.workMax)")
    }
    return ExpressionMatching(self).matchesWhole(text)
  }
}
