// swift-tools-version: 6.2
import PackageDescription

// One line per module, in groups: each group is a folder below `Sources` and one below `Tests`. A module
// may depend on modules of its own group and of the groups before it. `LayeringTests` reads this file.

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// `tools/test`, `tools/run` and the builds of releases set this variable. A debug build then compiles each module
// as a whole, which takes less time in total than one file after the other, in one job, because a second one for
// the interface of the module would read and check all files again. It optimizes Core and the modules marked as hot,
// where tests and runs spend most of their time; assertions stay. A release build then inlines and specializes
// across modules. Not a default: SwiftPM rejects unsafe flags in a package that another one depends on.
let isFast = Context.environment["TOUCHSTONE_FAST_BUILD"] != nil
let whole: [SwiftSetting] =
  isFast
  ? [
    .unsafeFlags(
      [
        "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode",
        "-no-emit-module-separately-wmo",
      ],
      .when(configuration: .debug)),
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
  ] : []
let optimized: [SwiftSetting] =
  isFast
  ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

/// Dependencies on modules that are empty without the trait `HTTP`, which brings libcurl.
func onlyWithHTTP(_ modules: [String]) -> [Target.Dependency] {
  modules.map { .target(name: $0, condition: .when(traits: ["HTTP"])) }
}

/// A group of modules, by the name of its folders.
struct Group {
  let name: String
  /// Settings of all modules of the group.
  var optimization: [SwiftSetting] = []

  /// - Parameter embedded: files that the compiled module contains, as members of
  ///   `PackageResources`.
  /// - Parameter isHot: whether a large part of the time of tests is spent in the module.
  func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], embedded: [String] = [],
    isHot: Bool = false
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Sources/\(self.name)/\(name)",
      resources: embedded.map { .embedInCode($0) },
      swiftSettings: settings + whole + (isHot ? optimized : optimization))
  }

  /// A module that is empty without the trait `HTTP`.
  func httpModule(_ name: String, _ dependencies: [String], embedded: [String] = []) -> Target {
    module(name, onlyWithHTTP(dependencies), embedded: embedded)
  }

  func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Sources/\(self.name)/\(name)",
      swiftSettings: settings + whole)
  }

  /// - Parameter data: folders of files that the tests read.
  func tests(
    _ name: String, _ dependencies: [Target.Dependency], data: [String] = []
  ) -> Target {
    .testTarget(
      name: name, dependencies: dependencies, path: "Tests/\(self.name)/\(name)",
      exclude: data, swiftSettings: settings + whole)
  }

  func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/\(self.name)/\(name)", pkgConfig: pkgConfig,
      providers: [.apt([apt]), .brew([brew])])
  }
}

let core = Group(name: "Core", optimization: optimized)
let stores = Group(name: "Stores")
let checking = Group(name: "Checking")
let objects = Group(name: "Objects")
let lab = Group(name: "Lab")
let application = Group(name: "Application")

