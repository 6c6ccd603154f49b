/// A generated vector would be wrong, because of an error in its generator.
public struct GenerationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
