// swift-tools-version: 6.2
import PackageDescription

// One line per module, lowest floor first. A module may depend on modules of lower floors only;
// `Tests/LayeringTests` reads the imports and fails when a file disagrees.

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

let package = Package(
  name: "touchstone",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "TouchstoneKit", targets: ["TouchstoneKit"]),
    .executable(name: "touchstone", targets: ["touchstone"]),
  ],
  targets: [
    // Floor 0: system libraries.
    systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    systemLibrary("CJansson", pkgConfig: "jansson", apt: "libjansson-dev", brew: "jansson"),
    systemLibrary("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),

    // Floor 1: values, digests, gzip.
    module("JSON"),
    module("Digest", ["CCrypto"]),
    module("Compression", ["CZlib"]),

    // Floor 2: the contract.
    module("Datastore", ["JSON"]),

    // Floor 3: values and files.
    module("RevisionTree", ["Datastore", "JSON"]),
    module("Scenarios", ["Datastore", "JSON"]),
    module("Selectors", ["Datastore", "JSON"]),
    module("Storage", ["CSQLite"]),

    // Floor 4: the model, and the bundled store. They share values and no logic.
    module(
      "ReferenceDatastore",
      ["RevisionTree", "Selectors", "Datastore", "Compression", "Digest", "JSON"]),
    module(
      "SQLiteDatastore", ["Storage", "Datastore", "Compression", "Digest", "JSON", "CSQLite"]),

    // Floor 4 as well: the protocol between stores.
    module("Replication", ["Selectors", "Datastore", "Digest", "JSON"]),

    // Floor 5: objects as documents, over any store.
    module("ObjectMapping", ["Selectors", "Datastore", "Digest", "JSON"]),

    // Floor 6: contexts of objects.
    module("ObjectContexts", ["ObjectMapping", "Replication", "Datastore", "JSON"]),

    // Floor 6 as well: judges of histories. They share nothing with what they judge.
    module("Oracles", ["Datastore", "JSON"]),

    // Floor 6 as well: pictures of runs, from plain values.
    module("Rendering", ["Scenarios", "Datastore", "JSON"]),

    // Floor 7: objects in collections of a backend, over any store.
    module("Collections", ["ObjectContexts", "ObjectMapping", "Datastore", "JSON"]),

    // Floor 8: random and exhaustive exploration.
    module(
      "Simulation",
      [
        "Oracles", "Collections", "ObjectContexts", "ObjectMapping", "Replication",
        "ReferenceDatastore", "Scenarios", "Datastore", "JSON",
      ]),
    module(
      "Generation", ["Replication", "ReferenceDatastore", "Scenarios", "Datastore", "JSON"]),

    // Floor 8 as well: stores of other processes.
    module("Adapters", ["Datastore", "Digest", "JSON"]),

    // Floor 9: measuring and judging.
    module(
      "Benchmarks",
      [
        "Adapters", "Simulation", "ObjectMapping", "Replication", "ReferenceDatastore",
        "SQLiteDatastore", "RevisionTree", "Scenarios", "Storage", "Digest",
        "Datastore", "JSON", "CSQLite", "CJansson",
      ]),
    module(
      "Conformance",
      [
        "Rendering", "Replication", "RevisionTree", "Scenarios", "Datastore", "Digest", "JSON",
      ]),
    module(
      "Defects",
      [
        "Simulation", "ObjectMapping", "Replication", "Selectors", "Scenarios", "Storage",
        "Datastore", "JSON",
      ]),
    module(
      "CrashTesting",
      [
        "Oracles", "Replication", "ReferenceDatastore", "SQLiteDatastore", "Storage", "Datastore",
        "Digest", "JSON", "CSQLite",
      ]),
    module(
      "SQLiteSimulation", ["Simulation", "SQLiteDatastore", "Storage", "Scenarios", "Datastore"]),

    // Floor 10: what people use.
    module(
      "TouchstoneKit",
      [
        "Conformance", "Adapters", "Simulation", "Collections", "ObjectContexts", "ObjectMapping",
        "ReferenceDatastore", "Scenarios", "Datastore", "JSON",
      ]),
    .executableTarget(
      name: "touchstone",
      dependencies: [
        "Conformance", "Adapters", "Defects", "Benchmarks", "CrashTesting", "Generation",
        "SQLiteSimulation", "Simulation", "Oracles",
        "Rendering",
        "Collections", "ObjectContexts", "ObjectMapping", "SQLiteDatastore", "Storage",
        "ReferenceDatastore", "Scenarios", "Datastore", "Digest", "JSON",
      ],
      swiftSettings: settings),

    // Tests, one target per module, and one for the rules of the house.
    tests("HouseTests", []),
    tests("JSONTests", ["JSON"]),
    tests("DigestTests", ["Digest"]),
    tests("CompressionTests", ["Compression"]),
    tests("DatastoreTests", ["Datastore", "JSON"]),
    tests("ScenariosTests", ["Scenarios", "Datastore", "JSON"]),
    tests("SelectorsTests", ["Selectors", "Datastore", "JSON"]),
    tests("StorageTests", ["Storage", "CSQLite"]),
    tests(
      "SQLiteDatastoreTests",
      [
        "SQLiteDatastore", "Storage", "Datastore", "Compression", "Digest", "JSON", "CSQLite",
      ]),
    tests("ConformanceTests", ["Conformance", "Scenarios", "Datastore", "Digest", "JSON"]),
    tests("AdaptersTests", ["Adapters", "Conformance", "Scenarios", "Datastore", "JSON"]),
    tests("RevisionTreeTests", ["RevisionTree", "Datastore", "JSON"]),
    tests("ReferenceDatastoreTests", ["ReferenceDatastore", "Compression", "Datastore", "JSON"]),
    tests(
      "ObjectMappingTests",
      ["ObjectMapping", "ReferenceDatastore", "SQLiteDatastore", "Storage", "Datastore", "JSON"]),
    tests(
      "ObjectContextsTests",
      [
        "ObjectContexts", "ObjectMapping", "Replication", "ReferenceDatastore", "SQLiteDatastore",
        "Storage", "Datastore", "JSON",
      ]),
    tests(
      "CollectionsTests",
      [
        "Collections", "ObjectContexts", "ObjectMapping", "ReferenceDatastore", "Selectors",
        "Datastore", "JSON",
      ]),
    tests(
      "ReplicationTests", ["Replication", "ReferenceDatastore", "Datastore", "JSON"]),
    tests("BenchmarksTests", ["Benchmarks", "Storage", "Datastore", "JSON"]),
    tests(
      "DefectsTests",
      [
        "Defects", "Simulation", "Conformance", "Replication", "Collections", "ObjectContexts",
        "ReferenceDatastore", "Scenarios", "Datastore",
        "JSON",
      ]),
    tests("TouchstoneKitTests", ["TouchstoneKit"]),
    tests(
      "TouchstoneTests",
      [
        "touchstone", "TouchstoneKit", "Conformance", "Defects", "Scenarios", "Datastore", "JSON",
      ]),
    tests(
      "BundledStoresTests",
      ["TouchstoneKit", "ReferenceDatastore", "Replication", "SQLiteDatastore", "Storage"]),
    tests(
      "SimulationTests",
      [
        "Simulation", "Oracles", "Selectors", "Collections", "ObjectContexts", "ObjectMapping",
        "Replication", "ReferenceDatastore", "SQLiteDatastore", "Storage", "Scenarios", "Datastore",
        "JSON",
      ]),
    tests(
      "CrashTestingTests",
      [
        "CrashTesting", "Defects", "Oracles", "Replication", "SQLiteDatastore", "Storage",
        "Datastore", "JSON",
      ]),
    tests("OraclesTests", ["Oracles", "Datastore", "JSON"]),
    tests(
      "SQLiteSimulationTests",
      [
        "SQLiteSimulation", "Simulation", "Defects", "Scenarios", "Datastore", "JSON",
      ]),
    tests("RenderingTests", ["Rendering", "Scenarios", "Datastore", "JSON"]),
    tests(
      "GenerationTests", ["Generation", "ReferenceDatastore", "Scenarios", "Datastore", "JSON"]),
  ],
  swiftLanguageModes: [.v6]
)