let package = Package(
  name: "touchstone",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "TouchstoneKit", targets: ["TouchstoneKit"]),
    .library(name: "TouchstoneSQLite", targets: ["TouchstoneSQLite"]),
    .library(
      name: "TouchstoneHTTP",
      targets: [
        "CouchDBDatastore", "CouchDBInterface", "CollectionsInterface", "HTTPPeer", "HTTPServer",
        "HTTPClient",
      ]),
    .library(name: "TouchstoneModels", targets: ["ModelFiles"]),
    .executable(name: "touchstone", targets: ["touchstone"]),
  ],
  traits: [
    .default(enabledTraits: ["HTTP"]),
    .trait(name: "HTTP", description: "Test servers with CouchDB's interface, through libcurl."),
  ],
  targets: [
    // Core: values, and the vocabulary of the rules.
    core.library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    core.library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    core.library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    core.module("JSON"),
    core.module("Digest", ["CCrypto"]),
    core.module("Compression", ["CZlib"]),
    core.module("Datastore", ["JSON"]),
    core.module("RevisionTree", ["Datastore", "JSON"]),
    core.module("Selectors", ["Datastore", "JSON"]),
    core.module("Storage", ["CSQLite"]),

    // Stores: what is tested.
    stores.module(
      "ReferenceDatastore",
      ["Selectors", "RevisionTree", "Datastore", "Compression", "Digest", "JSON"], isHot: true),
    stores.module(
      "SQLiteDatastore", ["CSQLite", "Storage", "Datastore", "Compression", "Digest", "JSON"],
      isHot: true),
    stores.module(
      "Replication", ["Selectors", "Datastore", "Compression", "Digest", "JSON"], isHot: true),

    stores.library(
      "CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    stores.library(
      "CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    stores.httpModule("HTTPServer", ["CMicroHTTPD"]),
    stores.httpModule("HTTPClient", ["CCurl", "Datastore", "Digest", "JSON"]),
    stores.httpModule("HTTPPeer", ["HTTPClient", "Replication", "Datastore", "JSON"]),
    stores.httpModule(
      "CouchDBDatastore",
      [
        "HTTPServer", "HTTPClient", "Replication", "Compression", "Datastore", "Digest", "JSON",
      ]),

    stores.httpModule(
      "CouchDBInterface",
      [
        "HTTPServer", "HTTPClient", "HTTPPeer", "Replication", "Selectors", "Compression",
        "Datastore",
        "Digest", "JSON",
      ]),

    // Checking: what tests.
    checking.module("Scenarios", ["Datastore", "JSON"], isHot: true),
    checking.module("Oracles", ["Datastore", "JSON"], isHot: true),
    checking.module("ConcurrentClients", ["Datastore", "JSON"], isHot: true),
    checking.module("TrafficLint", ["Datastore", "Digest", "JSON"]),
    checking.module("Rendering", ["Scenarios", "Datastore", "Digest", "JSON"]),
    checking.module("Adapters", ["Datastore", "Digest", "JSON"]),
    checking.httpModule(
      "HostilePeer",
      ["HTTPServer", "HTTPClient", "Replication", "Datastore", "Digest", "JSON"],
      embedded: ["LivePage.html"]),
    checking.module("WireConformance", ["Digest", "JSON"]),
    checking.module(
      "Simulation",
      [
        "Oracles", "Scenarios", "Replication", "ReferenceDatastore", "Datastore", "JSON",
      ]),
    checking.module(
      "ResolverChecking",
      [
        "ConcurrentClients", "Simulation", "Adapters", "Replication", "ReferenceDatastore",
        "Datastore", "JSON",
      ], isHot: true),
    checking.module(
      "Conformance",
      [
        "Oracles", "Rendering", "Scenarios", "Replication", "RevisionTree", "Datastore", "Digest",
        "JSON",
      ]),
    checking.module(
      "Diagnosis",
      ["Conformance", "ReferenceDatastore", "Scenarios", "Datastore", "JSON"]),

    // Objects: layers of objects over any store.
    objects.module("ObjectMapping", ["Selectors", "Datastore", "Digest", "JSON"]),
    objects.library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    objects.module(
      "ModelFiles", ["CExpat", "ObjectMapping", "Conformance", "Datastore", "JSON"]),
    objects.module("ObjectContexts", ["ObjectMapping", "Replication", "Datastore", "JSON"]),
    objects.module("Collections", ["ObjectContexts", "ObjectMapping", "Datastore", "JSON"]),
    objects.httpModule(
      "CollectionsInterface",
      [
        "Collections", "HTTPServer", "HTTPClient", "Replication", "Datastore", "Digest", "JSON",
      ]),
    objects.module(
      "ObjectOperations",
      ["Collections", "ObjectContexts", "ObjectMapping", "Datastore", "Digest", "JSON"]),
    objects.module(
      "ObjectSimulation",
      [
        "ObjectOperations", "Collections", "ObjectContexts", "ObjectMapping", "Simulation",
        "Oracles", "Rendering", "Replication", "Scenarios", "ReferenceDatastore", "Datastore",
        "Digest", "JSON",
      ]),

    // Lab: what tests the tests, the speed and the durability.
    lab.library("CJansson", pkgConfig: "jansson", apt: "libjansson-dev", brew: "jansson"),
    lab.module(
      "Generation", ["Scenarios", "Replication", "ReferenceDatastore", "Datastore", "JSON"]),
    lab.module("RacingStores", ["ReferenceDatastore", "Datastore", "JSON"]),
    lab.module(
      "Benchmarks",
      [
        "CJansson", "CSQLite", "ConcurrentClients", "RacingStores", "Simulation", "Adapters",
        "Scenarios", "ObjectMapping",
        "Replication", "SQLiteDatastore", "ReferenceDatastore", "Storage", "RevisionTree",
        "Datastore", "Digest", "JSON",
      ] + onlyWithHTTP(["CouchDBInterface", "HTTPPeer", "HTTPClient", "HTTPServer"])),
    lab.module(
      "CrashTesting",
      [
        "CSQLite", "Oracles", "Replication", "SQLiteDatastore", "ReferenceDatastore", "Storage",
        "Datastore", "Digest", "JSON",
      ],
      embedded: (2...5).map { "Versions/version\($0).sql" }),
    lab.module(
      "Defects",
      [
        "Simulation", "Oracles", "Scenarios", "Replication", "Storage", "Selectors", "Datastore",
        "Compression", "JSON",
      ]),
    lab.module(
      "ObjectDefects",
      [
        "Defects", "ObjectOperations", "Collections", "ObjectContexts", "ObjectMapping",
        "Simulation", "Scenarios", "Selectors", "Datastore", "JSON",
      ]),
    lab.module("ResolverDefects", ["ResolverChecking", "Datastore", "JSON"]),
    lab.module("WireDefects", ["WireConformance", "JSON"]),
    lab.module("Variants", ["Replication", "ReferenceDatastore", "Datastore", "JSON"]),
    lab.module(
      "SQLiteSimulation",
      [
        "ConcurrentClients", "Simulation", "Scenarios", "SQLiteDatastore", "Storage", "Datastore",
        "JSON",
      ]),

    // Application: what people use.
    application.module(
      "TouchstoneKit",
      [
        "ResolverChecking", "ConcurrentClients", "Conformance", "Simulation", "Adapters",
        "Scenarios",
        "ObjectSimulation", "ObjectOperations", "Collections", "ObjectContexts", "ObjectMapping",
        "Replication", "ReferenceDatastore", "Datastore", "JSON",
      ]),
    application.module(
      "TouchstoneSQLite",
      [
        "Collections", "ObjectContexts", "ObjectMapping", "SQLiteDatastore", "Replication",
        "Storage", "Datastore", "JSON",
      ]),
    application.program(
      "touchstone",
      [
        "Diagnosis", "SQLiteSimulation", "WireDefects", "WireConformance", "ObjectDefects",
        "Defects", "Variants", "CrashTesting",
        "Benchmarks", "ResolverDefects", "ResolverChecking", "TrafficLint", "ConcurrentClients",
        "RacingStores",
        "Generation",
        "Conformance", "Simulation", "Adapters", "Rendering", "Oracles", "Scenarios",
        "ObjectSimulation", "ObjectOperations", "Collections", "ObjectContexts", "ModelFiles",
        "ObjectMapping",
        "SQLiteDatastore", "ReferenceDatastore", "Replication", "Storage", "Datastore", "Digest",
        "JSON",
      ]
        + onlyWithHTTP([
          "CouchDBDatastore", "CouchDBInterface", "HTTPClient", "HTTPServer", "HostilePeer",
        ])),

    // Tests, one target per module, and one for the rules of the source tree.
    .target(name: "TestSeeds", path: "Tests/TestSeeds", swiftSettings: settings + whole),
    .testTarget(name: "HouseTests", swiftSettings: settings + whole),
    // The examples of the documentation are compiled and run as tests.
    .testTarget(
      name: "ExampleTests",
      dependencies: ["ModelFiles", "TouchstoneKit", "TouchstoneSQLite"]
        + onlyWithHTTP([
          "CollectionsInterface", "HTTPPeer", "CouchDBInterface", "HTTPServer", "HTTPClient",
        ]),
      path: "docs/Examples",
      exclude: ["Recipes.xcdatamodeld"],
      swiftSettings: settings),
    core.tests("JSONTests", ["JSON"]),
    core.tests("DigestTests", ["Digest"]),
    core.tests("CompressionTests", ["Compression"]),
    core.tests("DatastoreTests", ["Datastore", "JSON"]),
    core.tests("RevisionTreeTests", ["RevisionTree", "Datastore", "JSON"]),
    core.tests("SelectorsTests", ["Selectors", "Datastore", "JSON"]),
    core.tests("StorageTests", ["CSQLite", "Storage"]),
    stores.tests(
      "ReferenceDatastoreTests", ["ReferenceDatastore", "Datastore", "Compression", "JSON"]),
    stores.tests(
      "SQLiteDatastoreTests",
      ["CSQLite", "SQLiteDatastore", "Storage", "Datastore", "Compression", "Digest", "JSON"]),
    stores.tests("ReplicationTests", ["Replication", "ReferenceDatastore", "Datastore", "JSON"]),
    stores.tests(
      "BundledStoresTests",
      [
        "TestSeeds",
        "TouchstoneKit", "Replication", "SQLiteDatastore", "ReferenceDatastore", "Storage",
        "Compression", "Digest",
      ]),
    stores.tests("HTTPServerTests", ["HTTPServer", "HTTPClient", "Datastore", "JSON"]),
    stores.tests("HTTPClientTests", ["HTTPClient", "Datastore", "JSON"]),
    stores.tests(
      "HTTPPeerTests",
      [
        "HTTPPeer", "CouchDBInterface", "HTTPServer", "HTTPClient", "Replication",
        "ReferenceDatastore", "Datastore", "JSON",
      ]),
    stores.tests(
      "CouchDBDatastoreTests",
      [
        "TouchstoneKit", "CouchDBDatastore", "HTTPServer", "HTTPClient", "Compression",
        "Datastore", "Digest", "JSON",
      ],
      data: ["Recorded"]),
    stores.tests(
      "CouchDBInterfaceTests",
      [
        "WireDefects", "WireConformance", "CouchDBInterface", "HTTPServer", "SQLiteDatastore",
        "ReferenceDatastore", "Storage", "Compression", "Datastore", "Digest", "JSON",
      ]),
    checking.tests(
      "HostilePeerTests",
      [
        "HostilePeer", "CouchDBInterface", "HTTPServer", "ReferenceDatastore", "Datastore", "JSON",
      ]),
    checking.tests("ScenariosTests", ["Scenarios", "Datastore", "JSON"]),
    checking.tests("OraclesTests", ["Oracles", "Datastore", "JSON"]),
    checking.tests(
      "ConcurrentClientsTests",
      ["ConcurrentClients", "Datastore", "JSON"]),
    checking.tests(
      "ResolverCheckingTests",
      ["ResolverChecking", "Datastore", "JSON"]),
    checking.tests("TrafficLintTests", ["TrafficLint", "Datastore", "JSON"]),
    checking.tests(
      "RenderingTests", ["Rendering", "Scenarios", "Datastore", "Digest", "JSON"]),
    checking.tests("AdaptersTests", ["Conformance", "Adapters", "Scenarios", "Datastore", "JSON"]),
    checking.tests("WireConformanceTests", ["WireConformance", "JSON"]),
    checking.tests(
      "SimulationTests",
      [
        "TestSeeds",
        "Simulation", "Oracles", "Scenarios", "Replication", "SQLiteDatastore",
        "ReferenceDatastore", "Storage", "Selectors", "Datastore", "JSON",
      ]),
    checking.tests(
      "ConformanceTests",
      ["Conformance", "Scenarios", "Datastore", "Digest", "JSON"]),
    checking.tests(
      "DiagnosisTests",
      [
        "ObjectOperations", "Defects", "Diagnosis", "Conformance", "ReferenceDatastore",
        "Scenarios", "Datastore",
        "JSON",
      ], data: ["Recorded"]),
    objects.tests(
      "ObjectMappingTests",
      [
        "ObjectOperations", "ObjectMapping", "SQLiteDatastore", "ReferenceDatastore", "Storage",
        "Datastore", "JSON",
      ]),
    objects.tests(
      "ModelFilesTests",
      ["ModelFiles", "ObjectMapping", "ReferenceDatastore", "Datastore", "JSON"]),
    objects.tests(
      "ObjectContextsTests",
      [
        "TestSeeds",
        "ObjectOperations", "ObjectContexts", "ObjectMapping", "Replication", "SQLiteDatastore",
        "ReferenceDatastore", "Storage", "Datastore", "JSON",
      ] + onlyWithHTTP(["HTTPPeer", "CouchDBInterface", "HTTPServer", "HTTPClient"])),
    objects.tests(
      "CollectionsTests",
      [
        "ObjectOperations", "Collections", "ObjectContexts", "ObjectMapping", "ReferenceDatastore",
        "Selectors", "Datastore", "JSON",
      ]),
    objects.tests(
      "CollectionsInterfaceTests",
      [
        "CollectionsInterface", "TouchstoneKit", "ObjectOperations", "Collections",
        "ObjectContexts", "ReferenceDatastore", "HTTPServer", "HTTPClient", "Datastore", "JSON",
      ]),
    objects.tests(
      "ObjectOperationsTests",
      [
        "ObjectOperations", "Collections", "ObjectContexts", "ObjectMapping", "Replication",
        "SQLiteDatastore", "ReferenceDatastore", "Storage", "Datastore", "JSON",
      ]),
    objects.tests(
      "ObjectSimulationTests",
      [
        "TestSeeds",
        "ObjectSimulation", "ObjectOperations", "Collections", "ObjectContexts", "ObjectMapping",
        "Simulation", "Oracles", "Rendering", "Scenarios", "Replication", "SQLiteDatastore",
        "ReferenceDatastore", "Storage", "Selectors", "Datastore", "JSON",
      ]),
    lab.tests(
      "GenerationTests", ["Generation", "Scenarios", "ReferenceDatastore", "Datastore", "JSON"]),
    lab.tests("BenchmarksTests", ["Benchmarks", "Storage", "Datastore", "JSON"]),
    lab.tests(
      "CrashTestingTests",
      [
        "TestSeeds",
        "Defects", "CrashTesting", "Simulation", "Oracles", "Replication", "SQLiteDatastore",
        "Storage", "Datastore", "JSON",
      ]),
    lab.tests(
      "RacingStoresTests", ["RacingStores", "ConcurrentClients", "Datastore", "JSON"]),
    lab.tests(
      "ResolverDefectsTests",
      ["ResolverDefects", "ResolverChecking", "Datastore", "JSON"]),
    lab.tests("WireDefectsTests", ["WireDefects", "WireConformance", "JSON"]),
    lab.tests(
      "DefectsTests",
      ["Defects", "Simulation", "Scenarios", "ReferenceDatastore", "Datastore", "JSON"]),
    lab.tests(
      "ObjectDefectsTests",
      [
        "ObjectDefects", "Defects", "Conformance", "Simulation", "Scenarios", "ObjectSimulation",
        "ObjectOperations", "Collections", "ObjectContexts", "Replication", "ReferenceDatastore",
        "Datastore", "JSON",
      ]),
    lab.tests(
      "VariantsTests",
      [
        "TestSeeds",
        "Variants", "ObjectOperations", "Conformance", "Simulation", "Scenarios",
        "Replication", "ReferenceDatastore", "Datastore", "JSON",
      ]),
    lab.tests(
      "SQLiteSimulationTests",
      [
        "TestSeeds",
        "SQLiteSimulation", "SQLiteDatastore", "Storage", "ConcurrentClients", "Defects",
        "Simulation", "Scenarios", "Datastore", "JSON",
      ]),
    application.tests("TouchstoneKitTests", ["TouchstoneKit", "Conformance"]),
    application.tests("TouchstoneSQLiteTests", ["TouchstoneSQLite"]),
    application.tests(
      "TouchstoneTests",
      [
        "TestSeeds",
        "touchstone", "TouchstoneKit", "ObjectDefects", "Defects", "Generation", "Conformance",
        "Scenarios", "ReferenceDatastore", "Datastore", "JSON",
      ] + onlyWithHTTP(["HTTPClient"])),
  ],
  swiftLanguageModes: [.v6]
)
