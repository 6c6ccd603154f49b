import JSON
import ObjectContexts
import ObjectMapping
import Testing

/// The entity of a class.
struct EntityNamingTests {
  final class Person: ManagedObjectClass {}
  final class DSTPhone: ManagedObjectClass {}
  final class Animal: ManagedObjectClass {}
  struct Renamed: ManagedObjectClass { static let className: JSONString = "DSTPerson" }

  @Test(
    arguments: [
      ("DSTPerson", "DST", "Person"), ("DSTPerson", nil, nil), ("Person", nil, "Person"),
      ("Person", "DST", "Person"), ("App.DSTPerson", "DST", "Person"),
      ("App.Outer.DSTPerson", "DST", "Person"), ("App.Outer.Person", nil, "Person"),
      ("_TtC3App9DSTPerson", "DST", "Person"), ("_TtCC3App5Outer6Person", nil, "Person"),
      // The prefix alone, and a name that only resembles it.
      ("DST", "DST", nil), ("DSTPersonal", "DST", nil), ("Phone", "Ph", "Phone"),
      ("_TtC3App99Person", nil, nil), ("_TtC", nil, nil), ("", nil, nil), ("App.", "", nil),
      // A name that contains a number is not a mangled name.
      ("DST6Person", nil, nil), ("DST6Person", "DST", nil),
    ] as [(JSONString, JSONString?, JSONString?)])
  func names(name: JSONString, prefix: JSONString?, entity: JSONString?) throws {
    #expect(try Fixtures.people().entityName(ofClass: name, withClassPrefix: prefix) == entity)
  }

  @Test func classes() throws {
    let stack = try Fixtures.stack()
    #expect(stack.entityNameForObjectClass(Person.self) == "Person")
    #expect(stack.entityNameForObjectClass(DSTPhone.self, withClassPrefix: "DST") == "Phone")
    #expect(stack.entityNameForObjectClass(DSTPhone.self) == nil)
    #expect(stack.entityNameForObjectClass(Animal.self) == nil)
    #expect(stack.entityNameForObjectClass(Renamed.self, withClassPrefix: "DST") == "Person")
  }

  @Test func models() throws {
    let (versioned, single) = (try Fixtures.people(), try Fixtures.model())
    let bundle: [JSONString: ManagedObjectModel] = [
      "A.momd": versioned, "A.mom": single, "B.mom": single,
    ]
    #expect(ThreeContextStack.modelForResource("A", bundle: bundle) == versioned)
    #expect(ThreeContextStack.modelForResource("B", bundle: bundle) == single)
    #expect(ThreeContextStack.modelForResource("C", bundle: bundle) == nil)
  }
}
