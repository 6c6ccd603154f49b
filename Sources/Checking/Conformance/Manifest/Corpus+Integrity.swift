internal import Datastore
internal import Digest
internal import JSON
internal import Scenarios

extension Corpus {
  /// The comparison of a corpus with its manifest, and of the manifest with the released one.
  ///
  /// Only all vectors of the released corpus prove conformance.
  public enum Integrity: Hashable, Sendable {
    /// The manifest is the one that this program was built with, and every file and id matches it.
    case released
    /// Every file and id matches the manifest, but this program was built with another manifest.
    case otherManifest
    /// Without a manifest, missing vectors are not detected.
    case noManifest
    /// A part of a corpus, such as one file.
    case part
    /// Files or ids differ from the manifest; at least one difference.
    case incomplete([CorpusProblem])
  }

  /// The differences from the manifest; empty without differences or without a manifest.
  public var differences: [CorpusProblem] {
    if case .incomplete(let problems) = integrity { problems } else { [] }
  }

  /// True if all vectors of a folder were read, whatever its manifest states.
  public var isWhole: Bool { integrity != .part }
}

extension Corpus.Integrity {
  /// The kind of corpus, in a few words.
  var words: String {
    switch self {
    case .released: "released"
    case .otherManifest: "not released"
    case .noManifest: "without a manifest"
    case .part: "a part"
    case .incomplete: "differs from its manifest"
    }
  }

  /// Why a run of all vectors proves no conformance, in one phrase; nil for the released corpus.
  var reservation: String? {
    switch self {
    case .released: nil
    case .otherManifest:
      "the corpus is consistent, but differs from the corpus released with this program"
    case .noManifest: "the corpus has no manifest.json, so missing vectors are not detected"
    case .part: "only a part of a corpus"
    case .incomplete(let problems):
      "the corpus differs from its manifest: "
        + TextLayout.counted(problems.count, "difference")
    }
  }

  /// Compares the readable part of a folder with its manifest.
  ///
  /// - Parameters:
  ///   - digests: the SHA-256 of every file that was read, in lower-case hexadecimal.
  init(of corpus: Corpus, _ manifest: Manifest, sha256: String, digests: [JSONString: JSONString]) {
    let problems = manifest.differences(from: corpus, digests)
    guard problems.isEmpty else {
      self = .incomplete(problems)
      return
    }
    self = JSONString(sha256) == JSONString(ReleasedManifest.sha256) ? .released : .otherManifest
  }
}

extension Manifest {
  /// Returns every file and id that is missing, unlisted, listed twice, or different.
  func differences(from corpus: Corpus, _ digests: [JSONString: JSONString]) -> [CorpusProblem] {
    var problems: [CorpusProblem] = []
    func report(_ file: JSONString, _ message: String) {
      problems.append(CorpusProblem(file: file.string, message: message))
    }
    let clauses = JSONString(Self.clausesName)
    var present: [JSONString: [JSONString]] = [clauses: corpus.clauses.map(\.id.text)]
    for vector in corpus.vectors {
      present[JSONString(vector.file), default: []].append(vector.id.text)
    }
    var listed: Set<JSONString> = []
    var listedIDs: Set<JSONString> = []
    for file in files {
      let noun = file.path == clauses ? "clause" : "vector"
      guard listed.insert(file.path).inserted else {
        report(file.path, "listed twice in \(Self.fileName)")
        continue
      }
      for id in file.ids ?? [] where !listedIDs.insert(id).inserted {
        report(file.path, "the \(noun) '\(id)' is listed twice in \(Self.fileName)")
      }
      guard let digest = digests[file.path] else {
        report(file.path, "missing, with \(TextLayout.counted(file.count, noun))")
        continue
      }
      if digest != file.sha256 {
        report(file.path, "SHA-256 \(digest), but \(Self.fileName) says \(file.sha256)")
      }
      let ids = present[file.path] ?? []
      if ids.count != file.count {
        report(
          file.path,
          "\(TextLayout.counted(ids.count, noun)), but \(Self.fileName) says \(file.count)")
      }
      guard let expected = file.ids else { continue }
      let (found, wanted) = (Set(ids), Set(expected))
      for id in expected where !found.contains(id) {
        report(file.path, "the \(noun) '\(id)' is missing")
      }
      for id in ids where !wanted.contains(id) {
        report(file.path, "the \(noun) '\(id)' is not listed in \(Self.fileName)")
      }
    }
    let extra = digests.keys.filter { !listed.contains($0) }
    for file in extra.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      report(file, "not listed in \(Self.fileName)")
    }
    let used = Set(present.values.joined())
    for retired in retiredVectors + retiredClauses where used.contains(retired.id) {
      report(JSONString(Self.fileName), "'\(retired.id)' is retired, but in use")
    }
    return problems
  }
}
