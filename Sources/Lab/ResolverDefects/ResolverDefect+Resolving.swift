internal import Datastore
internal import JSON
public import ResolverChecking
internal import Synchronization

extension ResolverDefect {
  /// The resolver of a device.
  public func closure(device: String) -> ConflictResolverCheck.Closure {
    let memory = Memory()
    let resolver = self
    return { conflict throws in try resolver.resolve(conflict, memory, device: device) }
  }

  /// The number of answers of a resolver so far.
  private final class Memory: Sendable {
    let answers = Mutex(0)
  }

  private static let answers = Mutex(0)

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private func resolve(
    _ conflict: DocumentConflict, _ memory: Memory, device: String
  ) throws -> ConflictResolution {
    switch self {
    case .firstLeaf: return .keep(conflict.leaves[0].rev)
    case .deviceName:
      let leaf = device == "phone" ? conflict.winnerFirst.first : conflict.winnerFirst.last
      return leaf.map { .keep($0.rev) } ?? .delete
    case .random:
      let number = Self.answers.withLock { count in
        count += 1
        return UInt64(count) &* 0x9e37_79b9_7f4a_7c15 >> 32
      }
      return .keep(conflict.winnerFirst[Int(number % UInt64(conflict.leaves.count))].rev)
    case .memory:
      let number = memory.answers.withLock { count in
        count += 1
        return count
      }
      return .keep(conflict.winnerFirst[number / 8 % 2].rev)
    case .hashSeed:
      let leaf = conflict.leaves.max { $0.rev.hashValue < $1.rev.hashValue }
      return leaf.map { .keep($0.rev) } ?? .delete
    case .dropsLoser, .revivesDocument, .tombstoneAsEmpty, .ignoresTombstones:
      return resolveDeletions(conflict)
    case .keepsAncestor, .leavesConflict, .deletesOnConflict, .throwsError, .hangs, .traps:
      return try resolveContradictions(conflict)
    default: return change(conflict)
    }
  }

  // MARK: Deletions

  private func resolveDeletions(_ conflict: DocumentConflict) -> ConflictResolution {
    let correct = ExampleResolver.merge.resolve(conflict)
    let live = conflict.winnerFirst.compactMap(\.body)
    switch self {
    case .dropsLoser: return correct == .delete ? .delete : ExampleResolver.winner.resolve(conflict)
    case .revivesDocument:
      guard live.isEmpty, let ancestor = conflict.ancestor?.body else { return correct }
      return .body(ancestor)
    case .ignoresTombstones:
      guard !live.isEmpty else { return .delete }
      return .body(Merge(conflict).merged { $0[0] })
    default:
      guard correct != .delete, live.count < conflict.leaves.count else { return correct }
      var emptied = conflict
      for place in emptied.leaves.indices where emptied.leaves[place].isDeleted {
        emptied.leaves[place].body = [:]
      }
      return .body(Merge(emptied).merged { $0[0] }, on: conflict.winnerFirst.first?.rev)
    }
  }

  // MARK: Contradictions

  private func resolveContradictions(
    _ conflict: DocumentConflict
  ) throws -> ConflictResolution {
    let merge = Merge(conflict)
    switch self {
    case .throwsError:
      let isGone = merge.names.contains { name in merge.live.allSatisfy { $0[name] == nil } }
      if isGone, !merge.live.isEmpty { throw Failure(description: "index out of range") }
    case .hangs, .traps:
      let isGone = merge.names.contains { name in
        merge.ancestor[name] != nil && merge.live.contains { $0[name] == nil }
      }
      if isGone {
        if self == .traps { preconditionFailure("the member is gone") }
        while true { sleepForever() }
      }
    default:
      var isContradicting = false
      _ = merge.merged { values in
        if values.contains(where: { $0 != values[0] }) { isContradicting = true }
        return values[0]
      }
      guard isContradicting, !merge.live.isEmpty else { break }
      switch self {
      case .keepsAncestor: return .keep(conflict.ancestor?.rev ?? "1-a")
      case .leavesConflict: return .unresolved
      default: return .delete
      }
    }
    return ExampleResolver.merge.resolve(conflict)
  }

  // MARK: Bodies

  /// A merge with a defect in the merged body.
  private func change(_ conflict: DocumentConflict) -> ConflictResolution {
    let correct = ExampleResolver.merge.resolve(conflict)
    guard case .body(var body, _) = correct else { return correct }
    let merge = Merge(conflict)
    let given = conflict.leaves.compactMap(\.body)
    switch self {
    case .parentAsGiven:
      return .body(body, on: conflict.leaves.first { !$0.isDeleted }?.rev)
    case .leafOrderConcatenation:
      for name in merge.names {
        let changed = given.compactMap { $0[name] }.filter { $0 != merge.ancestor[name] }
        if changed.contains(where: { $0 != changed[0] }) {
          body[name] = .text(changed.map { $0.serialized() }.joined(separator: " / "))
        }
      }
    case .clock:
      let seconds = (ContinuousClock.now - Self.start).components.seconds
      body["resolved"] = .integer(seconds)
    case .memberOrder:
      let count = Self.answers.withLock { count in
        count += 1
        return count
      }
      if count % 2 == 1 { body = JSONObject(body.members.reversed().map { ($0.name, $0.value) }) }
    case .laterTimestamp:
      body["a"] = .integer((merge.live.compactMap { $0["a"]?.integerValue }.max() ?? 0) + 1)
    case .appendsEntry:
      let log = merge.live.compactMap { $0["log"]?.arrayValue }.max { $0.count < $1.count } ?? []
      body["log"] = .array(log + ["merged"])
    case .unionOfMembers:
      for member in ([merge.ancestor] + merge.live.reversed()).flatMap(\.members)
      where body[member.name] == nil {
        body[member.name] = member.value
      }
    case .nullAsRemoved:
      for member in body.members where member.value == .null { body[member.name] = nil }
    case .wholeNumbers:
      for member in body.members {
        if case .double(let number) = member.value, abs(number) < 1e15 {
          body[member.name] = .integer(Int64(number))
        }
      }
    case .reservedMember:
      body["_conflicts"] = .array(conflict.winnerFirst.map(\.rev.json))
    default: combine(&body, merge)
    }
    return .body(body)
  }

  /// Combines the values of all sides.
  private func combine(_ body: inout JSONObject, _ merge: Merge) {
    for name in merge.names {
      let base = merge.ancestor[name]
      let changed = merge.live.compactMap { $0[name] }.filter { $0 != base }
      guard changed.count > 1 else { continue }
      switch self {
      case .arraysAppended:
        let parts = changed.compactMap(\.arrayValue)
        guard parts.count == changed.count else { continue }
        body[name] = .array(parts.flatMap { $0 })
      default:
        let numbers = changed.compactMap(\.integerValue)
        guard numbers.count == changed.count else { continue }
        let old = self == .counterDelta ? base?.integerValue ?? 0 : 0
        body[name] = .integer(old + numbers.map { $0 - old }.reduce(0, +))
      }
    }
  }

  private static let start = ContinuousClock.now
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

private func sleepForever() { sleep(3600) }
