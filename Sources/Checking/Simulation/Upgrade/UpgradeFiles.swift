public import Datastore

/// The files of one case, which one version after the other opens.
///
/// The files are removed with the last reference to this object, unless they are kept.
public protocol UpgradeFiles: AnyObject {
  /// Starts a version on the files as they are, and removes nothing.
  ///
  /// - Throws: the reason why the version did not start.
  func start(_ version: UpgradeVersion) throws(HarnessError) -> any ImplementationUnderTest

  /// Ends the running version.
  ///
  /// - Throws: an error with a `breakdown` if the version did not end as it should.
  func end(_ end: UpgradeEnd) throws(HarnessError)

  /// Keeps the files beyond this object.
  ///
  /// - Returns: their place; nil if they exist in memory only.
  func keep() -> String?
}

/// One of the two versions of an upgrade.
public enum UpgradeVersion: String, Hashable, Sendable {
  /// The version that writes the files.
  case old
  /// The version that opens the files of the other one.
  case new
}

/// The way in which a version ends before the other one starts.
public enum UpgradeEnd: String, Hashable, Sendable {
  /// The version ends in its own way.
  case stop
  /// The process is killed between two operations.
  case kill
}

/// A part of a case: between two parts the running version is replaced.
public enum UpgradePhase: String, Hashable, Sendable, CaseIterable {
  /// The old version writes the files.
  case before
  /// The new version opens them.
  case after
  /// The old version opens the files that the new one changed.
  case back

  /// The version that runs in this phase.
  public var version: UpgradeVersion { self == .after ? .new : .old }
}
