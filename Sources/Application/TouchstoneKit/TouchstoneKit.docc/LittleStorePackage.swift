// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "my-store",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../touchstone")],
  targets: [
    .target(name: "MyStore"),
    .testTarget(
      name: "MyStoreTests",
      dependencies: ["MyStore", .product(name: "TouchstoneKit", package: "touchstone")]),
  ]
)
