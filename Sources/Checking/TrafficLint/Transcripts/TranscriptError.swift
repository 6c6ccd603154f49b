/// A transcript cannot be read.
public struct TranscriptError: Error, Equatable, CustomStringConvertible {
  /// Where, such as `line 12` or `entry 3`.
  public let place: String
  /// What is wrong, and what was expected.
  public let message: String

  public var description: String { "\(place): \(message)" }
}
