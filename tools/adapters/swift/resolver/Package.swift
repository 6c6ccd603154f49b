// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "resolver",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "resolver", dependencies: [.product(name: "TouchstoneKit", package: "touchstone")])
  ])
