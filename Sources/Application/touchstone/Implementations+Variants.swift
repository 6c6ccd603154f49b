internal import Collections
internal import Conformance
internal import Datastore
internal import ObjectContexts
internal import ObjectOperations
internal import Variants

extension ImplementationEntry {
  static let variantPrefix = "variant:"

  /// Returns the correct store that a name such as `variant:sequences-arrays` stands for; nil for a
  /// name of another form.
  static func variant(_ name: String, _ manual: Manual) throws(UsageError) -> ImplementationEntry? {
    guard name.hasPrefix(variantPrefix) else { return nil }
    let all = LegitimateVariant.all
    guard let variant = all.first(where: { variantPrefix + $0.name == name }) else {
      throw UsageError(
        "unknown variant in '\(name)'; expected one of "
          + all.map(\.name).joined(separator: ", "), manual,
        suggestion: nearest(to: name, among: all.map { variantPrefix + $0.name }))
    }
    return ImplementationEntry(
      name: name, keepsFiles: false, followsModel: false, runsBesideItself: true
    ) { _ in CollectionDatastore(ContextDatastore(variant.make())) }
  }
}
