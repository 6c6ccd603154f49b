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

  private static func base64(_ text: String) -> JSONString {
    let content = Content(Array(text.utf8))
    return content.base64(content.bytes.indices)
  }

  /// Both stores have to declare it, and it explains no other difference.
  @Test(
    arguments: [
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": "\u{161}"], []),
      ([[.highBytesOfTexts], [.highBytesOfTexts]], ["t": "b"], ["contents/body"]),
      ([[.highBytesOfTexts], []], ["t": "\u{161}"], ["contents/body"]),
      ([[], []], ["t": "\u{161}"], ["contents/body"]),
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

  /// The leaf 1-a has the bytes that another revision has under the same name.
  @Test(arguments: [true, false], ["xyz", "abd"])
  func attachmentsOfOtherRevisions(isDeclared: Bool, found: String) {
    var witness = Self.witness([isDeclared ? [.attachmentsOfOtherRevisions] : [], []])
    let leaves = [(RevisionID("1-a"), "abc"), ("1-b", "xyz")]
    let records = leaves.map { rev, text in
      RevisionRecord(
        id: "d", path: [rev], body: [:],
        attachments: [
          RevisionAttachment("t", .data(Self.base64(text)), type: "text/plain")
        ])
    }
    for record in records {
      witness.client(0, .insertRevisions([record]), .ok(.inserted([nil])))
    }
    func document(_ texts: [String]) -> FinalDocument {
      let plain = records.map { RevisionRecord(id: $0.id, path: $0.path, body: $0.body) }
      var document = FinalDocument("d", plain[1], plain[0])
      document.attachments = zip(leaves, texts).map { leaf, text in
        let content = Content(Array(text.utf8))
        return FinalAttachment(
          rev: leaf.0, name: "t", digest: content.digest, length: Int64(text.utf8.count),
          bytes: content.bytes)
      }
      return document
    }
    witness.end([document(["abc", "xyz"])], [document([found, "xyz"])])
    let isExplained = isDeclared && found == "xyz"
    #expect(
      witness.kinds == (isExplained ? [] : ["convergence/attachments", "attachments/altered"]))
    #expect(
      witness.oracles.contentFlaws == (isExplained ? [.attachmentsOfOtherRevisions] : []))
  }
}
