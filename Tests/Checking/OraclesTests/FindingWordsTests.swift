import Datastore
import JSON
import Oracles
import Testing

/// The sentences of findings, which traces and reports contain and therefore never change.
struct FindingWordsTests {
  private static let key = CollectionLedger.Key("R", "i")
  private static let call = CollectionLedger.CallKey(client: 1, number: 7)
  private static let request = CollectionLedger.Request(
    method: "GET", collection: "R", id: "i", filter: ["n": 1])

  private static let findings: [(OracleFinding, String)] = [
    (
      .wrongRead("d", nil, winner: "1-a", replica: "b"),
      "winner/read: b reads nothing of d, but 1-a wins"
    ),
    (
      .wrongDeletion("d", isListedDeleted: true, replica: "b"),
      "winner/deleted: b lists d as deleted, but its winner is not"
    ),
    (
      .wrongOrder(
        "d", first: Leaf(rev: "2-a", deleted: true), winner: Leaf(rev: "1-a", deleted: false),
        replica: "b"),
      "winner/leaves: b lists 2-a of d first, but 1-a wins: a deleted leaf before a live one"
    ),
    (
      .differentLeaves(
        "d", left: "a", onlyLeft: [Leaf(rev: "2-a", deleted: true)], right: "b", onlyRight: []),
      "convergence/leaves: a and b disagree about d: only a has 2-a (deleted), only b has nothing"
    ),
    (
      .differentBodies("d", "1-a", left: "a", right: "b"),
      "convergence/bodies: a and b hold different bodies of 1-a of d"
    ),
    (
      .unequalContents("d", "1-a", .body, left: "a", right: "b"),
      "contents/body: 1-a of d has another body at b than at a"
    ),
    (
      .unequalContents("d", "1-a", .attachment("t"), left: "a", right: "a"),
      "contents/attachments: 1-a of d has another attachment 't' than before at a"
    ),
    (
      .unreadableLeaf("d", "1-a", replica: "b"),
      "contents/unreadable: b cannot read the leaf 1-a of d"
    ),
    (
      .unequalReads("d", "1-a", .state, replica: "b"),
      "contents/reads: read of 1-a of d at b returns another deleted flag than getRevisions"
    ),
    (
      .alteredLocal("l", replica: "b"),
      "contents/local: b reads the local document l with a body that was not written last"
    ),
    (
      .lostWrite("d", "1-a", isDeletion: false, step: "s1", origin: "a", replica: "b"),
      "fate/lost write: b lacks 1-a of d, which step s1 wrote at a with success"
    ),
    (
      .wrongState("d", "1-a", isDeleted: true, step: "s1", replica: "b"),
      "fate/turned: 1-a of d is deleted at b, but step s1 wrote the opposite"
    ),
    (
      .alteredBody("d", "1-a", step: "s1", replica: "b"),
      "fate/altered: the body of 1-a of d at b differs from the one that step s1 wrote"
    ),
    (
      .stranger("d", "1-a", isDeleted: true, replica: "b"),
      "fate/stranger, deleted: b has 1-a of d, which no client wrote"
    ),
    (
      .attachment("t", "d", "1-a", .description, replica: "b"),
      "attachments/description: 't' of 1-a of d has a wrong description at b"
    ),
    (
      .damagedPiece("t", "d", offset: 3, count: 2, replica: "b"),
      "attachments/damaged: the 2 bytes from 3 on of 't' of d that b reads are not those that "
        + "were written"
    ),
    (
      .rescan(session: "s"),
      "waste/rescan: session s starts from the beginning, although both sides have a common checkpoint"
    ),
    (
      .unsavedCheckpoint(session: "s", reached: .integer(4)),
      "waste/unsaved: session s is complete up to 4, but has no checkpoint there"
    ),
    (
      .unknownStart(session: "s", since: .integer(4)),
      "checkpoint/start: session s starts after 4, where these stores have no checkpoint for this "
        + "direction and filter"
    ),
    (
      .earlyCheckpoint(session: "s", recorded: .integer(4), "d", "1-a", target: "b"),
      "checkpoint/ahead: session s saves the checkpoint 4, but b lacks 1-a of d"
    ),
    (
      .replacedStore(session: "s", replica: "b"),
      "identity/replaced: session s ends as complete, although the store of b was replaced "
        + "meanwhile"
    ),
    (
      .repeatedObject("o", operation: "fetchObjects", context: "c", step: "s1", replica: "b"),
      "identity/fetchObjects: context c at b has 'o' twice in step s1"
    ),
    (
      .save(
        SaveFault("o", .value(1, of: "n", expected: [2, 3], .againstPolicy)), context: "c",
        step: "s1", replica: "b"),
      "saves/against policy: the save of context c at b in step s1 writes 1 as n of 'o'; expected "
        + "2 or 3"
    ),
    (
      .graph(.oneSided("o", property: "p", target: "t", inverse: "q"), replica: "b"),
      "graph/one-sided: at b, p of 'o' points to 't', but its q does not point back"
    ),
    (
      .graph(.different("o", from: "a"), replica: "b"),
      "graph/diverging: a and b have different objects 'o'"
    ),
    (
      .collections(.wrongAnswer(request, status: 200, [], expected: .entity)),
      #"collections/answer: GET R/i?{"n":1} returned 200 []; expected one entity"#
    ),
    (
      .collections(.wrongEntity(key, nil, expected: ["_id": "i"])),
      #"collections/stored: R/i is gone, and the last save is {"_id":"i"}"#
    ),
    (
      .collections(.wrongProgress(call, done: 1, total: 4, doneBefore: 1, totalBefore: 2)),
      "collections/progress: call 7 of client 1 went from 1/2 to 1/4"
    ),
    (
      .collections(.unsaved(stamp: "x", client: 1, call: 7)),
      "collections/acknowledged: call 7 of client 1 reported 'x' as saved, but it was not"
    ),
    (
      .collections(.unsaved(stamp: "x", client: 1, call: nil)),
      "collections/acknowledged: the queue of client 1 reported 'x' as saved, but it was not"
    ),
    (
      .collections(.wrongResult(call, key, stamp: "x", isFromCache: false)),
      "collections/stale: call 7 of client 1 returned 'x' as R/i, which did not exist during "
        + "the call"
    ),
    (
      .differentAttachments("d", "1-a", left: "a", right: "b"),
      "convergence/attachments: a and b hold different attachments of 1-a of d"
    ),
    (
      .lostReplicated("d", "1-a"),
      "collections/replicated: the acknowledged revision 1-a of d is lost"
    ),
    (
      .strangePiece("t", "d", replica: "b"),
      "attachments/stranger: b reads 't' of d, whose content no client wrote"
    ),
    (
      .attachment("t", "d", "1-a", .lost, replica: "b"),
      "attachments/lost: 't' of 1-a of d is missing at b"
    ),
    (
      .attachment("t", "d", "1-a", .extra, replica: "b"),
      "attachments/extra: 't' of 1-a of d was never written, but exists at b"
    ),
    (
      .unreadFeed(session: "s"),
      "completion/feed: session s ends as complete, but did not read the changes to their end"
    ),
    (
      .incompleteCopy(session: "s", "d", "1-a", target: "b"),
      "completion/copy: session s ends as complete, but b lacks 1-a of d"
    ),
    (
      .forgottenProgress(session: "s"),
      "waste/stop: session s was stopped, and did not save what it had copied"
    ),
    (
      .unknownCheckpoint(session: "s", recorded: .integer(4)),
      "checkpoint/unseen: session s saves the checkpoint 4, where none of its pages ends"
    ),
    (
      .save(SaveFault("o", .unchangedRelationship("p")), context: "c", step: "s1", replica: "b"),
      "saves/lost: the save of context c at b in step s1 "
        + "did not change the reference p of 'o' as requested"
    ),
    (
      .save(
        SaveFault("o", .deletedAgainst(policy: "overwrite")), context: "c", step: "s1", replica: "b"
      ),
      "saves/against policy: the save of context c at b in step s1 "
        + "deletes 'o', which overwrite keeps"
    ),
    (
      .save(SaveFault("o", .unrequestedDeletion), context: "c", step: "s1", replica: "b"),
      "saves/unasked: the save of context c at b in step s1 deletes 'o', which was not requested"
    ),
    (
      .save(SaveFault("o", .notWritten), context: "c", step: "s1", replica: "b"),
      "saves/lost: the save of context c at b in step s1 "
        + "is acknowledged, but did not write 'o'"
    ),
    (
      .save(
        SaveFault("o", .keptAgainst(policy: "rollback")), context: "c", step: "s1", replica: "b"),
      "saves/against policy: the save of context c at b in step s1 "
        + "keeps 'o', which rollback deletes"
    ),
    (
      .save(
        SaveFault("o", .pulledValue("n", policy: "overwrite")), context: "c", step: "s1",
        replica: "b"),
      "saves/against policy: the save of context c at b in step s1 "
        + "leaves n of 'o' as pulled, but overwrite keeps the other value"
    ),
    (
      .graph(.inConflict("d", leaves: 2), replica: "b"),
      "graph/in conflict: b has 2 live leaves of d, although its conflicts were resolved"
    ),
    (
      .graph(.repeated("o"), replica: "b"),
      "graph/twice: b has two objects 'o'"
    ),
    (
      .graph(.notFound("d"), replica: "b"),
      "graph/not found: b does not find the object of d"
    ),
    (
      .graph(.withoutDocument("d"), replica: "b"),
      "graph/found: b returns an object 'd' without a document"
    ),
    (
      .graph(.dangling("o", property: "p", target: "t"), replica: "b"),
      "graph/dangling: dangling reference at b: p of 'o' points to 't'"
    ),
    (
      .graph(.additional("o", lackedBy: "a"), replica: "b"),
      "graph/diverging: b has an object 'o', a does not"
    ),
    (
      .collections(.repeatedID(key)),
      "collections/identity: the backend assigned the id i of R twice"
    ),
    (
      .collections(.refused(request, status: 500)),
      "collections/answer: unexpected status 500 for GET R"
    ),
    (
      .collections(.withoutStamp(key, client: 1)),
      "collections/answer: client 1 saved R/i without a stamp"
    ),
    (
      .collections(.savedOtherwise(key, answer: [])),
      "collections/answer: the response to the save of R/i, [], differs from the entity"
    ),
    (
      .collections(.duplicate(stamp: "x", client: 1, count: 3, lostAnswers: 1)),
      "collections/twice: 'x' of client 1 was created 3 times with 1 lost response"
    ),
    (
      .collections(.unknownCall(call, isProgress: true)),
      "collections/progress: client 1 got the completion of call 7, which it never made"
    ),
    (
      .collections(.unknownCall(call, isProgress: false)),
      "collections/callback: client 1 got the completion of call 7, which it never made"
    ),
    (
      .collections(.repeatedEnd(call)),
      "collections/callback: call 7 of client 1 completed twice"
    ),
    (
      .collections(.noEnd(call)),
      "collections/callback: call 7 of client 1 never completed"
    ),
    (
      .collections(.incomplete(call, done: 1, total: 2)),
      "collections/progress: call 7 of client 1 completed at 1/2"
    ),
    (
      .collections(.wrongResult(call, key, stamp: "x", isFromCache: true)),
      "collections/remembered: call 7 of client 1 returned 'x' as R/i, which was not in its cache"
    ),
    (
      .collections(.waiting(client: 1, count: 2)),
      "collections/queue: 2 saves remain in the queue of client 1 at the end"
    ),
    (
      .collections(.neverSent(stamp: "x", client: 1)),
      "collections/queue: 'x' was queued at client 1 and never sent"
    ),
  ]

