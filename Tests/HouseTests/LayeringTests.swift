import Testing

/// The floors of the house: a module imports modules of lower floors only.
struct LayeringTests {
  static let floors: [String: Int] = [
    "CSQLite": 0, "CJansson": 0, "CCrypto": 0, "CZlib": 0,
    "JSON": 1, "Digest": 1, "Compression": 1,
    "Datastore": 2,
    "RevisionTree": 3, "Scenarios": 3, "Selectors": 3, "Storage": 3,
    "SQLiteDatastore": 4, "ReferenceDatastore": 4, "Replication": 4,
    "ObjectMapping": 5,
    "Oracles": 6, "Rendering": 6, "ObjectContexts": 6,
    "Collections": 7,
    "Simulation": 8, "Generation": 8,
    "Adapters": 8, "Benchmarks": 9, "Conformance": 9, "Defects": 9, "SQLiteSimulation": 9,
    "CrashTesting": 9,
    "TouchstoneKit": 10, "touchstone": 10,
  ]

  /// Modules that must not share what they are compared with, and what they may import at most.
  static let closed: [String: Set<String>] = [
    "SQLiteDatastore": ["CSQLite", "JSON", "Digest", "Compression", "Datastore", "Storage"],
    "ReferenceDatastore": [
      "RevisionTree", "Selectors", "Datastore", "JSON", "Digest", "Compression",
    ],
    "JSON": [], "Datastore": ["JSON"], "RevisionTree": ["Datastore", "JSON"],
    "Scenarios": ["Datastore", "JSON"],
    "Selectors": ["Datastore", "JSON"],
    "Replication": ["Selectors", "Datastore", "Digest", "JSON"],
    "ObjectMapping": ["Selectors", "Datastore", "Digest", "JSON"],
    "ObjectContexts": ["ObjectMapping", "Replication", "Datastore", "JSON"],
    "Oracles": ["Datastore", "JSON"],
    "Collections": ["ObjectContexts", "ObjectMapping", "Datastore", "JSON"],
    "Rendering": ["Scenarios", "Datastore", "JSON"],
  ]

  /// Modules of the system that a source file may import, apart from those that no file may.
  static let system: Set<String> = ["Glibc", "Darwin", "Musl", "Synchronization"]

  @Test(arguments: try SourceTree.files(below: "Sources"))
  func importsGoDown(file: SourceTree.File) throws {
    let floor = try #require(Self.floors[file.module], "\(file.module) has no floor")
    for imported in file.imports {
      if let lower = Self.floors[imported] {
        #expect(lower < floor, "\(file.module) imports \(imported)")
        if let allowed = Self.closed[file.module] {
          #expect(allowed.contains(imported), "\(file.module) imports \(imported)")
        }
      } else {
        let isCommandLine = floor >= 9 && imported == "Foundation"
        #expect(isCommandLine || Self.system.contains(imported), "imports \(imported)")
      }
    }
  }

  /// Without files, or with imports that are not seen, the test above would say nothing.
  @Test func importsAreSeen() throws {
    let files = try SourceTree.files(below: "Sources")
    #expect(Set(files.map { $0.module }).count >= 6)
    let model = files.filter { $0.module == "ReferenceDatastore" }
    #expect(
      Set(model.flatMap { $0.imports })
        == ["Datastore", "JSON", "Digest", "Compression", "RevisionTree", "Selectors"])
  }
}
