internal import Collections
internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import ObjectContexts
internal import ReferenceDatastore

extension Manual.Option {
  static let product = Manual.Option(
    name: "--product", value: "NAME|FILE",
    help:
      "Declare a product, such as couchdb-3.5: failures that its declared deviations explain "
      + "exactly do not fail the run.")
}

extension ProductFile {
  /// The product of `--product`; nil if the option was not given.
  static func given(_ arguments: Arguments, _ manual: Manual) throws(UsageError) -> ProductFile? {
    guard let name = arguments.value("--product") else { return nil }
    return try named(name, manual)
  }

  /// The product in a file, or one of the corpus by its name.
  static func named(_ name: String, _ manual: Manual) throws(UsageError) -> ProductFile {
    let isPath = name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(UInt8(ascii: "."))
    let known = knownNames
    let isKnown = known.contains { $0.utf8.elementsEqual(name.utf8) }
    guard isKnown || isPath && Files.exists(name) else {
      throw UsageError(
        "no product '\(name)'; expected a file or one of \(known.joined(separator: ", "))", manual,
        suggestions: nearestIDs(to: name, among: known))
    }
    do throws(CorpusError) {
      return try read(isKnown ? "\(folder ?? "")/\(name).json" : name)
    } catch {
      let list = error.problems.map(\.description).joined(separator: "; ")
      throw UsageError("the product file is invalid: \(list)", manual)
    }
  }

  /// The folder of the product files of the corpus; nil without a corpus.
  private static var folder: String? {
    (try? VectorsLocation.find().folder).map { "\($0)/products" }
  }

  /// The names of the product files of the corpus.
  static var knownNames: [String] {
    guard let folder, let names = try? Files.names(inFolder: folder) else { return [] }
    let ending = ".json".utf8
    return names.filter { $0.utf8.reversed().starts(with: ending.reversed()) }
      .map { String(decoding: $0.utf8.dropLast(ending.count), as: UTF8.self) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension ImplementationEntry {
  private static let productPrefix = "product:"
  private static let deviationPrefix = "deviation:"

  /// The beginnings of the names of models that behave as products.
  static let modelPrefixes = [productPrefix, deviationPrefix]

  /// The beginnings of the names of all changed models.
  static let changedModelPrefixes = modelPrefixes + [mutantPrefix, variantPrefix]

  /// Returns the model as a product for `product:NAME`, or with single deviations for
  /// `deviation:ID,ID`; nil for a name of another form.
  static func deviating(_ name: String, _ manual: Manual) throws(UsageError) -> ImplementationEntry?
  {
    if name.utf8.starts(with: productPrefix.utf8) {
      let product = try ProductFile.named(
        String(decoding: name.utf8.dropFirst(productPrefix.utf8.count), as: UTF8.self), manual)
      return ImplementationEntry(
        name: name, keepsFiles: false, followsModel: false, runsBesideItself: true
      ) { _ in product.makeModel() }
    }
    guard name.utf8.starts(with: deviationPrefix.utf8) else { return nil }
    let ids = name.utf8.dropFirst(deviationPrefix.utf8.count).split(separator: UInt8(ascii: ","))
      .map { String(decoding: Array($0), as: UTF8.self) }
    for id in ids where Deviation.named(id) == nil {
      throw UsageError(
        "unknown deviation '\(id)'", manual,
        suggestions: nearestIDs(to: id, among: Deviation.all.map(\.id)).map {
          deviationPrefix + $0
        })
    }
    guard !ids.isEmpty else {
      throw UsageError("'\(name)' names no deviation; expected deviation:ID", manual)
    }
    let deviations = Deviation.named(ids)
    return ImplementationEntry(
      name: name, keepsFiles: false, followsModel: false, runsBesideItself: true
    ) { _ in DeviatingDatastore(deviations) }
  }
}
