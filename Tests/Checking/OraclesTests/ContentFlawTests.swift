import Datastore
import JSON
import Oracles
import Testing

/// Contents under one revision id that differ as the products declare.
@Suite struct ContentFlawTests {
  private static func witness(_ flaws: [Set<ContentFlaw>]) -> Witness {
    var witness = Witness()
    witness.oracles = Oracles(
      zip(["a", "b"], flaws).map { OracleReplica($0, contentFlaws: $1) })
    return witness
  }

  /// Both stores have to declare it, and it explains no other difference.
  @Test(
    arguments: [
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": "\u{161}"], []),
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": "b"], ["contents/body"]),
      ([[.highBytesOfTexts], []], ["t": "\u{161}"], ["contents/body"]),
      ([[], []], ["t": "\u{161}"], ["contents/body"]),
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["\u{174}": "a"], []),
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": "aa"], ["contents/body"]),
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": ["\u{161}"]], ["contents/body"]),
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": "\u{161}", "u": 1], ["contents/body"]),
      (
        [[.attachmentsOfRecreations], [.attachmentsOfRecreations]], ["t": "\u{161}"],
        ["contents/body"]
      ),
    ] as [([Set<ContentFlaw>], JSONValue, [String])])
  func bodies(flaws: [Set<ContentFlaw>], other: JSONValue, kinds: [String]) {
    var witness = Self.witness(flaws)
    witness.create(0, "d", "1-a", ["t": "a"])
    witness.create(1, "d", "1-a", other)
    #expect(witness.kinds == kinds)
    #expect(witness.oracles.contentFlaws == (kinds.isEmpty ? [.highBytesOfTexts] : []))
    let documents = [["t": "a"], other].map { body in
      FinalDocument("d", RevisionRecord(id: "d", path: ["1-a"], body: body))
    }
    witness.end([documents[0]], [documents[1]])
    #expect(witness.kinds.isEmpty == kinds.isEmpty, "\(witness.findings)")
  }

  /// A create continues a tombstone, with the revision id of another content.
  @Test(arguments: [(RevisionID("3-c"), true), ("1-c", false)], [true, false])
  func recreations(rev: (RevisionID, isRecreation: Bool), isDeclared: Bool) {
    var witness = Self.witness([[.attachmentsOfRecreations], [.attachmentsOfRecreations]])
    for (place, text) in [JSONString("YWJj"), "eHl6"].enumerated() {
      let write = StoreAction.attaching(
        [RevisionAttachment("t", .data(text), type: "text/plain")],
        to: .create(id: "d", body: [:]))
      let operation = StoreOperation("s", write)
      let finding = witness.oracles.observe(
        .client(replica: place, step: "", operation, .ok(.written(id: "d", rev: rev.0))),
        isDeclared: isDeclared)
      // The outcome itself is not judged if a deviation explains it.
      #expect((finding == nil) == (place == 0 || rev.isRecreation || isDeclared))
    }
    #expect(
      witness.oracles.contentFlaws == (rev.isRecreation ? [.attachmentsOfRecreations] : []))
  }

  private static func attachment(_ text: String) -> RevisionAttachment {
    let content = Content(Array(text.utf8))
    return RevisionAttachment(
      "t", .data(content.base64(content.bytes.indices)), type: "text/plain")
  }

  private static func found(_ rev: RevisionID, _ text: String) -> FinalAttachment {
    let content = Content(Array(text.utf8))
    return FinalAttachment(
      rev: rev, name: "t", digest: content.digest, length: Int64(text.utf8.count),
      bytes: content.bytes)
  }

  /// The leaf 1-a has the bytes that another revision has under the same name. Only a store's own
  /// replicator explains it.
  @Test(arguments: [true, false], [(true, "xyz"), (true, "abd"), (false, "xyz")])
  func attachmentsOfOtherRevisions(isDeclared: Bool, end: (hasOwnReplicator: Bool, text: String)) {
    var witness = Self.witness([isDeclared ? [.attachmentsOfOtherRevisions] : [], []])
    let facts = SessionFacts(
      name: "r", source: 0, target: 1, filter: nil, isHalfSeen: end.hasOwnReplicator)
    witness.tell(.sessionBegan(0, facts))
    var plain: [RevisionRecord] = []
    for (rev, text) in [(RevisionID("1-a"), "abc"), ("1-b", "xyz")] {
      plain.append(RevisionRecord(id: "d", path: [rev], body: [:]))
      var record = plain[plain.count - 1]
      record.attachments = [Self.attachment(text)]
      witness.client(0, .insertRevisions([record]), .ok(.inserted([nil])))
    }
    func document(_ text: String) -> FinalDocument {
      var document = FinalDocument("d", plain[1], plain[0])
      document.attachments = [Self.found("1-a", text), Self.found("1-b", "xyz")]
      return document
    }
    witness.end([document("abc")], [document(end.text)])
    let isExplained = isDeclared && end.hasOwnReplicator && end.text == "xyz"
    #expect(
      witness.kinds == (isExplained ? [] : ["convergence/attachments", "attachments/altered"]))
    #expect(
      witness.oracles.contentFlaws == (isExplained ? [.attachmentsOfOtherRevisions] : []))
  }

  /// A leaf keeps the bytes of an ancestor. Only a recreation explains it, not an update.
  @Test(arguments: [true, false], [(true, "abc"), (true, "abd"), (false, "abc")])
  func attachmentsBeforeARecreation(isDeclared: Bool, end: (isRecreation: Bool, text: String)) {
    let flaws: Set<ContentFlaw> = isDeclared ? [.attachmentsOfRecreations] : []
    var witness = Self.witness([flaws, flaws])
    let first = StoreAction.attaching([Self.attachment("abc")], to: .create(id: "d", body: [:]))
    witness.client(0, first, .ok(.written(id: "d", rev: "1-a")))
    let path: [RevisionID] = end.isRecreation ? ["3-c", "2-b", "1-a"] : ["2-c", "1-a"]
    if end.isRecreation {
      witness.client(0, .delete(id: "d", rev: "1-a"), .ok(.written(id: "d", rev: "2-b")))
    }
    let write: StoreAction =
      end.isRecreation ? .create(id: "d", body: [:]) : .update(id: "d", rev: "1-a", body: [:])
    witness.client(
      0, .attaching([Self.attachment("xyz")], to: write), .ok(.written(id: "d", rev: path[0])))
    func document(_ text: String) -> FinalDocument {
      var document = FinalDocument("d", RevisionRecord(id: "d", path: path, body: [:]))
      document.attachments = [Self.found(path[0], text)]
      return document
    }
    witness.end([document("xyz")], [document(end.text)])
    let isExplained = isDeclared && end.isRecreation && end.text == "abc"
    #expect(
      witness.kinds == (isExplained ? [] : ["convergence/attachments", "attachments/altered"]))
    #expect(witness.oracles.contentFlaws == (isExplained ? [.attachmentsOfRecreations] : []))
  }
}
