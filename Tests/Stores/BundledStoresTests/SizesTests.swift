import ReferenceDatastore
import Testing
import TouchstoneKit

@Suite struct SizesTests {
  static let corpus = Result { try Corpus.standard() }

  /// The model with declared limits that it does not have to enforce.
  final class Declaring: ImplementationUnderTest {
    let store = ReferenceDatastore()
    let limits: ImplementationDescription.Limits
    let profiles: Set<Profile>?

    /// - Parameter profiles: the declared profiles; nil for those of the model.
    init(limits: ImplementationDescription.Limits, profiles: Set<Profile>? = nil) {
      (self.limits, self.profiles) = (limits, profiles)
    }

    var description: ImplementationDescription {
      var description = store.description
      description.limits = limits
      if let profiles { description.profiles = profiles }
      return description
    }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      store.perform(operation, environment)
    }

    func reset() throws(HarnessError) { store.reset() }
    func crash(_ kind: CrashKind) throws(HarnessError) { store.crash(kind) }
    func shutdown() throws(HarnessError) {}
  }

  static func vectors(_ prefix: String) throws -> [CorpusVector] {
    try corpus.get().vectors.filter { $0.id.description.hasPrefix(prefix) }
  }

  // MARK: Every vector respects the declared limits

  /// The sizes of the parts of an operation, by limit.
  private static func sizes(_ operation: JSONValue) -> [LimitName: Int] {
    var sizes: [LimitName: Int] = [:]
    func note(_ name: LimitName, _ size: Int) { sizes[name] = max(sizes[name] ?? 0, size) }
    func visit(_ object: JSONObject) {
      if let id = object["id"]?.textValue { note(.idBytes, id.utf8.count) }
      if let body = object["body"] {
        note(.bodyBytes, body.serializedBytes().count)
        note(.depth, body.shape.depth)
      }
      if let bytes = object["bytes"]?.textValue { note(.inlineBytes, bytes.utf8.count / 4 * 3 - 2) }
      for attachment in object["attachments"]?.objectValue?.members ?? [] {
        let data = attachment.value.objectValue?["data"]?.textValue
        note(.inlineBytes, (data?.utf8.count ?? 0) / 4 * 3 - 2)
      }
      for name in ["records", "docs", "revs", "writes"] as [JSONString] {
        for part in (object[name]?.arrayValue ?? []).compactMap(\.objectValue) { visit(part) }
      }
    }
    if let object = operation.objectValue { visit(object) }
    return sizes
  }

  /// A vector that exceeds a minimum declares it, or adapts to the limits of the store.
  @Test func noVectorExceedsTheMinimumUnsaid() throws {
    let minimum = ImplementationDescription.Limits.minimum
    var needing: Set<String> = []
    for vector in try Self.corpus.get().vectors {
      let tested = vector.vector.testedLimits
      for step in vector.vector.steps {
        let made = try step.made(for: minimum)
        let directive: [StoreOperation]
        if case .directive(let found) = made.content {
          directive = found.operations
        } else {
          directive = []
        }
        for operation in [made.template?.json].compactMap({ $0 }) + directive.map(\.json) {
          for (name, size) in Self.sizes(operation) where size > minimum[name] {
            if tested.contains(name) {
              // Beyond the limit only slightly, to test its enforcement.
              #expect(size <= minimum[name] + 8, "\(vector.id) \(name)")
            } else {
              #expect(vector.vector.needs.limits[name] == Int64(size), "\(vector.id) \(name)")
              needing.insert(vector.id.description)
            }
          }
        }
      }
    }
    #expect(needing == ["couchdb-transcript-docids-store"])
  }

  /// Generated values are well formed at full size, not only as the sample of the reader.
  @Test func everyFormCanBeMade() throws {
    var count = 0
    for vector in try Self.corpus.get().vectors {
      for step in vector.vector.steps where step.form != nil {
        _ = try step.made(for: .minimum, repetition: step.times - 1)
        count += 1
      }
    }
    #expect(count >= 40)
  }

  /// Each size that the contract states is reached by a fixed size in some vector.
  @Test(arguments: [
    ("BODY-006", 64), ("ID-004", 240), ("SIZE-001", 999_992), ("SIZE-002", 10_000),
    ("SIZE-003", 1000), ("SIZE-004", 100), ("SIZE-005", 1000), ("SIZE-006", 1000),
    ("SIZE-007", 1000), ("SIZE-008", 1000), ("ATT-010", 65_536), ("SIZE-011", 65_536),
  ])
  func minimumsAreReached(clause: String, size: Int64) throws {
    let citing = try Self.corpus.get().vectors.filter {
      $0.clauses.contains { $0.id.description == clause }
    }
    let texts = citing.flatMap { $0.vector.steps }.compactMap { $0.form }.flatMap(\.fills).map {
      $0.json.serialized()
    }
    #expect(
      texts.contains { text in
        ["bytes", "count", "depth"].contains { text.contains("\"\($0)\":\(size)") }
      })
  }

  // MARK: Skipped vectors

  @Test func limitsThatAreNotDeclaredAreNotTested() throws {
    let store = Declaring(limits: .minimum)
    let vectors = try Self.vectors("sizes-limit-") + Self.vectors("attachment-sizes-limit-")
    #expect(vectors.count >= 6)
    for vector in vectors {
      let skip = try #require(vector.skip(for: store.description), "\(vector.id)")
      #expect(skip.isOutOfReach)
      #expect(skip.description.hasPrefix("outside of the declared limits: "))
    }
  }

  @Test func limitsBeyondAnyTestAreNotTested() throws {
    var limits = ReferenceDatastore().description.limits
    limits.depthMax = 400
    limits.bodyBytesMax = 16_777_216
    let skipped = try Self.vectors("sizes-").filter {
      $0.skip(for: Declaring(limits: limits).description) != nil
    }
    #expect(
      skipped.map(\.id.description) == [
        "sizes-limit-body-bytes", "sizes-limit-body-bytes-record", "sizes-limit-depth",
      ])
  }

  /// A report distinguishes declared limits from tested ones.
  @Test func theReportNamesDeclaredLimitsThatAreNotTested() throws {
    let corpus = try Self.corpus.get()
    let vectors = try Self.vectors("sizes-limit-") + Self.vectors("attachment-sizes-limit-")
    var limits = ReferenceDatastore().description.limits
    func note(_ limits: ImplementationDescription.Limits) -> String? {
      let report = Runner(Declaring(limits: limits)).run(
        Corpus(clauses: corpus.clauses, vectors: vectors, integrity: .released))
      return RunSummary(report).untestedLimits
    }
    limits.bodyBytesMax = 20_000_000
    limits.depthMax = 400
    #expect(
      note(limits)
        == "Declared limits above the sizes of all vectors: bodyBytes 20000000, depth 400, "
        + "attachmentBytes 67108864")
    #expect(note(.minimum) == nil)
  }

  /// Such a skip does not affect the grade: a store need not declare a limit.
  @Test func aStoreWithoutLimitsConforms() throws {
    let corpus = try Self.corpus.get()
    let vectors = try Self.vectors("sizes-limit-") + Self.vectors("winner-")
    let report = Runner(Declaring(limits: .minimum)).run(
      Corpus(clauses: corpus.clauses, vectors: vectors, integrity: .released))
    let summary = RunSummary(report)
    #expect(summary.conclusion == .conformant)
    #expect(summary.total.outOfReach >= 4)
    #expect(summary.total.skipped == summary.total.outOfReach)
    #expect(summary.offers.first { $0.offer == .core }?.grade == .conformant)
  }

  /// Every report counts every skipped vector, whatever the reason.
  @Test func allReportsCountTheSameSkips() throws {
    let corpus = try Self.corpus.get()
    let vectors =
      try Self.vectors("sizes-limit-") + Self.vectors("winner-") + Self.vectors("couchdb-")
    let store = Declaring(limits: .minimum, profiles: [])
    let report = Runner(store).run(
      Corpus(clauses: corpus.clauses, vectors: vectors, integrity: .released))
    let skips = report.results.count { if case .skipped = $0.verdict { true } else { false } }
    let tally = RunSummary(report).total
    #expect(tally.outOfReach > 0 && tally.outOfReach < skips && tally.skipped == skips)
    func text(_ format: ReportFormat) -> String { format.text(of: report) }
    func count(_ part: String, _ format: ReportFormat) -> Int {
      text(format).split(separator: part, omittingEmptySubsequences: false).count - 1
    }
    #expect(count("# SKIP ", .tap) == skips)
    #expect(count("<skipped ", .junit) == skips)
    #expect(count(#"skipped="\#(skips)""#, .junit) >= 1)
    #expect(count(#""verdict":"skipped""#, .jsonl) == skips)
    #expect(count(#""skipped":\#(skips),"#, .jsonl) == 1)
    #expect(count(" \(skips) skipped; ", .markdown) == 1)
    #expect(count("<dt>skipped</dt><dd>\(skips)</dd>", .html) == 1)
  }

  @Test func aVectorBeyondTheLimitsIsNotAsked() throws {
    let vector = try #require(try Self.vectors("couchdb-transcript-docids-store").first)
    var limits = ImplementationDescription.Limits.minimum
    #expect(vector.skip(for: Declaring(limits: limits).description)?.limits == [.idBytes])
    limits.idBytesMax = 4000
    #expect(vector.skip(for: Declaring(limits: limits).description) == nil)
  }

  // MARK: Failures

  /// A store whose declared limits differ from its real ones fails.
  @Test(arguments: [LimitName.bodyBytes, .idBytes, .depth], [-1, 1])
  func declaredLimitsAreTested(name: LimitName, difference: Int) throws {
    var limits = ReferenceDatastore().description.limits
    limits[name] += difference
    let failed = try Self.vectors("sizes-limit-").filter {
      if case .fail = $0.verdict(on: Declaring(limits: limits)) { true } else { false }
    }
    #expect(!failed.isEmpty)
    #expect(failed.allSatisfy { $0.vector.testedLimits == [name] })
  }

  /// A failure shows how a value was generated instead of a million bytes.
  @Test func failuresAreShort() throws {
    let vectors = try Self.vectors("sizes-")
    for vector in vectors {
      let verdict = vector.verdict(on: Garbling())
      guard case .fail(let witness) = verdict else {
        Issue.record("\(vector.id): \(verdict)")
        continue
      }
      #expect(witness.description.utf8.count < 12_000, "\(vector.id)")
      #expect(witness.exchange.operation.serializedBytes().count < 4000, "\(vector.id)")
      let transcript = witness.transcript.flatMap { [$0.operation, $0.outcome] }
      #expect(transcript.allSatisfy { $0.serializedBytes().count < 12_000 }, "\(vector.id)")
    }
  }

  /// A store that returns wrong and long results.
  final class Garbling: ImplementationUnderTest {
    let store = ReferenceDatastore()
    var description: ImplementationDescription { store.description }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      let body: JSONValue = ["t": .text(String(repeating: "y", count: 1_000_000))]
      switch store.perform(operation, environment) {
      case .ok(.document(var document)):
        document.body = body
        return .ok(.document(document))
      case .ok(.local): return .ok(.local(body: body))
      case .ok(.revisions(let answers)): return .ok(.revisions(answers + answers))
      case .ok(.list(let rows)): return .ok(.list(rows.dropLast()))
      case .ok(.leaves(let leaves)): return .ok(.leaves(leaves.dropLast()))
      case .ok(.revsDiff(let differences)): return .ok(.revsDiff(differences.dropLast()))
      case .ok(.changes(var page)):
        page.rows.removeLast()
        return .ok(.changes(page))
      case .error: return .error(DatastoreError(.conflict))
      case let outcome: return outcome
      }
    }

    func reset() throws(HarnessError) { store.reset() }
    func crash(_ kind: CrashKind) throws(HarnessError) { store.crash(kind) }
    func shutdown() throws(HarnessError) {}
  }
}
