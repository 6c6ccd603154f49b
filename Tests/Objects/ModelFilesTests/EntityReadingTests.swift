import JSON
import ModelFiles
import ObjectMapping
import Testing

/// Entities, relationships and inheritance of a model file.
@Suite struct EntityReadingTests {
  @Test func relationshipsAreRead() throws {
    let file = try Fixtures.read(
      """
      <entity name="A">
        <relationship name="many" toMany="YES" minCount="2" maxCount="9" deletionRule="Cascade"
          destinationEntity="B" inverseName="one" inverseEntity="B"/>
        <relationship name="free" optional="YES" maxCount="1" deletionRule="No Action"
          destinationEntity="A" transient="YES" renamingIdentifier="loose"/>
      </entity>
      <entity name="B">
        <relationship name="one" optional="YES" minCount="1" maxCount="1" deletionRule="Deny"
          destinationEntity="A" inverseName="many" inverseEntity="A"/>
        <relationship name="all" optional="YES" toMany="YES" maxCount="0" destinationEntity="B"/>
      </entity>
      """)
    #expect(
      file.model["A"]?.relationships == [
        RelationshipDescription(
          "many", to: "B", inverse: "one", isToMany: true, isOptional: false, deleteRule: .cascade,
          minimumCount: 2, maximumCount: 9),
        RelationshipDescription(
          "free", to: "A", isTransient: true, deleteRule: .noAction, renamedFrom: "loose"),
      ])
    #expect(
      file.model["B"]?.relationships == [
        RelationshipDescription("one", to: "A", inverse: "many", deleteRule: .deny),
        RelationshipDescription("all", to: "B", isToMany: true),
      ])
    #expect(file.warnings.isEmpty)
  }

  /// Two relationships name the same inverse, which names one of them.
  @Test func anInverseOfAnotherRelationshipIsDropped() throws {
    let file = try Fixtures.read(
      """
      <entity name="A">
        <relationship name="r" maxCount="1" destinationEntity="B" inverseName="s"/>
        <relationship name="t" maxCount="1" destinationEntity="B" inverseName="s"/>
      </entity>
      <entity name="B"><relationship name="s" destinationEntity="A" inverseName="t"/></entity>
      """)
    #expect(file.model["A"]?.relationships.map(\.inverse) == [nil, "s"])
    #expect(file.model["B"]?.relationships.map(\.inverse) == ["t"])
    #expect(file.warnings.map(\.element) == ["A.r"])
    #expect(file.warnings.map(\.line) == [4])
  }

  @Test func constraintsAreRead() throws {
    let file = try Fixtures.read(
      """
      <entity name="E">
        <attribute name="a" attributeType="String"/><attribute name="b" attributeType="String"/>
        <relationship name="r" optional="YES" maxCount="1" destinationEntity="E"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="r"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="b"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      """)
    #expect(file.model["E"]?.uniquenessConstraints == [["a", "b"], ["b"]])
    #expect(file.warnings.map(\.reason) == [.uniqueness])
  }

  // MARK: Inheritance

  private static let family = """
    <entity name="Post" isAbstract="YES">
      <attribute name="title" attributeType="String"/>
      <relationship name="blog" optional="YES" maxCount="1" deletionRule="Nullify"
        destinationEntity="Blog" inverseName="posts" inverseEntity="Post"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Draft" parentEntity="Page"><attribute name="age" attributeType="Double"/></entity>
    <entity name="Page" parentEntity="Post">
      <attribute name="slug" attributeType="String"/>
    </entity>
    <entity name="Blog">
      <relationship name="posts" optional="YES" toMany="YES" deletionRule="Cascade"
        destinationEntity="Post" inverseName="blog" inverseEntity="Post"/>
    </entity>
    """

  @Test func inheritedPropertiesAreCopied() throws {
    let file = try Fixtures.read(Self.family)
    let model = file.model
    #expect(model.entities.map(\.name) == ["Post", "Draft", "Page", "Blog"])
    #expect(model["Draft"]?.attributes.map(\.name) == ["title", "slug", "age"])
    #expect(model["Draft"]?.uniquenessConstraints == [["title"]])
    #expect(model["Page"]?.relationships.map(\.inverse) == [nil])
    #expect(model["Post"]?.relationship("blog")?.inverse == "posts")
    #expect(model["Blog"]?.relationship("posts")?.inverse == "blog")
    #expect(file.warnings.map(\.reason) == [.abstract, .inherited, .inherited])
    #expect(file.warnings.map(\.element) == ["Post", "Draft", "Page"])
    #expect(file.warnings.map(\.line) == [3, 11, 12])
  }

  @Test(
    arguments: [
      ("<entity name=\"A\" parentEntity=\"B\"/>", "the parent entity 'B' of A does not exist"),
      (
        "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>",
        "A is an ancestor of itself"
      ),
      ("<entity name=\"A\" parentEntity=\"A\"/>", "A is an ancestor of itself"),
      ("<entity/>", "the entity has no name"),
      ("<entity name=\"A B\"/>", "the name of the entity 'A B' contains a space"),
      ("<entity name=\"A\"/><entity name=\"A\"/>", "A: another entity has this name"),
      (
        "<entity name=\"A\"><attribute name=\"b c\" attributeType=\"String\"/></entity>",
        "the name of the attribute 'A.b c' contains a space"
      ),
      (
        "<entity name=\"A\"><attribute name=\"_b\" attributeType=\"String\"/></entity>",
        "A._b: names that begin with CDTIS or _ are reserved"
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\"/></entity>",
        "the relationship A.r has no destination"
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\"/></entity>",
        "A.r: unknown entity B"
      ),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" deletionRule="Keep"/></entity>
        """, "the relationship A.r has the deletion rule 'Keep'"
      ),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" toMany="YES" minCount="x"/>\
        </entity>
        """, "'minCount' of A.r is 'x'"
      ),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" toMany="YES" minCount="2" \
        maxCount="1"/></entity>
        """, "A.r: the minimum count exceeds the maximum count"
      ),
      (
        """
        <entity name="A"><attribute name="d" attributeType="Double" minValueString="2" \
        maxValueString="1.5"/></entity>
        """, "A.d: the minimum exceeds the maximum"
      ),
      (
        """
        <entity name="A"><attribute name="t" attributeType="String" minValueString="2" \
        maxValueString="1"/></entity>
        """, "A.t: the minimum length exceeds the maximum length"
      ),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" toMany="yes"/></entity>
        """, "'toMany' is 'yes'"
      ),
      ("<entity name=\"A\"><fetchedProperty name=\"f\"/></entity>", "fetched property A.f"),
      ("<compositeAttribute name=\"C\"/>", "composite attribute 'C'"),
    ])
  func aWrongEntityIsRefusedWithItsLine(_ text: String, _ what: String) {
    let error = Fixtures.error(text)
    #expect(error?.what == what)
    #expect(error?.line == 3)
  }
}
