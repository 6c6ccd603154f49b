import JSON
import ModelFiles
import ObjectMapping
import Testing

/// The attributes of a model file.
@Suite struct AttributeReadingTests {
  @Test(
    arguments: [
      ("Integer 16", .int16), ("Integer 32", .int32), ("Integer 64", .int64),
      ("Decimal", .decimal), ("Double", .double), ("Float", .float), ("String", .utf8),
      ("Boolean", .bool), ("Date", .date1970), ("Binary", .binary), ("Transformable", .xform),
      ("UUID", .utf8), ("URI", .utf8), ("ObjectID", .id),
    ] as [(String, AttributeType)])
  func aTypeIsRead(_ name: String, _ type: AttributeType) throws {
    let attribute = try Fixtures.attribute("attributeType=\"\(name)\"")
    #expect(attribute == AttributeDescription("a", type))
  }

  @Test func flagsAreRead() throws {
    let file = try Fixtures.read(
      """
      <entity name="E">
        <attribute name="a" attributeType="String"/>
        <attribute name="b" attributeType="String" optional="NO" transient="YES"/>
        <attribute name="c" attributeType="Transformable" valueTransformerName="Coder"/>
        <attribute name="d" attributeType="Binary" optional="YES" elementID="old"
          allowsExternalBinaryDataStorage="YES"/>
      </entity>
      """)
    #expect(
      file.model["E"]?.attributes == [
        AttributeDescription("a", .utf8, isOptional: false),
        AttributeDescription("b", .utf8, isOptional: false, isTransient: true),
        AttributeDescription("c", .xform, isOptional: false, transformer: "Coder"),
        AttributeDescription("d", .binary, renamedFrom: "old"),
      ])
    #expect(file.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ("String", "", .text("")), ("String", "a &amp; b", .text("a & b")),
      ("Boolean", "YES", .bool(true)),
      ("Boolean", "NO", .bool(false)), ("Integer 16", "-32768", .integer(-32768)),
      ("Integer 32", "0.0", .integer(0)), ("Integer 64", "9223372036854775807", .integer(.max)),
      ("Integer 64", "", nil), ("Double", "0.1", .double(0.1)), ("Float", "1.5", .float(1.5)),
      ("Decimal", "12.50", .decimal(DecimalNumber(mantissa: 125, exponent: -1)!)),
      ("UUID", "x", .text("x")),
    ] as [(String, String, AttributeValue?)])
  func aDefaultIsRead(_ type: String, _ text: String, _ value: AttributeValue?) throws {
    let attribute = try Fixtures.attribute(
      "attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(attribute?.defaultValue == value)
  }

  /// The file counts from 2001-01-01, documents from 1970-01-01.
  @Test func datesAreConverted() throws {
    let attribute = try Fixtures.attribute(
      """
      attributeType="Date" defaultDateTimeInterval="0.5" minDateTimeInterval="-978307200" \
      maxDateTimeInterval="1" minValueString="12/31/1969" maxValueString="1/1/2001"
      """)
    #expect(attribute?.defaultValue == .date(978_307_200.5))
    #expect(
      attribute?.validation
        == AttributeValidation(minimum: .date(0), maximum: .date(978_307_201)))
  }

  @Test func rulesAreRead() throws {
    let text = try Fixtures.attribute(
      """
      attributeType="String" minValueString="3" maxValueString="10" \
      regularExpressionString="[a-z]+"
      """)
    #expect(
      text?.validation
        == AttributeValidation(minimumLength: 3, maximumLength: 10, pattern: "[a-z]+"))
    let number = try Fixtures.attribute(
      "attributeType=\"Integer 16\" minValueString=\"0\" maxValueString=\"10\"")
    #expect(
      number?.validation == AttributeValidation(minimum: .integer(0), maximum: .integer(10)))
  }

  @Test(
    arguments: [
      (#"attributeType="Colour""#, "the attribute E.a has the type 'Colour'"),
      (#"attributeType="Undefined""#, "the attribute E.a has no type"),
      ("", "the attribute E.a has no type"),
      (#"attributeType="Composite""#, "the attribute E.a is a composite"),
      (
        #"attributeType="Date" defaultDateTimeInterval="today""#,
        "the date 'today' of E.a is not a number"
      ),
      (#"attributeType="String" optional="MAYBE""#, "'optional' is 'MAYBE'"),
    ])
  func aWrongAttributeIsRefusedWithItsLine(_ members: String, _ what: String) {
    let error = Fixtures.error(
      "<entity name=\"E\">\n\n<attribute name=\"a\" \(members)/></entity>")
    #expect(error?.what == what)
    #expect(error?.line == 5)
    #expect(error?.expected != nil)
  }

  /// A transient attribute may have no type.
  @Test func anUntypedTransientAttributeIsLeftOut() throws {
    let file = try Fixtures.read(
      """
      <entity name="E">
      <attribute name="a" transient="YES"/><attribute name="b" attributeType="String"/>
      </entity>
      """)
    #expect(file.model["E"]?.attributes.map(\.name) == ["b"])
    #expect(file.warnings.map(\.reason) == [.untypedTransient])
    #expect(file.warnings.first?.line == 4)
  }
}
