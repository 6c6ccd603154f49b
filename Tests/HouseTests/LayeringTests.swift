import Testing

/// The layers of the package: `Package.swift` declares them, and the imports keep to them.
struct LayeringTests {
  /// Modules that a module must never import, because it is compared with them or checks them.
  static let forbidden: [(module: String, imports: Set<String>)] = [
    ("SQLiteDatastore", ["RevisionTree", "Selectors", "ReferenceDatastore"]),
    ("ReferenceDatastore", ["SQLiteDatastore", "Storage", "CSQLite"]),
  ]

  /// Modules that may import only the listed modules.
  static let closed: [(module: String, imports: Set<String>)] = [
    ("JSON", []),
    ("Datastore", ["JSON"]),
    ("Oracles", ["Datastore", "JSON"]),
    ("Rendering", ["Scenarios", "Datastore", "Digest", "JSON"]),
  ]

  /// Modules of the system that every source file may import.
  static let system: Set<String> = ["Glibc", "Darwin", "Musl", "Synchronization"]

  private static let manifest = Result { try PackageManifest() }

  @Test func aModuleDependsOnItsGroupAndThoseBefore() throws {
    let manifest = try Self.manifest.get()
    #expect(manifest.groups == ["Core", "Stores", "Checking", "Objects", "Lab", "Application"])
    let place = Dictionary(
      uniqueKeysWithValues: manifest.groups.enumerated().map { ($0.element, $0.offset) })
    let groups = Dictionary(uniqueKeysWithValues: manifest.modules.map { ($0.name, $0.group) })
    for module in manifest.modules {
      for dependency in module.dependencies {
        let group = try #require(groups[dependency], "\(module) depends on \(dependency)")
        #expect(
          try #require(place[group]) <= #require(place[module.group]),
          "\(module) depends on \(dependency)")
      }
    }
  }

  @Test func rulesByNameHold() throws {
    let modules = try Self.manifest.get().modules
    func dependencies(of name: String) throws -> Set<String> {
      try #require(modules.first { $0.name == name }, "there is no module \(name)").dependencies
    }
    for rule in Self.forbidden {
      #expect(try dependencies(of: rule.module).isDisjoint(with: rule.imports), "\(rule.module)")
    }
    for rule in Self.closed {
      #expect(try dependencies(of: rule.module).isSubset(of: rule.imports), "\(rule.module)")
    }
  }

  @Test func aFileImportsWhatItsModuleDependsOn() throws {
    let modules = try Self.manifest.get().modules
    for file in try SourceTree.files(below: "Sources") {
      let module = try #require(
        modules.first { $0.name == file.module }, "\(file.module) is not in Package.swift")
      #expect(file.path.hasPrefix("Sources/\(module.group)/\(module.name)/"))
      for imported in file.imports where !module.dependencies.contains(imported) {
        #expect(Self.system.contains(imported), "\(file.path) imports \(imported)")
      }
    }
  }

  /// Without files, or with imports that are not found, the tests above could not fail.
  @Test func importsAreFound() throws {
    let files = try SourceTree.files(below: "Sources")
    #expect(Set(files.map { $0.module }).count >= 20)
    let model = files.filter { $0.module == "ReferenceDatastore" }
    #expect(
      Set(model.flatMap { $0.imports })
        == ["Datastore", "JSON", "Digest", "Compression", "RevisionTree", "Selectors"])
  }
}
