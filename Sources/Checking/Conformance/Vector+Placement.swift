internal import Datastore
internal import JSON
internal import Scenarios

/// The folder rules of vectors: the folder of a file states what a store must offer.
///
/// Folders may have subfolders: the first part of the path and the file name count.
///
/// - Returns: Paths in the vector, each with a problem.
func placementProblems(
  _ vector: Vector, family: JSONString, file: String
) -> [(path: String, message: String)] {
  var problems: [(path: String, message: String)] = []
  if !vector.id.text.utf8.starts(with: Array(family.utf8) + [UInt8(ascii: "-")]) {
    problems.append(("id", "expected an id with the prefix '\(family)-'"))
  }
  let parts = file.utf8.split(separator: UInt8(ascii: "/")).map { JSONString(String($0) ?? "") }
  if parts.count >= 2, (parts[0] == "generated") != (vector.generated != nil) {
    problems.append(("generated", "expected for vectors below 'generated', and only for these"))
  }
  guard parts.count > 1, let last = parts.last else { return problems + profileProblems(vector) }
  let name = JSONString(String(last.string.dropLast(".json".count)))
  switch parts[0] {
  case "core":
    if vector.profile != .core { problems.append(("profile", "expected 'core' for a core vector")) }
    if !vector.capabilities.isEmpty {
      problems.append(("capabilities", "expected no capability for a core vector"))
    }
  case "capabilities":
    if !vector.capabilities.contains(where: { $0.names(name) }) {
      problems.append(
        ("capabilities", "expected the capability '\(name)', as in the name of the file"))
    }
  case "profiles":
    if JSONString(vector.profile.rawValue) != name {
      problems.append(("profile", "expected '\(name)', as in the name of the file"))
    }
  case "observed":
    if vector.provenance == nil {
      problems.append(("provenance", "required for an observed vector"))
    }
  default: break
  }
  return problems + profileProblems(vector)
}

/// The arguments of `open` in a vector that are not part of its profile.
private func profileProblems(_ vector: Vector) -> [(path: String, message: String)] {
  var problems: [(path: String, message: String)] = []
  for (index, step) in vector.steps.enumerated() {
    guard case .open(let revisionIDs, let collation)? = step.template?.sample.action
    else { continue }
    let promised: Set<Profile>
    switch (revisionIDs, collation) {
    case (.cdtDigest, _), (.cdtDigest2, _): promised = [.cdtDigest]
    case (_, .cdt): promised = [.cdtCollation]
    case (.couchdb, _), (_, .couchdb): promised = [.couchdb]
    default: continue
    }
    if !promised.contains(vector.profile) {
      problems.append(
        ("steps[\(index)].do", "not part of the profile '\(vector.profile.rawValue)'"))
    }
  }
  return problems
}

extension Capability {
  /// Whether a file name belongs to it: `purge`, or a part such as `purge-limits`.
  fileprivate func names(_ file: JSONString) -> Bool {
    file == fileName || file.utf8.starts(with: Array(fileName.utf8) + [UInt8(ascii: "-")])
  }

  /// The name of the file of its vectors: `atomic-batch` for `atomicBatch`.
  fileprivate var fileName: JSONString {
    var bytes: [UInt8] = []
    for byte in rawValue.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      bytes += isUpper ? [UInt8(ascii: "-"), byte | 0x20] : [byte]
    }
    return JSONString(String(decoding: bytes, as: UTF8.self))
  }
}
