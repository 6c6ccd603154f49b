import Datastore
import JSON
import ReferenceDatastore
import Testing

@testable import Simulation

/// `compare` makes near-equal edits of attachments in two stores often enough.
struct NearEqualAttachmentTests {
  /// Records acknowledged edits.
  private final class Recording: ImplementationLayer {
    let base: any ImplementationUnderTest
    var edits: [(store: StoreName, action: StoreAction)] = []

    init(_ base: any ImplementationUnderTest) { self.base = base }

    var description: ImplementationDescription {
      var description = base.description
      description.profiles = []
      return description
    }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      let outcome = try base.perform(operation, environment)
      if case .ok(.written) = outcome { edits.append((operation.store, operation.action)) }
      return outcome
    }
  }

  /// The document and the parent of an edit of attachments, and the attachments.
  private struct Edit: Hashable {
    var place: String
    var attachments: [RevisionAttachment]

    init?(_ action: StoreAction) {
      var (write, attachments): (StoreAction, [RevisionAttachment]) = (action, [])
      if case .attaching(let named, let inner) = action { (write, attachments) = (inner, named) }
      switch write {
      case .create(let id?, let body): place = "\(id) new \(body)"
      case .update(let id, let rev, let body): place = "\(id) \(rev) \(body)"
      default: return nil
      }
      self.attachments = attachments
    }
  }

  /// In 200 sequences, each group of near-equal sets is edited differently in two stores on one
  /// parent at least 10 times.
  @Test func eachGroupIsFrequent() throws {
    let groups = NearEqualContents.attachments(hasEncodings: true)
    var counts = groups.map { _ in 0 }
    for seed: UInt64 in 1...200 {
      let store = Recording(ReferenceDatastore())
      let differential = Differential { () throws(HarnessError) in store }
      if case .disagreed(let disagreement) = try differential.run(seed: seed) {
        Issue.record("\(disagreement)")
      }
      let edits = store.edits.map { (store: $0.store, edit: Edit($0.action)) }
      for (number, group) in groups.enumerated() {
        func has(_ store: StoreName, _ edit: Edit) -> Bool {
          edits.contains { $0.store == store && $0.edit == edit }
        }
        let isCovered = edits.contains { store, edit in
          guard store == "a", let edit, group.contains(edit.attachments) else { return false }
          return group.contains { other in
            var similar = edit
            similar.attachments = other
            return other != edit.attachments && has("b", similar)
          }
        }
        if isCovered { counts[number] += 1 }
      }
    }
    #expect(counts.allSatisfy { $0 >= 10 }, "\(counts)")
  }
}
