internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import ReferenceDatastore

extension RunCommand {
  /// Reports vectors that the store passes although a store with all declared deviations fails them:
  /// then the store does not always have its deviations.
  func reportIntermittentDeviations(_ report: RunReport, _ context: Context) {
    guard let product,
      report.results.contains(where: { $0.knownFailure?.deviations.isEmpty == false })
    else { return }
    // The outcomes of a deviation that depends on unknown state may be those of the rules.
    let always = ProductFile(
      store: report.implementation, about: "",
      deviations: product.deviations.filter { !$0.isConditional })
    let passed = report.results.filter { $0.verdict.isPass }.map(\.vector)
    let different = Runner(always.makeModel()).failures(among: passed)
    guard !different.isEmpty else { return }
    let names = different.prefix(3).map { TextLayout.printable($0.id.description) }
    let more = different.count > 3 ? " and \(different.count - 3) more" : ""
    context.error(
      "note: the store passes \(TextLayout.counted(different.count, "vector")) that a store with all "
        + "declared deviations fails (\(names.joined(separator: ", "))\(more)); the store does "
        + "not have all of them, or not always\n")
  }
}
