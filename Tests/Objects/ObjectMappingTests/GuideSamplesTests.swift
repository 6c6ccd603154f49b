import Datastore
import JSON
import ObjectMapping
import ReferenceDatastore
import Testing

/// The code samples of CDTIncrementalStore's guide, in Swift.
struct GuideSamplesTests {
  static func host() -> ObjectHost { ObjectHost(ReferenceDatastore(), RunEnvironment(seed: 1)) }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel([
      EntityDescription(
        "Recipe",
        attributes: [AttributeDescription("photo", .xform, transformer: "GrayImageToPNG")])
    ])
  }

  /// "Getting started": repeated `initialize`, and `addPersistentStoreWithType`.
  ///
  /// CDTIS-001, CDTIS-002, CDTIS-003, CDTIS-004.
  @Test func gettingStarted() throws {
    var types = StoreTypeRegistry()
    types.registerIncrementalStore()
    types.registerIncrementalStore()

    let databaseURI: JSONString = "https://example.org/recipes"
    let psc = StoreCoordinator(try Self.model(), types: types, host: Self.host())
    let store = try psc.addStore(
      type: IncrementalStore.type, configuration: nil, url: databaseURI, options: nil)
    #expect(store.url == databaseURI)
    #expect(store.type == "CDTIncrementalStore")
  }

  /// "Accessing Your Data Store Object": the only one, or one of several by its URL.
  ///
  /// CDTIS-008, CDTIS-009.
  @Test func accessingTheStore() throws {
    let psc = StoreCoordinator(
      try Self.model(), types: StoreTypeRegistry(registersAutomatically: true), host: Self.host())
    #expect(IncrementalStore.stores(of: psc).first == nil)
    _ = try psc.addStore(type: IncrementalStore.type, url: "file:///a")
    let myIS = try #require(IncrementalStore.stores(of: psc).first)
    #expect(myIS.name == "a")

    _ = try psc.addStore(type: IncrementalStore.type, url: "file:///b")
    let storeURL: JSONString = "file:///b"
    var found: IncrementalStore?
    for store in IncrementalStore.stores(of: psc) where store.url == storeURL { found = store }
    #expect(found?.name == "b")
    #expect(found === IncrementalStore.store(of: psc, at: storeURL))
  }

  /// "Getting started": the remotes of pushes, pulls and syncs.
  ///
  /// CDTIS-006, CDTIS-007.
  @Test func remotes() throws {
    let psc = StoreCoordinator(
      try Self.model(), types: StoreTypeRegistry(registersAutomatically: true), host: Self.host())
    _ = try psc.addStore(type: IncrementalStore.type, url: "file:///a")
    let store = try #require(IncrementalStore.stores(of: psc).first)
    do throws(StoreError) {
      _ = try store.target()
      Issue.record("expected the error noRemote")
    } catch {
      #expect(error.reason == .noRemote)
    }
    #expect(try store.target("https://example.org/a") == "https://example.org/a")
    // Local operations still work.
    try store.save(SaveRequest(inserted: [ManagedObject("r", of: "Recipe")]))
    store.remote = "https://example.org/later"
    #expect(try store.target() == "https://example.org/later")
  }

  /// "Transformable Data": a class that converts an image to a PNG, and declares the MIME type.
  ///
  /// CDTIS-059.
  @Test func transformableData() throws {
    var transformers = TransformerRegistry()
    transformers.register(GrayImageToPNG(), as: "GrayImageToPNG")
    let model = try Self.model()
    let mapping = DocumentMapping(model, transformers: transformers)
    let photo = try #require(model["Recipe"]?.attribute("photo"))
    let image = GrayImage(width: 2, height: 2, pixels: [0, 85, 170, 255])

    let bytes = try transformers.bytes(of: image, photo)
    let recipe = ManagedObject("r", of: "Recipe", ["photo": .attribute(.bytes(bytes))])
    let document = try mapping.encode(recipe)
    #expect(document.body["CDTISMeta_photo"] == ["mime-type": "image/png"])
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    let read = try mapping.decode(document, id: "r").object
    #expect(try mapping.value(of: "photo", in: read, document, as: GrayImage.self) == image)

    // Without the class the bytes are kept, and the error names the class.
    let plain = DocumentMapping(model)
    let kept = try plain.decode(document, id: "r").object
    #expect(kept == read)
    do throws(MappingError) {
      _ = try plain.value(of: "photo", in: kept, document, as: GrayImage.self)
      Issue.record("expected the error unknownTransformer")
    } catch {
      #expect(error.kind == .unknownTransformer && error.property == "GrayImageToPNG")
    }
  }
}

/// An image of gray pixels, row by row.
struct GrayImage: Hashable {
  var width: Int
  var height: Int
  var pixels: [UInt8]
}

/// A PNG with one uncompressed block, and its decoding.
struct GrayImageToPNG: AttributeTransformer {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var mimeType: JSONString? { "image/png" }

  func bytes(of image: GrayImage) -> [UInt8] {
    let rows = (0..<image.height).flatMap { row in
      [0] + image.pixels[row * image.width..<(row + 1) * image.width]
    }
    let length = UInt16(rows.count)
    var data: [UInt8] = [0x78, 0x01, 1] + Self.little(length) + Self.little(~length) + rows
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    data += Self.big(high << 16 | low)
    let header = Self.big(UInt32(image.width)) + Self.big(UInt32(image.height)) + [8, 0, 0, 0, 0]
    return Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", data)
      + Self.chunk("IEND", [])
  }

  struct NoImage: Error {}

  func value(of bytes: [UInt8]) throws -> GrayImage {
    guard bytes.starts(with: Self.signature), bytes.count > 48 else { throw NoImage() }
    let (width, height) = (Int(bytes[19]), Int(bytes[23]))
    let rows = bytes[48...]
    guard rows.count >= height * (width + 1) else { throw NoImage() }
    let pixels = (0..<height).flatMap { row in
      rows.dropFirst(row * (width + 1) + 1).prefix(width)
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    var remainder: UInt32 = .max
    for byte in content {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return big(UInt32(data.count)) + content + big(~remainder)
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func little(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
  }
}
