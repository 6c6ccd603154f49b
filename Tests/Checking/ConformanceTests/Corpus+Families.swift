import ObjectOperations

@testable import Conformance

extension Corpus {
  /// Returns the released corpus, and first registers the operation families that it uses.
  static func withFamilies() throws -> Corpus {
    ObjectOperationFamilies.register()
    return try released()
  }
}
