internal import Adapters
internal import CrashTesting
internal import Datastore
internal import Simulation
internal import Storage

/// The folder of one case of an upgrade. It is removed with this object and at the end of the
/// program, unless it is kept.
final class UpgradeFolder: UpgradeFiles {
  private let folder: DataFolder
  private let versions: (old: StoreVersion, new: StoreVersion)
  private var running: RunningVersion?

  /// - Parameter end: the end of a recorded version, which has left its files.
  init(
    _ old: StoreVersion, _ new: StoreVersion, after end: UpgradeEnd
  ) throws(HarnessError) {
    versions = (old, new)
    folder = try Self.make()
    guard let recorded = old.recorded else { return }
    try StorageChoice.mark(folder.path)
    let storage: DiskStorage
    do throws(StorageError) { storage = try DiskStorage(directory: folder.path) } catch {
      throw HarnessError("\(error)")
    }
    try recorded.write(to: storage, isLogLeft: end == .kill)
  }

  /// A new folder.
  static func make() throws(HarnessError) -> DataFolder {
    do throws(SystemFailure) { return try DataFolder() } catch {
      throw HarnessError("cannot create a folder for a case in \(DataFolder.parent): \(error)")
    }
  }

  func start(_ version: UpgradeVersion) throws(HarnessError) -> any ImplementationUnderTest {
    let started = try (version == .old ? versions.old : versions.new).start(in: folder)
    running = started
    return started.implementation
  }

  func end(_ end: UpgradeEnd) throws(HarnessError) {
    guard let ended = running else { return }
    running = nil
    try ended.end(end)
  }

  func keep() -> String? { folder.keep() }
}
