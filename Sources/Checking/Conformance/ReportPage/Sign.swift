/// The verdicts as symbols that are distinguishable without colours.
enum Sign: String {
  case pass = "✓"
  case fail = "✕"
  case deviates = "△"
  case known = "◇"
  case unknown = "?"
  case none = "·"

  /// Its CSS class.
  var name: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .deviates: "deviates"
    case .known: "known"
    case .unknown: "unknown"
    case .none: "none"
    }
  }

  /// The symbol in words.
  var words: String {
    switch self {
    case .pass: "passed"
    case .fail: "failed"
    case .deviates: "deviates from a recommendation, or from a rule of grade contract alone"
    case .known: "known to fail"
    case .unknown: "no verdict"
    case .none: "not run"
    }
  }

  /// The sign as an element.
  var mark: String { "<i class=\"m \(name)\" title=\"\(words)\">\(rawValue)</i>" }
}

extension Sign {
  /// The sign of a result; nil is a vector that a run did not reach.
  init(_ result: RunReport.Result?) {
    switch result?.verdict {
    case .pass: self = .pass
    case .fail where result?.knownFailure != nil: self = .known
    case .fail: self = result?.vector.isRequired == true ? .fail : .deviates
    case .harnessError: self = .unknown
    case .skipped, nil: self = .none
    }
  }
}
