internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ObjectDefects

extension ImplementationEntry {
  private static let mutantPrefix = "mutant:"
  /// The prefix of version 0.1.
  private static let earlierPrefix = "mistake:"

  /// The name of a mutant that `mutant:NAME` or, as version 0.1 has it, `mistake:NAME` stands for;
  /// nil for a name of another form.
  private static func mutantName(_ name: String) -> String? {
    for prefix in [mutantPrefix, earlierPrefix] where name.utf8.starts(with: prefix.utf8) {
      return String(name.utf8.dropFirst(prefix.utf8.count))
    }
    return nil
  }

  /// Returns the mutant of the model for a name such as `mutant:generations-as-text`; nil for a name
  /// of another form and for an unknown mutant.
  static func mutant(_ name: String) -> ImplementationEntry? {
    guard let mutant = mutantName(name),
      let defect = Defect.all.first(where: { $0.name == mutant }),
      let model = bundled.first(where: { $0.name == "reference" })
    else { return nil }
    return ImplementationEntry(
      name: mutantPrefix + mutant, keepsFiles: false, followsModel: false, runsBesideItself: true
    ) { choice throws(HarnessError) in defect.applied(to: try model.make(choice))
    }
  }

  /// Returns the retired mutant of a name such as `mutant:sorted-by-seconds`.
  static func retired(_ name: String) -> RetiredMutant? {
    guard let mutant = mutantName(name),
      let folder = try? VectorsLocation.find().folder, let list = try? MutantList.read(folder)
    else { return nil }
    return list.retired.first { $0.name.string == mutant }
  }

  /// Returns the names to suggest for an unknown mutant.
  static func mutantNames(for name: String) -> [String] {
    mutantName(name) != nil ? Defect.all.map { mutantPrefix + $0.name } : []
  }
}
