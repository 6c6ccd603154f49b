internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ObjectDefects

extension ImplementationEntry {
  private static let mistakePrefix = "mistake:"

  /// The model with a known mistake, for a name such as `mistake:generations-as-text`.
  ///
  /// Nil when the name is of another form, or no mistake is called so.
  static func mistaken(_ name: String) -> ImplementationEntry? {
    guard name.utf8.starts(with: mistakePrefix.utf8) else { return nil }
    guard let defect = Defect.all.first(where: { mistakePrefix + $0.name == name }),
      let model = bundled.first(where: { $0.name == "reference" })
    else { return nil }
    return ImplementationEntry(
      name: name, keepsFiles: false, followsModel: false, runsBesideItself: true
    ) { choice throws(HarnessError) in defect.applied(to: try model.make(choice))
    }
  }

  /// The retired mutant of a name such as `mistake:sorted-by-seconds`.
  static func retired(_ name: String) -> RetiredMutant? {
    guard name.utf8.starts(with: mistakePrefix.utf8),
      let folder = try? VectorsLocation.find().folder, let list = try? MistakeList.read(folder)
    else { return nil }
    return list.retired.first { mistakePrefix + $0.name.string == name }
  }

  /// What the name of a mistake may have been meant to be.
  static func mistakeNames(for name: String) -> [String] {
    name.utf8.starts(with: mistakePrefix.utf8) ? Defect.all.map { mistakePrefix + $0.name } : []
  }
}
