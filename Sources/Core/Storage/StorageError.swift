/// Why a step on a file did not happen.
public struct StorageError: Error, Hashable, Sendable {
  /// What the caller can make of it.
  public enum Kind: Hashable, Sendable {
    /// There is no room left.
    case full
    /// The medium or the system failed.
    case io
    /// Nothing may be changed here.
    case readOnly
    /// The folder, or the one that should hold it, does not exist or is no folder.
    case noFolder
  }

  public let kind: Kind
  /// What was attempted, such as `delete`.
  public let step: String
  /// The file or folder that it was attempted on.
  public let fileName: String
  /// The reason in the words of the system.
  public let reason: String

  public init(_ kind: Kind, step: String, fileName: String, reason: String) {
    self.kind = kind
    self.step = step
    self.fileName = fileName
    self.reason = reason
  }
}

extension StorageError: CustomStringConvertible {
  public var description: String { "\(step) \(fileName): \(reason)" }
}
