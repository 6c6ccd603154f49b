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
  products: [],
  targets: [
    // Floor 0: system libraries.
    systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    systemLibrary("CJansson", pkgConfig: "jansson", apt: "libjansson-dev", brew: "jansson"),
    systemLibrary("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),

    // Floor 1: values and digests.
    module("JSON"),
    module("Digest", ["CCrypto"]),

    // Floor 2: the contract.
    module("Datastore", ["JSON"]),

    // Floor 3: values and files.
    module("RevisionTree", ["Datastore", "JSON"]),

    // Floor 4: the model.
    module("ReferenceDatastore", ["RevisionTree", "Datastore", "Digest", "JSON"]),

    // Floor 8: random and exhaustive exploration.
    module("Simulation", ["ReferenceDatastore", "Datastore", "JSON"]),

    // Tests, one target per module.
    tests("JSONTests", ["JSON"]),
    tests("DigestTests", ["Digest"]),
    tests("DatastoreTests", ["Datastore", "JSON"]),
    tests("RevisionTreeTests", ["RevisionTree", "Datastore", "JSON"]),
    tests("ReferenceDatastoreTests", ["ReferenceDatastore", "Datastore", "JSON"]),
    tests("SimulationTests", ["Simulation", "ReferenceDatastore", "Datastore", "JSON"]),
  ],
  swiftLanguageModes: [.v6]
)
