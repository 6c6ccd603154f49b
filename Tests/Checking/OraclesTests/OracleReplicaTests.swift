import Datastore
import JSON
import Oracles
import Testing

/// Replicas of several products: what must be equal is compared, and the rest is checked for each by
/// itself.
@Suite struct OracleReplicaTests {
  private static func witness(_ left: OracleReplica, _ right: OracleReplica) -> Witness {
    var witness = Witness()
    witness.oracles = Oracles([left, right])
    return witness
  }

  /// Each product computes its own revision ids; only those of one product, or of one profile, need
  /// to agree.
  @Test(arguments: [
    (OracleReplica("a", product: "P"), OracleReplica("b", product: "P"), 1),
    (OracleReplica("a", product: "P"), OracleReplica("b", product: "Q"), 0),
    (OracleReplica("a", product: "P"), OracleReplica("b", product: "P", revisionIDs: .couchdb), 0),
    (
      OracleReplica("a", product: "P", revisionIDs: .couchdb),
      OracleReplica("b", product: "Q", revisionIDs: .couchdb), 1
    ),
  ])
  func idsOfEqualEdits(left: OracleReplica, right: OracleReplica, lost: Int) {
    var witness = Self.witness(left, right)
    witness.create(0, "d", "1-a", ["n": 1])
    witness.create(1, "d", "1-b", ["n": 1])
    #expect(witness.findings == [])
    #expect(witness.oracles.lostConvergence == lost)
  }

  /// Each replica lists its leaves under its own collation.
  @Test func ordersOfLeaves() {
    let hexadecimal = RevisionID(JSONString("1-" + String(repeating: "ff", count: 16)))
    let leaves: [Leaf] = [Leaf(rev: hexadecimal), Leaf(rev: "1-zz")]
    for (collation, first) in [(CollationName.couchdb, leaves), (.bytes, leaves.reversed())] {
      for place in [0, 1] {
        var replicas = [OracleReplica("a"), OracleReplica("b")]
        replicas[0].collation = .couchdb
        replicas[1].collation = .bytes
        var witness = Self.witness(replicas[0], replicas[1])
        witness.client(place, .leaves(id: "d"), .ok(.leaves(Array(first))))
        let isRight = replicas[place].collation == collation
        #expect(witness.kinds == (isRight ? [] : ["winner/leaves"]))
      }
    }
  }

  /// Two products that order the same leaves in different ways do not agree on the winner.
  @Test func winnersThatDiffer() {
    let hexadecimal = RevisionID(JSONString("1-" + String(repeating: "ff", count: 16)))
    let records = [
      RevisionRecord(id: "d", path: [hexadecimal], body: [:]),
      RevisionRecord(id: "d", path: ["1-zz"], body: [:]),
    ]
    var witness = Self.witness(
      OracleReplica("a (P)", collation: .couchdb), OracleReplica("b (Q)", collation: .bytes))
    for record in records {
      witness.client(0, .insertRevisions([record]), .ok(.inserted([nil])))
    }
    witness.end(
      [FinalDocument("d", records[0], records[1])], [FinalDocument("d", records[1], records[0])])
    #expect(
      witness.findings == [
        .differentWinners("d", hexadecimal, left: "a (P)", "1-zz", right: "b (Q)")
      ])
    #expect(
      witness.findings[0].sentence.string
        == "a (P) reads \(hexadecimal.text) of d, b (Q) reads 1-zz, and both have the same leaves")
  }

  /// A digest that is no SHA-256 states nothing, whichever replica has it; the bytes are compared.
  @Test(arguments: [[true, false], [false, true], [true, true]], [true, false])
  func digestsOfAttachments(hasDigests: [Bool], isSame: Bool) {
    func document(_ bytes: [UInt8], digest: JSONString) -> FinalDocument {
      let attachment = RevisionAttachment(
        "t", .stub, type: "text/plain", digest: digest, length: Int64(bytes.count))
      var document = FinalDocument(
        "d", RevisionRecord(id: "d", path: ["1-a"], body: [:], attachments: [attachment]))
      document.attachments = [
        FinalAttachment(
          rev: "1-a", name: "t", digest: digest, length: Int64(bytes.count), bytes: bytes)
      ]
      return document
    }
    var witness = Self.witness(
      OracleReplica("a", hasDigests: hasDigests[0]), OracleReplica("b", hasDigests: hasDigests[1]))
    let write = StoreAction.attaching(
      [RevisionAttachment("t", .data("YWJj"), type: "text/plain")], to: .create(id: "d", body: [:]))
    witness.client(0, write, .ok(.written(id: "d", rev: "1-a")))
    let known = Content(Array("abc".utf8)).digest
    let documents = hasDigests.map {
      document(Array("abc".utf8), digest: $0 ? known : "md5-kAFQmDzST7DWlj99KOF/cg==")
    }
    var right = documents[1]
    if !isSame { right.attachments[0].bytes = Array("abd".utf8) }
    witness.end([documents[0]], [right])
    #expect(witness.kinds.contains("convergence/attachments") == !isSame)
    #expect(witness.kinds.isEmpty == isSame, "\(witness.findings)")
  }

  /// The ids of the store that chose a revision determine which contents are equal under it.
  @Test(arguments: [(0, [String]()), (1, ["contents/attachments"])])
  func contentsThatAnIDCovers(writer: Int, kinds: [String]) {
    var witness = Self.witness(
      OracleReplica("a", revisionIDs: .couchdb), OracleReplica("b", revisionIDs: .own))
    func write(encoding: JSONString?) -> StoreAction {
      .attaching(
        [RevisionAttachment("t", .data("YWJj"), type: "text/plain", encoding: encoding)],
        to: .create(id: "d", body: [:]))
    }
    witness.client(writer, write(encoding: nil), .ok(.written(id: "d", rev: "1-a")))
    witness.client(1 - writer, write(encoding: "gzip"), .ok(.written(id: "d", rev: "1-a")))
    #expect(witness.kinds == kinds)
  }
}
