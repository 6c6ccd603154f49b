import ObjectOperations

@testable import Conformance

extension Corpus {
  /// The released corpus; it has operations of all families, which a test that runs alone must register.
  static func withFamilies() throws -> Corpus {
    ObjectOperationFamilies.register()
    return try released()
  }
}
