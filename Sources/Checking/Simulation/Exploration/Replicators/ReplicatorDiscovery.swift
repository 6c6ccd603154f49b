internal import Datastore
internal import JSON
internal import Replication

extension ReplicatorDiscovery {
  init(_ finding: TrialFinding, _ trial: ReplicatorTrial) {
    setting = trial.setting.name
    shape = finding.shape
    sentence = finding.sentence
    var steps: [ReplicatorTrial.Trail] = []
    var step = trial.trail
    while let known = step {
      steps.append(known)
      step = known.before
    }
    steps.reverse()
    let happened = steps.compactMap { step in
      step.event.map { "\(step.request):\($0.token)" }
    }
    events = happened.count
    plan = ([trial.setting.name] + happened).joined(separator: " ")
    story = Self.story(steps)
  }

  /// One line for each request and each event; consecutive undisturbed requests before the first
  /// event share one line.
  private static func story(_ steps: [ReplicatorTrial.Trail]) -> [String] {
    var lines: [String] = []
    var run = -1
    let firstEvent = steps.firstIndex { $0.event != nil } ?? 0
    // The requests before the first event show its context.
    let from = max(0, firstEvent - 3)
    if from > 0 { lines.append("run 1: \(from) requests without an event") }
    for step in steps.dropFirst(from) {
      let number = "run \(step.run + 1), request \(step.request)"
      if step.run != run, step.run > 0 {
        lines.append("run \(step.run + 1) begins, without faults")
      }
      run = step.run
      guard let content = step.content, let side = step.side else {
        if let event = step.event { lines.append("before \(number): \(event.sentence)") }
        continue
      }
      let words = "\(number): \(content.action.name) to the \(side.rawValue)\(content.words)"
      lines.append(step.event.map { "\(words); \($0.sentence)" } ?? words)
    }
    return lines
  }
}

extension PeerRequest {
  /// The subject of the request in a few words.
  fileprivate var words: String {
    switch self {
    case .info, .flush: return ""
    case .changes(let since, let limit, _):
      let place = since.map { "after \($0)" } ?? "from the beginning"
      return ", \(limit) rows \(place)"
    case .revsDiff(let queries), .getRevisions(let queries):
      return queries.map { query in
        " \(query.id) " + query.revs.map { "\($0)" }.joined(separator: " ")
      }.joined(separator: ",")
    case .insertRevisions(let records):
      return records.map { " \($0.id) \($0.path.first?.text.string ?? "")" }
        .joined(separator: ",")
    case .readLocal(let id): return " \(id)"
    case .writeLocal(let id, let body):
      let recorded = body.objectValue?["history"]?.arrayValue?.first?.objectValue?["recorded"]
      return " \(id), recorded \(recorded?.serialized() ?? "nothing")"
    case .readAttachment(let id, _, let name, let offset, _):
      return " \(id) \(name) from byte \(offset ?? 0)"
    case .putBlob(_, let offset, let bytes):
      return bytes == "" ? ", the size" : ", bytes from \(offset)"
    }
  }
}
