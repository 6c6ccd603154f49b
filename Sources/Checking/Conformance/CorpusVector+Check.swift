public import Datastore
internal import JSON
internal import Scenarios

// The face for tests of one's own:
//
//     @Test(arguments: try Corpus.standard().vectors(offeredBy: MyStore()))
//     func conforms(to vector: CorpusVector) throws {
//       try vector.check(MyStore())
//     }

extension Corpus {
  /// The vectors that an implementation has to pass: core, and what it says that it offers.
  public func vectors(offeredBy implementation: any ImplementationUnderTest) -> [CorpusVector] {
    let description = implementation.description
    return vectors.filter { $0.skip(for: description) == nil }
  }
}

extension CorpusVector {
  /// What the vector says about an implementation, which is reset first.
  public func verdict(on implementation: any ImplementationUnderTest) -> Verdict {
    Runner(implementation).verdict(on: self)
  }

  /// Throws unless the implementation passes; the error says everything that a witness knows.
  ///
  /// A skip throws as well, for it is no pass. So does a core vector, whatever its verdict, when the
  /// implementation declares limits below the minimum.
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

/// An implementation does not pass a vector.
public struct NonconformanceError: Error, Hashable, Sendable, CustomStringConvertible {
  public let vector: CorpusVector
  /// Why, for people.
  public let message: String

  public var description: String { message }
}
