internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ObjectDefects
internal import RacingStores

extension ImplementationEntry {
  static let mutantPrefix = "mutant:"
  /// The prefix of version 0.1.
  private static let earlierPrefix = "mistake:"

  /// The name of a mutant that `mutant:NAME` or, as version 0.1 has it, `mistake:NAME` stands for;
  /// nil for a name of another form.
  static func mutantName(_ name: String) -> String? {
    for prefix in [mutantPrefix, earlierPrefix] where name.utf8.starts(with: prefix.utf8) {
      return String(name.utf8.dropFirst(prefix.utf8.count))
    }
    return nil
  }

  /// Returns the mutant of the model for a name such as `mutant:generations-as-text`, or of the other
  /// bundled store for `mutant:generations-as-text@sqlite`; nil for a name of another form and for an
  /// unknown mutant.
  static func mutant(_ name: String) -> ImplementationEntry? {
    if let name = mutantName(name), let defect = RaceDefect(rawValue: name) {
      return ImplementationEntry(
        name: mutantPrefix + name, keepsFiles: false, followsModel: false, runsBesideItself: true
      ) { _ in RacingStore(defect).connection(1) }.with(connections: racing(defect))
    }
    guard let words = mutantName(name)?.split(separator: "@", omittingEmptySubsequences: false),
      words.count <= 2,
      let defect = Defect.all.first(where: { $0.name == words[0] }),
      let base = bundled.first(where: { $0.name == (words.count == 2 ? words[1] : "reference") })
    else { return nil }
    return ImplementationEntry(
      name: mutantPrefix + words.joined(separator: "@"), keepsFiles: false, followsModel: false,
      runsBesideItself: true
    ) { choice throws(HarnessError) in defect.applied(to: try base.make(choice))
    }
  }

  /// The error for a name of a mutant that is not a mutant of the model; nil for a name of another
  /// form.
  static func mutantError(_ name: String, _ manual: Manual) -> UsageError? {
    guard let mutant = mutantName(name) else { return nil }
    let folder = try? VectorsLocation.find().folder
    let list = folder.flatMap { try? MutantList.read($0) }
    if let retired = list?.retired.first(where: { $0.name.string == mutant }) {
      return UsageError("the mutant '\(mutant)' is retired: \(retired.reason)", manual)
    }
    if let source = list?.mutants.first(where: { $0.name.string == mutant }), source.kind == .source
    {
      return UsageError(
        "the mutant '\(mutant)' is a patch of the sources of \(source.implementation), so this "
          + "program does not contain it; run it in a checkout with tools/mutants/build.py and "
          + "'touchstone defects --filter \(mutant)'", manual)
    }
    return UsageError(
      "unknown mutant '\(mutant)'", manual,
      suggestions: nearestIDs(
        to: mutant, among: Defect.all.map(\.name) + RaceDefect.allCases.map(\.rawValue)
      ).map { mutantPrefix + $0 })
  }
}
