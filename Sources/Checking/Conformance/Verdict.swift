/// The verdict of a vector about an implementation.
public enum Verdict: Hashable, Sendable {
  /// Every outcome is as expected.
  case pass
  /// An outcome differs from the expectation.
  case fail(Witness)
  /// It did not run, because the implementation lacks an offer; never a pass.
  case skipped(Skip)
  /// Unknown: the harness failed, the disk was full or the store busy, or the vector is invalid.
  case harnessError(HarnessFailure)

  /// All names.
  package static let names: Set<String> = ["pass", "fail", "skipped", "notTested", "harnessError"]

  /// The name of the verdict in reports.
  public var name: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .skipped(let skip): skip.isRestricted ? "notTested" : "skipped"
    case .harnessError: "harnessError"
    }
  }

  /// True for `pass` only; a skip is not a pass.
  public var isPass: Bool { self == .pass }
}

extension Verdict: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pass: "pass"
    case .fail(let witness): witness.description
    case .skipped(let skip): "\(skip.isRestricted ? "not tested" : "skipped"): \(skip)"
    case .harnessError(let failure): "harness error: \(failure)"
    }
  }
}

/// The reason why a vector has no verdict.
public struct HarnessFailure: Hashable, Sendable, CustomStringConvertible {
  /// The reason, for readers.
  public let message: String
  /// The step in progress; nil before the first.
  public let step: Int?

  /// Creates a reason.
  public init(_ message: String, step: Int? = nil) {
    self.message = message
    self.step = step
  }

  public var description: String { step.map { "step \($0): \(message)" } ?? message }
}
