/// What a vector says about an implementation.
public enum Verdict: Hashable, Sendable {
  case pass
  case fail(Witness)
  /// It was not asked, because it does not offer what the vector is about; never a pass.
  case skipped(Skip)
  /// Nobody knows: it could not be asked, its disk was full or it was busy, or the vector is at fault.
  case harnessError(HarnessFailure)

  /// The name of the verdict in reports.
  public var name: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .skipped: "skipped"
    case .harnessError: "harnessError"
    }
  }

  public var isPass: Bool { self == .pass }
}

extension Verdict: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pass: "pass"
    case .fail(let witness): witness.description
    case .skipped(let skip): "skipped: \(skip)"
    case .harnessError(let failure): "harness error: \(failure)"
    }
  }
}

/// Why a vector came to no verdict.
public struct HarnessFailure: Hashable, Sendable, CustomStringConvertible {
  public let message: String
  /// The step that was being performed; nil before the first.
  public let step: Int?

  public init(_ message: String, step: Int? = nil) {
    self.message = message
    self.step = step
  }

  public var description: String { step.map { "step \($0): \(message)" } ?? message }
}
