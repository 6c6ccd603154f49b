public import Defects

extension Defect {
  /// All of them, in the order of their names.
  public static let all: [Defect] =
    (ofDocuments + objects + storedForms + contexts + stacks + collections + predicates + fetches)
    .sorted { $0.name.isBelow($1.name) }
}
