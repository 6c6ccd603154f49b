import Datastore
import JSON
import ResolverChecking
import Synchronization
import Testing

struct ResolverCheckTests {
  private static func merge(_ conflict: DocumentConflict) -> ConflictResolution {
    let live = conflict.winnerFirst.compactMap(\.body)
    guard let first = live.first else { return .delete }
    return .body(first)
  }

  /// The resolver gets every conflict of the domain: 10 states for each leaf and for the ancestor.
  @Test func enumeratesEveryConflict() throws {
    let seen = Mutex<Set<DocumentConflict>>([])
    let check = ConflictResolverCheck(expecting: []) { conflict in
      if conflict.device == "phone",
        conflict.leaves.map(\.rev)
          == conflict.leaves.map(\.rev).sorted(
            by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
      {
        seen.withLock { _ = $0.insert(conflict) }
      }
      return Self.merge(conflict)
    }
    let report = try check.report(seeds: 1...1)
    #expect(report.enumerated == 1000 + 10_000)
    #expect(seen.withLock(\.count) >= 11_000)
  }

  @Test func liveLeavesAreNoTombstones() throws {
    var check = ConflictResolverCheck(expecting: [.valid, .answers], passing: .live) { conflict in
      guard conflict.leaves.allSatisfy({ !$0.isDeleted }), conflict.leaves.count > 1 else {
        throw HarnessError("a tombstone")
      }
      return Self.merge(conflict)
    }
    check.enumeratedLeaves = 2
    #expect(try check.report(seeds: 1...200).findings.isEmpty)
  }

  @Test func theErrorIsTheReport() throws {
    var check = ConflictResolverCheck { conflict in .keep(conflict.leaves[0].rev) }
    check.enumeratedLeaves = 2
    let error = try #require(throws: ResolverError.self) { try check.check(seeds: 1...1) }
    let text = "\(error)"
    #expect(text.contains("FAIL order-independent"), "\(text)")
    #expect(text.contains("ancestor"), "\(text)")
    #expect(text.contains("phone, leaves 2-c, 2-b:"), "\(text)")
    #expect(text.contains("of 12 guarantees"), "\(text)")
  }

  @Test func theAncestorIsTheAnswerOfNoStore() throws {
    var check = ConflictResolverCheck(expecting: []) { conflict in
      .keep(conflict.ancestor?.rev ?? conflict.leaves[0].rev)
    }
    check.enumeratedLeaves = 2
    let report = try check.report(seeds: 1...1)
    #expect(report.findings.map(\.guarantee) == [.valid])
    #expect(report.findings[0].explanation.contains("1-a is not one of the leaves"))
  }

  /// Two runs with the same seeds print the same report.
  @Test func aRunIsRepeatable() throws {
    var check = ConflictResolverCheck { conflict in .keep(conflict.leaves[0].rev) }
    check.enumeratedLeaves = 2
    #expect(try check.report(seeds: 1...100).text == check.report(seeds: 1...100).text)
  }

  @Test func aHangIsFoundOnce() throws {
    let calls = Mutex(0)
    let check = ConflictResolverCheck(expecting: [], timeLimit: .milliseconds(50)) { conflict in
      guard conflict.ancestor?.body == ["a": 1] else { return Self.merge(conflict) }
      let number = calls.withLock { count in
        count += 1
        return count
      }
      while number < 100 { Thread.wait() }
      return Self.merge(conflict)
    }
    let report = try check.report(seeds: 1...1)
    #expect(report.findings.map(\.guarantee) == [.answers])
    #expect(report.findings[0].explanation.contains("within 0.05 seconds"), "\(report.text)")
    #expect(calls.withLock { $0 } < 10)
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

private enum Thread {
  static func wait() { sleep(1000) }
}
