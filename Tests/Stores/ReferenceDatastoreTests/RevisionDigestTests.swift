import Datastore
import JSON
import ReferenceDatastore
import Testing

struct RevisionDigestTests {
  /// The model's id of an edit under a profile.
  private func revision(
    _ profile: RevisionIDProfile, parent: String?, deleted: Bool, _ body: String
  ) throws -> RevisionID {
    let model = Model(revisionIDs: profile)
    let body = try JSONValue.parse(body)
    if let parent { model.insert("d", parent) }
    let action: StoreAction =
      switch (parent, deleted) {
      case (let parent?, true): .delete(id: "d", rev: RevisionID(JSONString(parent)), body: body)
      case (let parent?, false): .update(id: "d", rev: RevisionID(JSONString(parent)), body: body)
      case (nil, _): .create(id: "d", body: body)
      }
    guard case .ok(.written(_, let rev)) = model.perform(action) else { return "" }
    return rev
  }

  /// The first two are from CDTDatastore's own tests; the others were recomputed from its algorithm
  /// with another tool.
  @Test(
    arguments: [
      (nil, false, #"{"hello":"world"}"#, "1-1f7588ca02054efe626a6e440a431861"),
      (
        "1-1f7588ca02054efe626a6e440a431861", false, #"{"hi":"mike"}"#,
        "2-be2c05cd85b8468ce92b04e001b0e923"
      ),
      (nil, false, "{}", "1-c4103f122d27677c9db144cae1394a66"),
      (
        "1-1f7588ca02054efe626a6e440a431861", true, "{}", "2-1903c663d301c3170ad524f008c9a517"
      ),
      (
        "2-1903c663d301c3170ad524f008c9a517", false, #"{"hello":"world"}"#,
        "3-9871230a956f3b8f593cd863c9b5896b"
      ),
      (
        "2-1903c663d301c3170ad524f008c9a517", true, "{}", "3-90ab5e2b57384fac9620d51fde10a2e9"
      ),
      (nil, false, #"{"b":2,"a":1}"#, "1-4a98acc046da70cc93ef869a9d78299b"),
      (nil, false, #"{"t":true,"n":null,"f":false}"#, "1-4a598a9d36a34281db8feb6f28d6cbdd"),
      (nil, false, #"{"k":["x",{"z":1,"y":[]}]}"#, "1-96c1568e8fd9bb564b73cbef3d322d5c"),
      (
        nil, false, #"{"s":"tab\there \"q\" \\ nl\n slash/"}"#,
        "1-04217548022852b5ce788d64e118b5a7"
      ),
      (nil, false, #"{"é":"ü","Z":"😀"}"#, "1-d9733b49371455cfdd3f26bcf153b470"),
      (nil, false, #"{"a":{}}"#, "1-b557c5a295553b600238a7dbf7089254"),
      (nil, false, #"{"n":18446744073709551615}"#, "1-175c5f38fdd63af738153a6933688d43"),
    ] as [(String?, Bool, String, String)])
  func cdtDigest(parent: String?, deleted: Bool, body: String, expected: String) throws {
    for profile in [RevisionIDProfile.own, .cdtDigest, .cdtDigest2] {
      #expect(
        try revision(profile, parent: parent, deleted: deleted, body)
          == RevisionID(JSONString(expected)))
    }
  }

  /// Computed by Apache CouchDB 3.4.3.
  @Test(
    arguments: [
      (
        #"{}"#, "1-1a3ddde436e12b06a15131c3aea782da", false,
        "2-48c09ba665ff4147106c00576605a79d"
      ),
      (
        #"{}"#, "1-4ef33c54def2464f07927b55bc47ef30", true,
        "2-2bdfef47243a40cd904630015ce9591b"
      ),
      (
        #"{"a":[]}"#, nil, false,
        "1-d49a64a623a0fcc15fb2a4e9edf20834"
      ),
      (
        #"{"é":-1}"#, "1-aa21bf974b3f1fa4f1dde93085e72720", true,
        "2-76c070a0b702f11efe49fd73313dffa8"
      ),
      (
        #"{"b":3.0}"#, "1-28485e1c73c8d97e3eb51601fb9aef59", false,
        "2-9aaadee15583ef016061a4a05ea40a3d"
      ),
      (
        #"{"c":"\\"}"#, nil, false,
        "1-e52cf7a10076ee0c3489b87ab9b7db0b"
      ),
      (
        #"{"0":true}"#, nil, false,
        "1-84bb09c7e078b2d7dbd0875a216106f4"
      ),
      (
        #"{"A":-1.25}"#, nil, false,
        "1-d7f5f5e297d67a63405a204abaab8fbb"
      ),
      (
        #"{"0":1e-07}"#, "1-7c2d618b99ba19fb5948ea59c80f569d", true,
        "2-5b0b18dbc3248a7638d9381acaa6aab3"
      ),
      (
        #"{"a":[null]}"#, "1-92ed7c627344ad9cd39a25e30874582a", true,
        "2-5b068a13316bf55c667da6cba981a805"
      ),
      (
        #"{"b":"\u0001"}"#, nil, false,
        "1-fdd5e937d8921875690f4098767f82d2"
      ),
      (
        #"{"zz":123456.789}"#, "1-b5b9b4b3e8c5f7554c27dfcd689b8d98", true,
        "2-46a02c676e1e8cbc17e259e29d4d5714"
      ),
      (
        #"{"é":[256,1,256]}"#, nil, false,
        "1-d19d25da7916d8fbac9c962db14fd436"
      ),
      (
        #"{"zz":-2147483649}"#, nil, false,
        "1-07e53e393c59d810461778a6dbeeceda"
      ),
      (
        #"{"b":10000000000.0}"#, "1-967a00dff5e02add41819138abb3284d", false,
        "2-47e903c3ffbe8d292867e374c6c9c3b8"
      ),
      (
        #"{"b":[[]],"a":[239]}"#, nil, false,
        "1-fb02bc18257cb7430795bc8e43ecd357"
      ),
      (
        #"{"c":false,"b":[44]}"#, "1-b147ee51d1f7e47a12ec492653fcb44e", false,
        "2-7d7d5573878547cc34d3c53a69befae7"
      ),
      (
        #"{"c":[99,0,150,106]}"#, "1-dbd00340e3e9e366e3e60251883255a4", false,
        "2-71eb28243488d323cd43228bc74b803e"
      ),
      (
        #"{"c":"\"q\"","é":0.5}"#, "1-724d0023bd7a5edb3a8a3d5a0987b483", false,
        "2-8529af5af73ff77859a1113525b14055"
      ),
      (
        #"{"c":[1,256,1],"A":[]}"#, nil, false,
        "1-50182d9da4fc11156cc88355c93d1c97"
      ),
      (
        #"{"key with space":[249]}"#, "1-c41d0864899f5f9bc2a4c74dbb837df3", true,
        "2-1fe5255163519cdc75c83f2130c3c868"
      ),
      (
        #"{"b":9223372036854775808}"#, "1-48e4ac6da5dbf25aba43bd64c319a0af", true,
        "2-02fe4521689e824c4c2aa445f084502e"
      ),
      (
        #"{"key with space":[141,247]}"#, "1-9638e8f78de0e8cb9ef99899c4c2cab8", false,
        "2-1d1c0b669d5cccd1bb1e6a7750d067f8"
      ),
      (
        #"{"zz":["\"q\"",""],"c":[1,1]}"#, "1-ada1799003a46ad2d90da0ab2ea30894", false,
        "2-9a212b278bcffe065eda7481128d0987"
      ),
      (
        #"{"a":true,"c":[256],"é":true}"#, nil, false,
        "1-28485e1c73c8d97e3eb51601fb9aef59"
      ),
      (
        #"{"c":"😀","zz":"a\nb","a":"\\"}"#, "1-cd95fa7ff49585fa511d48ba888761bc", false,
        "2-c5dbe2e19a0a73cfb121ac1edd194c77"
      ),
      (
        #"{"zz":[253,252],"a":[],"A":[]}"#, nil, false,
        "1-6ea13b4cc0c88dab344915ec42bcf9cb"
      ),
      (
        #"{"é":{"A":[256,256],"a":[-1]}}"#, nil, false,
        "1-ef618a62203a3cc1942536a8d22c1d9f"
      ),
      (
        #"{"c":"\\","A":[136,215,210,112]}"#, nil, false,
        "1-9ddae3dc0c050d85eb7275f1109162c0"
      ),
      (
        #"{"b":null,"é":[[],[253,198,40]]}"#, "1-e06679e608de50dc92614c67a0db5a7e", false,
        "2-06c2301426b07738cd78f1902ed5de2b"
      ),
    ] as [(String, String?, Bool, String)])
  func couchdb(body: String, parent: String?, deleted: Bool, expected: String) throws {
    #expect(
      try revision(.couchdb, parent: parent, deleted: deleted, body)
        == RevisionID(JSONString(expected)))
  }

  /// Recorded from CouchDB 3.4.3, which compresses text before it stores it, and computes revision
  /// ids from the MD5 of the stored bytes; content that is already compressed is unchanged.
  @Test func couchdbAttachments() throws {
    let model = Model(revisionIDs: .couchdb)
    let hello = String(repeating: "hello world ", count: 30)
    let octets = RevisionAttachment(
      "b.bin", .data("AAEC"), type: "application/octet-stream")
    let first = try model.write(
      .create(
        id: "a", body: [:],
        attachments: [data("t.txt", hello), octets, data("def", "xyz", type: nil)]))
    #expect(first == "1-89b22207cce67918c370a155bacacd3c")
    let second = try model.write(
      .update(
        id: "a", rev: first, body: ["v": 2], attachments: [stub("t.txt"), data("n.txt", "new")]))
    #expect(second == "2-6c9e877124024cef26624080b2fa0163")
    let third = try model.write(
      .update(id: "a", rev: second, body: [:], attachments: [stub("t.txt")]))
    #expect(third == "3-c901fe3b4f0cb6794b587f6b2abb8486")
    let packed = RevisionAttachment(
      "f", .data("H4sIAAAAAAACA8tIzcnJV0ivyiwAABlq0t8KAAAA"), type: "text/plain",
      encoding: "gzip")
    #expect(
      try model.write(.create(id: "gz", body: [:], attachments: [packed]))
        == "1-c471c7f11b8183cb2dcba7b7df4517a5")
    #expect(
      try model.write(
        .create(id: "mp", body: [:], attachments: [data("f1", "abc"), data("f2", "wxyz")]))
        == "1-4a5c9e8a3d10ccdbb93eb4e20df474b2")
  }

  /// A number has one text, independent of its notation: that of ECMAScript.
  @Test(arguments: [
    ("1.0", "1"), ("-0.0", "0"), ("100.0", "1e2"), ("1e21", "1000000000000000000000.0"),
    ("1.5e-7", "0.00000015"),
  ])
  func equalNumbersAreOneBody(left: String, right: String) throws {
    let bodies = [left, right].map { #"{"n":\#($0)}"# }
    let revisions = try bodies.map { try revision(.own, parent: nil, deleted: false, $0) }
    #expect(revisions[0] == revisions[1])
  }

  @Test func longParentIsRefusedOnlyByCDT() {
    let parent = "1-" + String(repeating: "a", count: 254)
    for (profile, isRefused) in [(RevisionIDProfile.own, true), (.couchdb, false)] {
      let model = Model(revisionIDs: profile)
      model.insert("d", parent)
      let outcome = model.perform(
        .update(id: "d", rev: RevisionID(JSONString(parent)), body: [:]))
      #expect((outcome.errorKind == .badRevision) == isRefused)
    }
  }
}
