/// A generated vector would not be right, which is an error in its generator.
public struct GenerationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
