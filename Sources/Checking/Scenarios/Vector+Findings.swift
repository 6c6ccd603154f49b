internal import Datastore
public import JSON

extension Vector {
  /// The errors of a vector whose parts are well formed; empty for a valid vector.
  ///
  /// - Parameter path: the path of the vector in its file, the prefix of the paths of findings.
  public func findings(path: String = "") -> [DecodingFailure] {
    var findings: [DecodingFailure] = []
    func report(_ place: String, _ message: String) {
      let path = DecodingPath.member(JSONString(place), of: path)
      findings.append(DecodingFailure(path: path, message: message))
    }
    if !id.isKebabCase { report("id", "expected lower-case words joined by '-', found '\(id)'") }
    if clauses.isEmpty { report("clauses", "expected at least one clause") }
    if Set(clauses).count < clauses.count { report("clauses", "duplicate clause") }
    if Set(capabilities).count < capabilities.count {
      report("capabilities", "duplicate capability")
    }
    if note.isEmpty { report("note", "expected a note with the purpose of the vector") }
    if provenance != nil, generated != nil {
      report("generated", "expected provenance or generated, found both")
    }
    if steps.isEmpty { report("steps", "expected at least one step") }
    for (index, step) in steps.enumerated() {
      let needed = step.capabilities.subtracting(capabilities)
      let place = step.template == nil ? step.name.string : "do"
      for capability in Capability.allCases where needed.contains(capability) {
        report(
          "steps[\(index)].\(place)",
          "needs the capability '\(capability.rawValue)'; add it to the vector")
      }
      if case .oneOf = step.expectation, index != steps.count - 1 {
        report("steps[\(index)].expect", "expected 'oneOf' only in the last step")
      }
    }
    return findings + nameFindings(path: path) + orderFindings(path: path)
  }

  /// Names that are used before they are bound, or bound twice.
  private func nameFindings(path: String) -> [DecodingFailure] {
    var bound: Set<JSONString> = []
    var findings: [DecodingFailure] = []
    func use(_ name: JSONString, _ path: String) {
      guard !bound.contains(name) else { return }
      findings.append(
        DecodingFailure(path: path, message: "no earlier step binds '\(name)'"))
    }
    func read(_ expectation: ExpectedOutcome, _ path: String) {
      switch expectation {
      case .error(let pattern), .ok(let pattern):
        let member: JSONString = if case .ok = expectation { "ok" } else { "error" }
        pattern.visit(path: DecodingPath.member(member, of: path)) { pattern, path in
          if case .ref(let name) = pattern { use(name, path) }
          if case .bind(let name, _) = pattern, !bound.insert(name).inserted {
            findings.append(DecodingFailure(path: path, message: "'\(name)' is already bound"))
          }
        }
      case .oneOf(let alternatives):
        let before = bound
        for alternative in alternatives {
          // Alternatives are independent of each other.
          bound = before
          read(alternative, path)
        }
        bound = before
      }
    }
    let path = DecodingPath.member("steps", of: path)
    for (index, step) in steps.enumerated() {
      for reference in step.template?.references ?? [] { use(reference.name, reference.path) }
      if let expectation = step.expectation {
        let path = DecodingPath.element(index, of: path)
        read(expectation, DecodingPath.member("expect", of: path))
      }
    }
    return findings
  }
}

extension VectorID {
  /// Whether the name is made of lower-case words and numbers joined by single hyphens.
  fileprivate var isKebabCase: Bool {
    var previous = UInt8(ascii: "-")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "-"): guard previous != byte else { return false }
      default: return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: "-")
  }
}
