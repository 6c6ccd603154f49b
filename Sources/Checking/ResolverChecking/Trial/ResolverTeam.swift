internal import Datastore

/// The resolvers of one check: one for each device, and a second one for the first device.
struct ResolverTeam {
  /// The resolvers of the devices, in the order of `ConflictCase.devices`.
  let devices: [any ConflictResolver]
  /// Another resolver of the first device: for an adapter, another process.
  let second: any ConflictResolver

  /// The number of devices that resolve.
  static let count = 3

  init(
    _ make: (_ device: String) throws(HarnessError) -> any ConflictResolver
  ) throws(HarnessError) {
    var devices: [any ConflictResolver] = []
    for name in ConflictCase.devices.prefix(Self.count) { devices.append(try make(name)) }
    self.devices = devices
    second = try make(ConflictCase.devices[0])
  }

  func close() {
    for resolver in devices + [second] { resolver.close() }
  }
}
