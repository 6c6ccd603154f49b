internal import Datastore
internal import JSON
internal import ObjectMapping

/// Objects converted to documents and back; Jansson parses and prints the documents' texts.
final class MappingContest: Contest {
  private let mapping: DocumentMapping
  private let objects: [ManagedObject]
  private let texts: [[UInt8]]
  private let buffer = BodyText()

  /// A typical object: texts and numbers, a date, a decimal, a few bytes.
  private static let attributes: [(name: JSONString, type: AttributeType)] = [
    ("title", .utf8), ("subtitle", .utf8), ("note", .utf8), ("done", .bool), ("made", .date1970),
    ("rank", .int16), ("count", .int32), ("serial", .int64), ("latitude", .double),
    ("longitude", .double), ("rating", .float), ("price", .decimal), ("thumbnail", .binary),
    ("owner", .id),
  ]

  /// - Parameter count: the number of attributes, rounded to whole objects.
  init(count: Int) throws(BenchmarkError) {
    do throws(ModelError) {
      mapping = DocumentMapping(
        try ManagedObjectModel([
          EntityDescription(
            "Note",
            attributes: Self.attributes.map { AttributeDescription($0.name, $0.type) },
            relationships: [RelationshipDescription("folder", to: "Note")])
        ]))
    } catch {
      throw .disagreement("the model of the benchmark: \(error)")
    }
    objects = (0..<max(1, count / Self.attributes.count)).map { Self.object($0) }
    var texts: [[UInt8]] = []
    for object in objects {
      texts.append(
        Array(JSONValue.object(try Self.document(of: object, mapping).body).serialized().utf8))
    }
    self.texts = texts
  }

  private static func object(_ number: Int) -> ManagedObject {
    let environment = RunEnvironment(seed: UInt64(number))
    let values: [AttributeValue] = [
      .text(JSONString("Note \(number), written on the way")), .text("Somewhere else"),
      .text("A few words, as one has them."), .bool(number % 3 == 0),
      .date(1_700_000_000 + Double(number) / 8), .integer(Int64(number % 30_000)),
      .integer(Int64(number)), .integer(Int64(number) << 20),
      .double(Double(number % 90_000) / 1000), .double(Double(number % 17_000) / 1001),
      .float(Float(number % 10) / 2),
      .decimal(DecimalNumber(mantissa: UInt128(number), exponent: -2) ?? .nan),
      .bytes(environment.randomBytes(32)),
      .identifier(JSONString("x-coredata://store/Person/p\(number % 50)")),
    ]
    var properties: [JSONString: PropertyValue] = ["folder": .toOne(Documents.id(number % 100))]
    for (attribute, value) in zip(attributes, values) {
      properties[attribute.name] = .attribute(value)
    }
    let id = Documents.id(number)
    return ManagedObject(
      id, of: "Note", properties, identifier: JSONString("x-coredata://store/Note/p\(id)"))
  }

  private static func document(
    of object: ManagedObject, _ mapping: DocumentMapping
  ) throws(BenchmarkError) -> EntityDocument {
    do throws(MappingError) { return try mapping.encode(object) } catch {
      throw .disagreement("an object that cannot be encoded: \(error)")
    }
  }

  private func object(
    of document: EntityDocument, _ id: ObjectID
  ) throws(BenchmarkError) -> ManagedObject {
    do throws(MappingError) { return try mapping.decode(document, id: id).object } catch {
      throw .disagreement("a document that cannot be decoded: \(error)")
    }
  }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for object in objects {
      let document = try Self.document(of: object, mapping)
      let copy = try self.object(of: document, object.id)
      guard copy.properties.count == object.properties.count else {
        throw .disagreement("an object that differs after a round trip")
      }
      tally.add(marks: document.body.count)
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    for text in texts { tally.add(marks: try buffer.carry(text)) }
    return tally
  }

  var counts: (store: Int, floor: Int)? {
    let count = objects.count * Self.attributes.count
    return (count, count)
  }
}
