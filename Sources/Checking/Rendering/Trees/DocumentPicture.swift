public import Datastore
public import Scenarios

/// The final revisions of one document at each replica, for a terminal.
public struct DocumentPicture {
  let id: DocumentID
  private let replicas: [(name: String, branches: [Trace.Branch])]

  public init(_ id: DocumentID, in trace: Trace) {
    self.id = id
    var branches: [ReplicaName: [Trace.Branch]] = [:]
    for entry in trace.entries {
      guard case .holds(id, let held) = entry.event, let replica = entry.replica else { continue }
      branches[replica] = held
    }
    replicas = trace.scenario.replicas.map { ($0.name, branches[$0] ?? []) }
  }

  /// The trees, one below the other, each after the name of its replica.
  public func lines(width: Int = 100) -> [String] {
    let room = min(12, replicas.map { $0.name.unicodeScalars.count }.max() ?? 0)
    var lines = ["\(id.name)   \(RevisionPicture.textLegend)"]
    for (name, branches) in replicas {
      let tree = RevisionPicture(branches).text(width: max(20, width - room - 4))
      for (place, line) in tree.enumerated() {
        let label = place == 0 ? name.cut(to: room) : ""
        lines.append("  \(label.padded(to: room))  \(line)")
      }
    }
    return lines
  }
}
