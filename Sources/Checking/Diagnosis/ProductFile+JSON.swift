package import Conformance
internal import Datastore
public import JSON
public import ReferenceDatastore

extension ProductFile {
  private static let format: JSONString = "touchstone-product"

  /// The product as its file contains it.
  public var json: JSONValue {
    [
      "format": .string(Self.format), "version": 1, "store": .object(store.declarations),
      "about": .string(about),
      "deviations": .array(
        deviations.map { deviation in
          var entry: JSONObject = ["id": .text(deviation.id)]
          entry["evidence"] = deviation.evidence(about: store.name).map { .text($0.rawValue) }
          return .object(entry)
        }),
    ]
  }

  /// Reads a product.
  ///
  /// A file can only name deviations of this program, so it cannot hide any other failure.
  public init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat(Self.format, version: 1)
    guard var declarations = try reader.optionalReader("store") else {
      throw DecodingFailure(path: "store", message: "expected an object, found nothing")
    }
    let store = try ImplementationDescription(declaredIn: &declarations)
    try declarations.finish()
    if let fault = store.defaultFaults.first {
      throw DecodingFailure(path: "store.defaults", message: fault)
    }
    let about = try reader.text("about")
    let named = try reader.elements("deviations") { (element, path) throws(DecodingFailure) in
      try Self.deviation(element, path: path)
    }
    try reader.finish()
    var seen: Set<String> = []
    for (place, deviation) in named.enumerated() where !seen.insert(deviation.id).inserted {
      throw DecodingFailure(
        path: "deviations[\(place)].id", message: "'\(deviation.id)' is declared twice")
    }
    self.init(store: store, about: about, deviations: named)
  }

  private static func deviation(
    _ json: JSONValue, path: String
  ) throws(DecodingFailure) -> Deviation {
    var reader = try ObjectReader(json, path: path)
    let id = try reader.text("id")
    // Text for readers; the catalogue has the evidence.
    _ = try reader.optionalChoice("evidence") as Deviation.Evidence?
    try reader.finish()
    if let deviation = Deviation.named(id.string) { return deviation }
    throw DecodingFailure(
      path: reader.path(to: "id"),
      message: "unknown deviation '\(id)'; 'touchstone explain deviations' lists all")
  }

  /// Reads a product; throws its problems.
  package static func read(_ path: String) throws(CorpusError) -> ProductFile {
    try CorpusFile.read(path: path, named: path) { (json) throws(DecodingFailure) in
      try ProductFile(json)
    }
  }
}

extension Deviation {
  /// The evidence for a product; nil if the product is not known for the deviation.
  public func evidence(about product: String) -> Evidence? {
    products.first { $0.product.utf8.elementsEqual(product.utf8) }?.evidence
  }
}
