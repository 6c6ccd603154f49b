package import JSON
package import ReferenceDatastore

/// Finds few deviations that together explain as many failures as possible.
package struct CauseSearch {
  /// A failure and the sets of deviations that explain it; each set suffices.
  package struct Subject {
    package let vector: JSONString
    package let transcript: Transcript
    package let sets: [[Deviation]]
  }

  /// The causes, the most frequent first.
  package private(set) var causes: [Cause] = []
  /// The vectors whose outcomes the rules permit: their expectation is stricter than the rules.
  package private(set) var permitted: [JSONString] = []
  /// The vectors that no set of known deviations explains.
  package private(set) var unexplained: [JSONString] = []

  /// A deviation with the vectors that it explains, alone or together with others.
  package struct Cause {
    package let deviation: Deviation
    package private(set) var vectors: [JSONString]
    /// The shortest transcript that the deviation explains alone, or else together with others.
    package let demonstration: Transcript
  }

  /// Searches among some deviations.
  package init(_ failures: [(vector: JSONString, transcript: Transcript)], among known: [Deviation])
  {
    let subjects = failures.map { failure in
      Subject(
        vector: failure.vector, transcript: failure.transcript,
        sets: failure.transcript.explanations(among: known))
    }
    var remaining = subjects.filter { !$0.sets.isEmpty }
    var chosen: [Deviation] = []
    while !remaining.isEmpty {
      guard let best = Self.best(remaining, beside: chosen) else { break }
      chosen += best
      let ids = Set(chosen.map(\.id))
      remaining.removeAll { subject in
        subject.sets.contains { $0.allSatisfy { ids.contains($0.id) } }
      }
    }
    // The set as a whole has to explain each failure: the store has all of its deviations.
    let all = Deviation.named(chosen.map(\.id))
    var explained: [(subject: Subject, by: [Deviation])] = []
    for subject in subjects {
      if let by = subject.transcript.explanation(by: all), !by.isEmpty {
        explained.append((subject, by))
      } else if subject.transcript.isPermitted(with: []) {
        permitted.append(subject.vector)
      } else {
        unexplained.append(subject.vector)
      }
    }
    for deviation in all {
      let own = explained.filter { $0.by.contains { $0.id == deviation.id } }
      let shortest = own.min {
        ($0.by.count, $0.subject.transcript.operationCount)
          < ($1.by.count, $1.subject.transcript.operationCount)
      }
      guard let shortest else { continue }
      causes.append(
        Cause(
          deviation: deviation, vectors: own.map(\.subject.vector),
          demonstration: shortest.subject.transcript))
    }
    causes.sort { $0.vectors.count > $1.vectors.count }
  }

  /// The set that completes the explanation of the most failures per deviation.
  private static func best(_ remaining: [Subject], beside chosen: [Deviation]) -> [Deviation]? {
    let known = Set(chosen.map(\.id))
    var order: [[String]] = []
    var sets: [[String]: [Deviation]] = [:]
    var counts: [[String]: Int] = [:]
    for subject in remaining {
      for set in subject.sets {
        let missing = set.filter { !known.contains($0.id) }
        let key = missing.map(\.id)
        if counts[key] == nil {
          order.append(key)
          sets[key] = missing
        }
        counts[key, default: 0] += 1
      }
    }
    let best = order.max { left, right in
      // The first of equal ones is kept.
      (counts[left] ?? 0) * right.count < (counts[right] ?? 0) * left.count
    }
    return best.flatMap { sets[$0] }
  }
}
