public import Defects
internal import ObjectOperations

extension Defect {
  /// All mutants, in the order of their names.
  public static let all: [Defect] = {
    ObjectOperationFamilies.register()
    return
      (ofDocuments + objects + storedForms + contexts + stacks + collections + predicates + fetches)
      .sorted { $0.name.isBelow($1.name) }
  }()
}
