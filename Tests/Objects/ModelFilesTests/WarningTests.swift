import JSON
import ModelFiles
import ObjectMapping
import Testing

/// What a model file contains and Touchstone reads differently.
@Suite struct WarningTests {
  @Test(
    arguments: [
      (#"<attribute name="a" attributeType="UUID"/>"#, .storedAsText),
      (#"<attribute name="a" attributeType="URI"/>"#, .storedAsText),
      (
        #"<attribute name="a" attributeType="Date" derived="YES" derivationExpression="now()"/>"#,
        .derived
      ),
      (
        #"<attribute name="a" attributeType="Date" defaultValueString="12/5/2014"/>"#, .defaultValue
      ),
      (
        #"<attribute name="a" attributeType="Integer 32" defaultValueString="NO"/>"#, .defaultValue
      ),
      (
        #"<attribute name="a" attributeType="Integer 16" defaultValueString="32768"/>"#,
        .defaultValue
      ),
      (
        #"<attribute name="a" attributeType="Boolean" defaultValueString="maybe"/>"#,
        .defaultValue
      ),
      (
        #"<attribute name="a" attributeType="Double" defaultValueString="1e999"/>"#, .defaultValue
      ),
      (#"<attribute name="a" attributeType="Float" maxValueString="1e39"/>"#, .validation),
      (#"<attribute name="a" attributeType="Boolean" minValueString="0"/>"#, .validation),
      (#"<attribute name="a" attributeType="String" maxValueString="many"/>"#, .validation),
      (#"<attribute name="a" attributeType="Integer 32" maxValueString="0.5"/>"#, .validation),
      (#"<attribute name="a" attributeType="Date" maxValueString="12/5/2014"/>"#, .validation),
      (
        #"<attribute name="a" attributeType="String" regularExpressionString="(?=a)b"/>"#,
        .validation
      ),
      (
        #"<attribute name="a" attributeType="Double" regularExpressionString="a"/>"#, .validation
      ),
      (#"<attribute name="a" attributeType="String" versionHashModifier="2"/>"#, .hashModifier),
      (#"<attribute name="a" attributeType="String" colour="red"/>"#, .unknown),
      (#"<attribute name="a" attributeType="String"><colour/></attribute>"#, .unknown),
      (#"<attribute name="a" attributeType="String" valueTransformerName="C"/>"#, .unknown),
      (#"<relationship name="a" toMany="YES" ordered="YES" destinationEntity="E"/>"#, .ordered),
      (#"<relationship name="a" destinationEntity="E" inverseName="b"/>"#, .inverse),
    ] as [(String, ModelFileWarning.Reason)])
  func aPropertyIsReadWithAWarning(_ text: String, _ reason: ModelFileWarning.Reason) throws {
    let file = try Fixtures.read("<entity name=\"E\">\n\(text)</entity>")
    #expect(file.warnings.map(\.reason) == [reason])
    #expect(file.warnings.map(\.element) == ["E.a"])
    #expect(file.warnings.map(\.line) == [4])
    #expect(file.warnings.map(\.path) == ["contents"])
    let entity = try #require(file.model["E"])
    #expect(entity.attribute("a") != nil || entity.relationship("a") != nil)
    #expect(entity.attribute("a")?.defaultValue == nil)
    let rules = entity.attribute("a")?.validation ?? AttributeValidation()
    #expect(rules == AttributeValidation())
  }

  @Test(
    arguments: [
      ("<entity name=\"E\" isAbstract=\"YES\"/>", "E", .abstract),
      ("<entity name=\"E\" versionHashModifier=\"2\"/>", "E", .hashModifier),
      ("<entity name=\"E\"><colour/></entity>", "E", .unknown),
      ("<entity name=\"E\" colour=\"red\"/>", "E", .unknown),
      ("<entity name=\"E\"/><configuration name=\"C\"/>", "C", .configuration),
      ("<entity name=\"E\"/><fetchRequest name=\"F\" entity=\"E\"/>", "F", .fetchRequest),
      ("<entity name=\"E\"/><colour/>", "model", .unknown),
    ] as [(String, String, ModelFileWarning.Reason)])
  func aPartOfAModelIsReadWithAWarning(
    _ text: String, _ element: String, _ reason: ModelFileWarning.Reason
  ) throws {
    let file = try Fixtures.read(text)
    #expect(file.warnings.map(\.reason) == [reason])
    #expect(file.warnings.map(\.element) == [element])
    #expect(file.model.entities.map(\.name) == ["E"])
  }

  /// Generated code, the editor, indexes and synchronization do not change objects.
  @Test func harmlessPartsAreIgnored() throws {
    let file = try Fixtures.read(
      """
      <entity name="E" representedClassName=".E" syncable="YES" codeGenerationType="class">
        <attribute name="a" attributeType="Integer 16" usesScalarValueType="YES" indexed="YES"
          customClassName="Int" syncable="YES" spotlightIndexingEnabled="YES">
          <userInfo><entry key="k" value="v"/></userInfo>
        </attribute>
        <fetchIndex name="i"><fetchIndexElement property="a" type="Binary"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="a"/></compoundIndex></compoundIndexes>
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <elements><element name="E" positionX="0" positionY="0"/></elements>
      """)
    #expect(file.warnings.isEmpty)
    #expect(file.model["E"]?.attributes == [AttributeDescription("a", .int16, isOptional: false)])
  }

  @Test func aWarningNamesItsPlace() throws {
    let file = try ModelFile(contentsOf: Fixtures.recipes)
    #expect(
      file.warnings.map(\.description) == [
        "\(file.path):9: Recipe.id: a UUID is stored as utf8, because the document format has no "
          + "type for it: convert it to its 36 characters",
        "\(file.path):14: Recipe.ingredients: the order of the objects is not kept: documents list "
          + "them without order",
      ])
  }
}
