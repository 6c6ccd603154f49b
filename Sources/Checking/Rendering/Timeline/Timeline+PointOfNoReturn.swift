internal import Datastore
internal import JSON
public import Scenarios

extension Timeline {
  /// Adds a row after the event that is the point of no return, once its last entry has a row.
  mutating func addPointOfNoReturn() {
    guard let point = trace.pointOfNoReturn, case .event(let entries) = point.place,
      rowsOfEntries.count == entries.upperBound, let first = entries.first
    else { return }
    let places = rowsOfEntries[first]..<rows.count
    // A step may read before it writes.
    let writing = entries.first { !trace.entries[$0].isRead }
    let event =
      places.first { rows[$0].isTransition } ?? writing.map { rowsOfEntries[$0] }
      ?? places.lowerBound
    rowOfNoReturn = event
    let (before, after) = (point.before, point.after)
    var row = row(
      at: rows[event].time, nil, .noReturn, step: "",
      words: "no return: \(before.saving) of \(before.tried) avoid it before, "
        + "\(after.saving) of \(after.tried) after")
    row.isTransition = true
    row.documents = point.document.map { [$0] } ?? []
    rows.append(row)
  }
}

extension Trace.Entry {
  /// Whether it is an operation that changes nothing in a correct store.
  fileprivate var isRead: Bool {
    if case .performed(let operation, _) = event { operation.action.isRead } else { false }
  }
}

extension Trace {
  /// The point of no return in sentences; nil if it was not searched.
  public var pointOfNoReturnText: String? {
    pointOfNoReturn.map { $0.text(Timeline(self)) }
  }
}

extension Trace.PointOfNoReturn {
  func text(_ timeline: Timeline) -> String {
    let goal = Goal(of: self, timeline.trace.findings.first)
    let (beforeIt, afterIt) =
      whileRunning == nil
      ? ("Before it", "after it")
      : ("If all replication ends before it", "if it ends after it")
    switch place {
    case .beginning:
      return "No point of no return: no continuation of the beginning \(goal.verb(1)), "
        + "0 of \(after.tried)."
    case .afterTheRun:
      return "No point of no return: \(afterIt == "after it" ? "" : "if all replication ends ")"
        + "after the last event, \(after.words) of \(after.tried) continuations "
        + "\(goal.verb(after.saving))."
    case .event:
      guard let number = timeline.rowOfNoReturn else { return "" }
      let row = timeline.rows[number]
      let lane = row.lane.map { ", replica \(timeline.lanes[$0].name)" } ?? ""
      let step = row.step.isEmpty ? "" : ", step \(row.step)"
      return "Point of no return: \(row.words) (\(seconds(row.time)) s\(lane)\(step)). "
        + "\(beforeIt), \(before.words) of \(before.tried) continuations "
        + "\(goal.verb(before.saving)); \(afterIt), none of \(after.tried)."
        + runningText + (timeline.lanes.count > 1 ? remedyText : "")
    }
  }

  /// What happens to a session that still runs at the end of the run.
  private var runningText: String {
    guard let whileRunning, whileRunning.saving > 0 else { return "" }
    return " If it goes on, \(whileRunning.words) of \(whileRunning.tried) avoid the finding."
  }

  private var remedyText: String {
    switch remedy {
    case .allPairs: " Replication between all pairs of replicas would still repair it."
    case .withoutCheckpoints:
      " Replication between all pairs without checkpoints would still repair it."
    case nil: " Replication between all pairs without checkpoints does not repair it either."
    }
  }

  /// What a continuation does that avoids the finding.
  private struct Goal {
    let verb: String
    let ending: String
    let object: String

    init(of point: Trace.PointOfNoReturn, _ finding: Trace.Finding?) {
      let document = point.document?.name
      switch finding?.oracle {
      case "liveness": (verb, ending, object) = ("converge", "converges", "")
      case "convergence":
        (verb, ending) = ("end", "ends")
        object = " with the same \(document ?? "documents") at all replicas"
      default:
        (verb, ending) = ("end", "ends")
        object = " without a loss or a difference\(document.map { " in \($0)" } ?? "")"
      }
    }

    func verb(_ count: Int) -> String { (count == 1 ? ending : verb) + object }
  }
}

extension Trace.PointOfNoReturn.Tally {
  /// The number of continuations that avoid the finding, in words.
  fileprivate var words: String {
    saving == 0 ? "none" : saving == tried ? "all" : "\(saving)"
  }
}
