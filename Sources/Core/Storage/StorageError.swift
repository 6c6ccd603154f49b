/// The error of a failed step on a file.
public struct StorageError: Error, Hashable, Sendable {
  /// The category of the failure.
  public enum Kind: Hashable, Sendable {
    /// The disk is full.
    case full
    /// The medium or the system failed.
    case io
    /// Changes are not permitted here.
    case readOnly
    /// The folder or its parent does not exist or is not a folder.
    case noFolder
  }

  public let kind: Kind
  /// The attempted step, such as `delete`.
  public let step: String
  /// The file or folder of the step.
  public let fileName: String
  /// The system's description of the reason.
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
