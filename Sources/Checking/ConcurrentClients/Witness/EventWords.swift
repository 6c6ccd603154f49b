internal import Datastore
internal import JSON

/// Events and states in words.
struct EventWords {
  private let names: RevisionNames
  private let documents: [HistoryReading.DocumentKey]

  init(_ reading: HistoryReading) {
    names = reading.names
    documents = reading.documentKeys
  }

  /// A revision with the first digits of its suffix.
  func text(of rev: Int32) -> String {
    let text = names.ids[Int(rev)].text.string
    let parts = text.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, parts[1].utf8.count > 6 else { return text }
    // Inserted revisions differ in their last digits.
    return parts[1].hasPrefix("0000")
      ? "\(parts[0])-…\(parts[1].suffix(4))"
      : "\(parts[0])-\(parts[1].prefix(4))…"
  }

  private func text(of document: Int32, _ rest: String) -> String {
    let key = documents[Int(document)]
    return "\(key.isLocal ? "local document " : "")\(key.id) \(rest)"
  }

  private func list(_ revs: some Sequence<Int32>) -> String {
    revs.map { text(of: $0) }.joined(separator: ", ")
  }

  private func list(_ revs: [Int32], _ deleted: [Bool]) -> String {
    zip(revs, deleted).map { text(of: $0) + ($1 ? " (deleted)" : "") }.joined(separator: ", ")
  }

  private func value(_ number: Int32) -> String {
    number < 0 ? "missing" : names.bodies[Int(number)].serialized()
  }

  func text(of event: DocumentEvent) -> String {
    switch event {
    case .create(let document, let rev):
      return text(of: document, "is created as \(text(of: rev))")
    case .edit(let parent, let child, let isDeleted):
      let document = names.documents[Int(child)]
      return text(
        of: document,
        "\(text(of: parent)) gets the \(isDeleted ? "tombstone" : "child") \(text(of: child))")
    case .insert(let path, let isDeleted):
      guard let tip = path.first else { return "nothing is inserted" }
      let below = path.count > 1 ? " below \(text(of: path[1]))" : ""
      return text(
        of: names.documents[Int(tip)],
        "\(isDeleted ? "tombstone " : "")\(text(of: tip)) is inserted\(below)")
    case .resolve(let document, let leaves, let keep, let child, let tombstones):
      let childWords = child.map { " with the child \(text(of: $0))" } ?? ""
      return text(
        of: document,
        "\(list(leaves)) are resolved: \(text(of: keep)) is kept\(childWords), "
          + (tombstones.isEmpty ? "without tombstones" : "tombstones \(list(tombstones))"))
    case .purge(let document, let asked, let removed):
      return text(
        of: document,
        "\(list(asked)) are purged" + (removed.map { ", removed: \(list($0))" } ?? ""))
    case .compact: return "the store is compacted"
    case .limitHistory: return "the history limit is set"
    case .writeLocal(let document, let number):
      return text(of: document, number < 0 ? "is removed" : "becomes \(value(number))")
    case .createConflict(let document): return text(of: document, "is live already (conflict)")
    case .editRefused(let document, let rev, let refusal):
      let reason =
        switch refusal {
        case .conflict: "is no leaf (conflict)"
        case .missing: "does not exist"
        case .deleted: "is deleted"
        }
      return text(of: document, "\(text(of: rev)) \(reason)")
    case .resolveConflict(let document, let asked):
      return text(of: document, "has other live leaves than \(list(asked)) (conflict)")
    default: return textOfRead(event)
    }
  }

  private func textOfRead(_ event: DocumentEvent) -> String {
    switch event {
    case .leaves(let document, let revs, let deleted),
      .leavesOrUnknown(let document, let revs, let deleted):
      return text(of: document, "has the leaves \(list(revs, deleted))")
    case .unknownDocument(let document): return text(of: document, "does not exist")
    case .winner(let document, let rev):
      return text(of: document, "has the winner \(text(of: rev))")
    case .winnerAmong(let document, let revs):
      return text(of: document, "has one of the winners \(list(revs.sorted()))")
    case .winnerNotAmong(let document, let revs):
      return text(of: document, "has another winner than \(list(revs.sorted()))")
    case .notLive(let document): return text(of: document, "is not listed")
    case .deletedDocument(let document): return text(of: document, "is deleted")
    case .revision(let rev, _):
      return text(of: names.documents[Int(rev)], "\(text(of: rev)) is read")
    case .noRevision(let rev):
      return text(of: names.documents[Int(rev)], "\(text(of: rev)) is missing")
    case .noBody(let rev):
      return text(of: names.documents[Int(rev)], "\(text(of: rev)) has no body")
    case .known(let rev): return text(of: names.documents[Int(rev)], "\(text(of: rev)) is known")
    case .readLocal(let document, let number):
      return text(of: document, "is \(value(number))")
    case .counts(let live, let deleted): return "\(live) live and \(deleted) deleted documents"
    default: return "the outcome is wrong in every state"
    }
  }

  /// The leaves of all documents with revisions, and the local documents.
  func text(of forest: DocumentForest) -> String {
    var parts: [String] = []
    for (number, leaves) in forest.leaves.enumerated() {
      if documents[number].isLocal {
        let value = forest.local(Int32(number))
        if value >= 0 { parts.append("local \(documents[number].id): \(self.value(value))") }
      } else if !leaves.isEmpty {
        let sorted = leaves.sorted { names.ranks[Int($0)] > names.ranks[Int($1)] }
        parts.append(
          "\(documents[number].id): \(list(sorted, sorted.map { !forest.isLive($0) }))")
      }
    }
    return parts.isEmpty ? "no document" : parts.joined(separator: "; ")
  }
}
