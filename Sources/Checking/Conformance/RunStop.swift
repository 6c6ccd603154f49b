internal import Datastore
internal import JSON

/// The reason why a run ended before its last vector.
public enum RunStop: Hashable, Sendable {
  /// The user interrupted the run.
  case interrupted
  /// More than `RunQueue.equalErrorsMax` vectors in a row ended with the same error.
  case repeatedError(String)

  /// The name of the reason in reports.
  public var name: String {
    switch self {
    case .interrupted: "interrupted"
    case .repeatedError: "repeatedError"
    }
  }

  /// The reason as a phrase.
  var words: String {
    switch self {
    case .interrupted: "interrupted"
    case .repeatedError(let error):
      "more than \(RunQueue.equalErrorsMax) vectors in a row ended with the same error: \(error)"
    }
  }
}

/// The progress of a run.
public struct RunProgress: Hashable, Sendable {
  /// The number of vectors with a result.
  public let done: Int
  /// The number of vectors of the run.
  public let count: Int
  /// The number of vectors that failed or have no verdict.
  public let failures: Int
  /// The number of vectors that were skipped, which takes no time.
  public let skipped: Int
}

extension RunReport.Result {
  /// The error that another vector can end with as well: a protocol error, a missing response, or an
  /// error of the harness; nil for a verdict about the store and for a crash.
  ///
  /// Malformed responses of one kind are equal whatever their text is, because a debug output can
  /// contain a counter.
  var repeatableError: (key: String, message: String)? {
    switch verdict {
    case .pass, .skipped: nil
    case .harnessError(let failure): (failure.message, failure.message)
    case .fail(let witness):
      witness.breakdown.flatMap { breakdown in
        guard breakdown.isProtocolError else { return nil }
        let message = witness.diagnosis.first ?? witness.message
        // A response with a wrong member is specific to its operation.
        return (breakdown.answer == nil ? breakdown.shape.string : message, message)
      }
    }
  }
}
