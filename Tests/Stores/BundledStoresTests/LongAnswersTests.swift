import Testing
import TouchstoneKit

/// Responses to `getRevisions` that would be longer than a line of the adapter protocol.
struct LongAnswersTests {
  private static func answer(
    _ makeStore: () -> any ImplementationUnderTest, _ record: RevisionRecord,
    _ queries: [RevisionQuery]
  ) throws -> Outcome {
    let subject = makeStore()
    let environment = RunEnvironment(seed: 1)
    _ = try subject.perform(StoreOperation("a", .open()), environment)
    let outcome = try subject.perform(
      StoreOperation("a", .insertRevisions([record])), environment)
    #expect(outcome == .ok(.inserted([nil])))
    defer { try? subject.shutdown() }
    return try subject.perform(StoreOperation("a", .getRevisions(queries)), environment)
  }

  private static func record(generations: Int, suffix: Int) -> RevisionRecord {
    let suffix = String(repeating: "x", count: suffix)
    let path = (1...generations).reversed().map { RevisionID(JSONString("\($0)-\(suffix)")) }
    return RevisionRecord(id: "d", path: path, body: [:])
  }

  /// Many records of one path are returned up to the limit; one more is `tooLarge`.
  @Test(arguments: BadInputTests.stores, [true, false])
  func pathsAreBoundedInSum(
    makeStore: @Sendable () -> any ImplementationUnderTest, inOneEntry: Bool
  ) throws {
    let record = Self.record(generations: 5000, suffix: 100)
    let bytes = record.path.reduce(2) { $0 + $1.text.utf8.count + 3 }
    let countMax = Int(RevisionAnswer.bytesMax) / bytes
    for count in [countMax, countMax + 1] {
      let tips = [RevisionID](repeating: record.path[0], count: count)
      let queries =
        inOneEntry
        ? [RevisionQuery(id: "d", revs: tips, latest: true)]
        : tips.map { RevisionQuery(id: "d", revs: [$0]) }
      let outcome = try Self.answer(makeStore, record, queries)
      if count > countMax {
        #expect(outcome.errorKind == .tooLarge(limit: 67_108_864))
      } else if case .ok(.revisions(let answers)) = outcome {
        #expect(answers.count == count)
        #expect(answers.allSatisfy { $0.found == .records([record]) })
      } else {
        Issue.record("\(outcome.errorKind.map { "\($0)" } ?? "unknown")")
      }
    }
  }

  /// A single record is returned whatever its length is, so that it can be replicated.
  @Test(arguments: BadInputTests.stores)
  func oneRecordIsNeverTooLarge(
    makeStore: @Sendable () -> any ImplementationUnderTest
  ) throws {
    let record = Self.record(generations: 70, suffix: 1_000_000)
    let query = RevisionQuery(id: "d", revs: [record.path[0]])
    let outcome = try Self.answer(makeStore, record, [query])
    guard case .ok(.revisions(let answers)) = outcome else {
      Issue.record("\(outcome.errorKind.map { "\($0)" } ?? "unknown")")
      return
    }
    #expect(answers.map { $0.found } == [.records([record])])
  }
}