  @Test(arguments: findings)
  func wordsOfAFinding(_ finding: OracleFinding, words: String) {
    #expect("\(finding.oracle)/\(finding.shape): \(finding.sentence)" == words)
  }

  /// The heading of a page is for readers who have not seen the run.
  @Test(arguments: findings)
  func thePlainSentenceHasNoIDs(_ finding: OracleFinding, words: String) {
    let plain = finding.plain
    #expect(plain.hasSuffix(".") && plain.first?.isUppercase == true, "\(plain)")
    #expect(plain != words && plain.count < 110, "\(plain)")
    for id in ["1-a", "2-a", "'", "session s", "context c", "step s1", " d ", "R/i"] {
      #expect(!plain.contains(id), "\(plain)")
    }
  }

  @Test func thePlainSentenceNamesReplicas() {
    func lost(at replica: JSONString, isDeletion: Bool) -> String {
      OracleFinding.lostWrite(
        "d", "1-a", isDeletion: isDeletion, step: "s1", origin: "a", replica: replica
      ).plain
    }
    #expect(
      lost(at: "b", isDeletion: true) == "Replica b lacks a deletion that replica a acknowledged.")
    #expect(lost(at: "a", isDeletion: false) == "Replica a lost a write that it had acknowledged.")
  }

  @Test func aFindingNamesTheDocumentThatItIsAbout() {
    #expect(OracleFinding.stranger("d", "1-a", isDeleted: true, replica: "b").document == "d")
    #expect(OracleFinding.graph(.repeated("o"), replica: "b").document == "o")
    #expect(OracleFinding.rescan(session: "s").document == nil)
  }
}
