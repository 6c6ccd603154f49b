public import Datastore
public import JSON
internal import Selectors

extension RegularExpression {
  /// Whether the whole text matches, scalar by scalar.
  public func matchesWhole(_ text: Text) -> Bool { ExpressionMatching(self).matchesWhole(text) }
}
