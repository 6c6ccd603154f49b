public import Datastore
internal import JSON
internal import Scenarios

// A single vector in tests of packages.

extension CorpusVector {
  /// Runs the vector on an implementation, which is reset first.
  public func verdict(on implementation: any ImplementationUnderTest) -> Verdict {
    Runner(implementation).verdict(on: self)
  }

  /// Throws unless the implementation passes; the error describes the witness.
  ///
  /// A skip throws as well, because it is not a pass. So does a core vector, whatever its verdict,
  /// if the implementation declares limits below the minimum.
  public func check(
    _ implementation: any ImplementationUnderTest
  ) throws(NonconformanceError) {
    let faults = vector.isCore ? implementation.description.declarationFaults : []
    guard faults.isEmpty else {
      throw NonconformanceError(vector: self, message: faults.joined(separator: "\n"))
    }
    let verdict = verdict(on: implementation)
    guard verdict.isPass else {
      throw NonconformanceError(vector: self, message: verdict.description)
    }
  }
}

/// The error for an implementation that does not pass a vector.
public struct NonconformanceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The vector that did not pass.
  public let vector: CorpusVector
  /// The reason, for readers.
  public let message: String

  public var description: String { message }
}
