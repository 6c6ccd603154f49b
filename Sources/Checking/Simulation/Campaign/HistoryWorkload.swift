internal import Datastore
internal import JSON
internal import Oracles
internal import Scenarios

/// Clients that insert revisions with their history, as an import or another replicator does, and
/// replicas with a history limit.
///
/// It uses its own random source, so that runs without imports and limits do not change.
struct HistoryWorkload {
  private var random: KeyedRandom
  private let imports: [ImportedDocument]
  private let limits: Bool

  /// A document of another system: all its revisions, the root first.
  private struct ImportedDocument {
    var id: DocumentID
    var revisions: [ImportedRevision]
  }

  private struct ImportedRevision {
    var rev: RevisionID
    /// The index of the parent; nil for a root.
    var parent: Int?
    var deleted: Bool
    var body: JSONValue
    var attachments: [RevisionAttachment]
  }

  /// The workload of a seed; nil for a run without imports and limits.
  init?(seed: UInt64, _ capabilities: Set<Capability>) {
    var random = KeyedRandom(seed: seed, key: 3)
    let hasImports = random.chance(1, in: 4)
    limits = random.chance(1, in: 4) && capabilities.contains(.historyLimit)
    guard hasImports || limits else { return nil }
    var imports: [ImportedDocument] = []
    // Its own random source: runs whose imports have no attachments do not change.
    var contents = KeyedRandom(seed: seed, key: 4)
    if hasImports {
      for number in 0...random.below(3) {
        // Either a document that clients of the run also create, or a separate one.
        let id = DocumentID(
          JSONString(random.chance(2, in: 3) ? "d\(random.below(5))" : "i\(number)"))
        guard !imports.contains(where: { $0.id == id }) else { continue }
        let attaches = contents.chance(1, in: 3) && capabilities.contains(.attachment)
        imports.append(
          ImportedDocument(
            id: id,
            revisions: Self.revisions(
              number, &random, attachments: attaches ? contents : nil)))
      }
    }
    self.imports = imports
    self.random = random
  }

  private static func revisions(
    _ number: Int, _ random: inout KeyedRandom, attachments contents: KeyedRandom?
  ) -> [ImportedRevision] {
    var contents = contents
    var revisions: [ImportedRevision] = []
    var generations: [Int] = []
    for place in 0...random.below(8) {
      // Mostly one long path, sometimes with branches.
      let parent =
        revisions.isEmpty || random.chance(1, in: 10)
        ? nil : random.chance(2, in: 3) ? place - 1 : random.below(place)
      let generation = parent.map { generations[$0] + 1 } ?? 1
      generations.append(generation)
      let deleted = random.chance(1, in: 6)
      var attachments: [RevisionAttachment] = []
      if !deleted, contents?.chance(1, in: 3) == true, let count = contents?.below(60) {
        let content = Content(
          (0..<count).compactMap { _ in (contents?.next()).map { UInt8(truncatingIfNeeded: $0) } })
        attachments = [
          RevisionAttachment(
            "i", .data(content.base64(content.bytes.indices)), type: "text/plain",
            digest: content.digest, length: Int64(content.bytes.count),
            revpos: Int64(generation))
        ]
      }
      revisions.append(
        ImportedRevision(
          rev: RevisionID(JSONString("\(generation)-\(suffix(&random))")), parent: parent,
          deleted: deleted,
          body: deleted
            ? [:]
            : ["w": .integer(-1 - Int64(number * 100 + place)), "k": .integer(Int64(place % 3))],
          attachments: attachments))
    }
    return revisions
  }

  /// 32 digits, as stores of the family make them.
  private static func suffix(_ random: inout KeyedRandom) -> String {
    func half() -> String {
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    return half() + half()
  }

  /// The operations, each with its replica, below `replicas`, and its time, in milliseconds below
  /// `span`.
  mutating func operations(
    replicas: Int, span: Int
  ) -> [(replica: Int, time: Int, operation: ClientOperation)] {
    var all: [(replica: Int, time: Int, operation: ClientOperation)] = []
    if limits {
      // More often a limit for one replica than for all.
      let places = random.chance(2, in: 3) ? [random.below(replicas)] : Array(0..<replicas)
      for place in places {
        for _ in 0...random.below(3) {
          let limit = Int64(1 + random.below(random.chance(1, in: 2) ? 3 : 8))
          let time = random.chance(1, in: 2) ? 0 : random.below(span)
          all.append((place, time, ClientOperation(.historyLimit(limit))))
        }
      }
    }
    guard !imports.isEmpty else { return all }
    for serial in 0...(2 + random.below(12)) {
      guard let document = random.pick(imports) else { break }
      let operation =
        random.chance(1, in: 4) ? continuation(of: document.id, serial) : `import`(of: document)
      all.append((random.below(replicas), random.below(span), operation))
    }
    return all
  }

  /// Some revisions of the document, each with its path; a path may end early, as one from a store
  /// with a history limit does.
  private mutating func `import`(of document: ImportedDocument) -> ClientOperation {
    var records: [RevisionRecord] = []
    for _ in 0...random.below(3) {
      let place = random.below(document.revisions.count)
      let revision = document.revisions[place]
      var path = [revision.rev]
      var next = revision.parent
      while let parent = next {
        path.append(document.revisions[parent].rev)
        next = document.revisions[parent].parent
      }
      if random.chance(1, in: 8) { path = Array(path.prefix(1 + random.below(path.count))) }
      records.append(
        RevisionRecord(
          id: document.id, path: path, deleted: revision.deleted, body: revision.body,
          attachments: revision.attachments))
    }
    return ClientOperation(.insertRevisions(records))
  }

  /// New revisions on top of a leaf that the store has at that moment.
  private mutating func continuation(of id: DocumentID, _ serial: Int) -> ClientOperation {
    let length = 1 + random.below(3)
    var path: [RevisionID] = []
    for place in 0..<length {
      path.append(RevisionID(JSONString("\(length + 1 - place)-\(Self.suffix(&random))")))
    }
    path.append("1-0")
    let deleted = random.chance(1, in: 6)
    let record = RevisionRecord(
      id: id, path: path, deleted: deleted,
      body: deleted ? [:] : ["w": .integer(-1000 - Int64(serial)), "k": .integer(1)])
    return ClientOperation(
      .insertRevisions([record]), leaf: Int64(random.chance(3, in: 4) ? 0 : random.below(4)))
  }
}

extension SeedDraft {
  /// Adds imports and history limits if the seed has them.
  mutating func addHistories() {
    guard var workload = HistoryWorkload(seed: seed, generator.capabilities) else { return }
    for (replica, time, operation) in workload.operations(replicas: names.count, span: span) {
      add(.perform(at: names[replica], operation), at: time)
    }
  }
}
