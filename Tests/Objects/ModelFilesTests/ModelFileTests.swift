import JSON
import ModelFiles
import ObjectMapping
import Testing

/// The paths from which a model is read.
@Suite struct ModelFileTests {
  private static let first = "\(Fixtures.recipes)/Recipes.xcdatamodel"

  // MARK: Versions

  @Test func theCurrentVersionIsRead() throws {
    let file = try ModelFile(contentsOf: Fixtures.recipes)
    #expect(file.version == "Recipes 2")
    #expect(file.path == "\(Fixtures.recipes)/Recipes 2.xcdatamodel/contents")
    #expect(file.model.entities.map(\.name) == ["Component", "Recipe"])
    #expect(try ManagedObjectModel(contentsOf: Fixtures.recipes + "/") == file.model)
  }

  @Test(arguments: ["Recipes", "Recipes.xcdatamodel"])
  func aVersionIsReadByName(_ name: String) throws {
    let file = try ModelFile(contentsOf: Fixtures.recipes, version: name)
    #expect(file.version == "Recipes")
    #expect(file.model.entities.map(\.name) == ["Ingredient", "Recipe"])
  }

  @Test func allVersionsAreRead() throws {
    #expect(try ModelFile.versionNames(of: Fixtures.recipes) == ["Recipes 2", "Recipes"])
    let files = try ModelFile.versions(of: Fixtures.recipes)
    #expect(files.map(\.version) == ["Recipes 2", "Recipes"])
    #expect(files.map { $0.model.entities[0].name } == ["Component", "Ingredient"])
  }

  @Test(arguments: ["", "/", "/contents"])
  func oneVersionIsReadByItsPath(_ rest: String) throws {
    let file = try ModelFile(contentsOf: Self.first + rest)
    #expect(file.version == "Recipes")
    #expect(file.model["Ingredient"] != nil)
  }

  /// Xcode also writes a property list without the current version.
  @Test(arguments: [nil, "<plist version=\"1.0\"><dict/></plist>"])
  func withoutCurrentVersionTheOnlyOneIsRead(_ list: String?) throws {
    let text = Fixtures.text("<entity name=\"A\"/>")
    let files = list.map { ["M.xcdatamodeld/.xccurrentversion": $0] } ?? [:]
    let one = try ModelPlace(
      files.merging(["M.xcdatamodeld/M.xcdatamodel/contents": text]) { $1 })
    #expect(
      try ManagedObjectModel(contentsOf: "\(one.path)/M.xcdatamodeld").entities.map(\.name)
        == ["A"])
    let two = try ModelPlace(
      files.merging([
        "M.xcdatamodeld/M.xcdatamodel/contents": text,
        "M.xcdatamodeld/M 2.xcdatamodel/contents": text,
      ]) { $1 })
    let error = #expect(throws: ModelFileError.self) {
      try ManagedObjectModel(contentsOf: "\(two.path)/M.xcdatamodeld")
    }
    #expect(error?.what == "no file .xccurrentversion names the current one of 2 versions")
    #expect(error?.expected == "the path of a version: one of 'M 2', 'M'")
  }

  // MARK: JSON

  @Test func theJSONOfAModelIsReadBack() throws {
    let model = try ManagedObjectModel(contentsOf: Fixtures.recipes)
    let place = try ModelPlace(["model.json": "\n" + model.json.pretty()])
    let file = try ModelFile(contentsOf: "\(place.path)/model.json")
    #expect(file.model == model)
    #expect(file.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ("{\n\"entities\": {\n}", 3, "invalid JSON: expected ',' or '}', found the end of the text"),
      ("[1]", nil, "model: expected an object, found an array"),
      (
        #"{"entities": {"E": {"atributes": {}}}}"#, nil,
        "model.entities.E.atributes: unknown member; "
          + "known here: attributes, relationships, unique, renamedFrom"
      ),
    ] as [(String, Int?, String)])
  func anErrorOfJSONHasItsPlace(_ text: String, _ line: Int?, _ what: String) {
    let error = #expect(throws: ModelFileError.self) {
      try ModelFile(Array(text.utf8), path: "model.json")
    }
    #expect(error?.line == line)
    #expect(error?.what == what)
  }

  // MARK: Other files

  @Test(arguments: ["M.mom", "M.momd", "M.momd/M.omo", "M.xcdatamodel"])
  func aCompiledModelIsRefused(_ name: String) throws {
    let place = try ModelPlace([name: "bplist00"])
    let error = #expect(throws: ModelFileError.self) {
      try ManagedObjectModel(contentsOf: "\(place.path)/\(name)")
    }
    #expect(
      error?.description == """
        \(place.path)/\(name): the model is compiled, and its format is not public; \
        expected its source, the folder .xcdatamodeld of the Xcode project
        """)
  }

  @Test(
    arguments: [
      (["a/elements": "x"], "a", "the model is in the binary format before Xcode 4"),
      (
        ["m/A.xcdatamodel/elements": "x"], "m",
        "the model is in the binary format before Xcode 4"
      ),
      (["a/b": "x"], "a", "the folder has no model"),
      (["a/M.mom": "x"], "a", "the model is compiled, and its format is not public"),
      (["a": ""], "a", "invalid XML: no element found"),
      (["a": "{}"], "a", "model.entities: missing member"),
      (["a": "<plist/>"], "a", "the root element is <plist>"),
      (["a": "<model type=\"x\"/>"], "a", "the model has the type 'x'"),
      ([:], "a", "No such file or directory"),
      (
        ["m/A.xcdatamodel/contents": "<model/>", "m/.xccurrentversion": "<plist/>"], "m",
        "the file is not a property list with a dictionary"
      ),
      (
        [
          "m/A.xcdatamodel/contents": "<model/>",
          "m/.xccurrentversion":
            "<plist><dict><key>_XCCurrentVersionName</key><string>B.xcdatamodel</string></dict></plist>",
        ], "m", "the current version 'B' does not exist"
      ),
    ] as [([String: String], String, String)])
  func anotherFileIsRefused(_ files: [String: String], _ name: String, _ what: String) throws {
    let place = try ModelPlace(files)
    let error = #expect(throws: ModelFileError.self) {
      try ManagedObjectModel(contentsOf: "\(place.path)/\(name)")
    }
    #expect(error?.what == what)
  }

  @Test func anUnknownVersionIsRefusedWithTheKnownOnes() throws {
    let error = #expect(throws: ModelFileError.self) {
      try ModelFile(contentsOf: Fixtures.recipes, version: "Recipes 3")
    }
    #expect(error?.what == "no version 'Recipes 3'")
    #expect(error?.expected == "one of 'Recipes 2', 'Recipes'")
  }

  @Test func aLargeFileIsRefused() {
    let error = #expect(throws: ModelFileError.self) {
      try ModelFile([UInt8](repeating: 32, count: 8 << 20 + 1), path: "contents")
    }
    #expect(error?.what == "the file is too large")
  }
}
