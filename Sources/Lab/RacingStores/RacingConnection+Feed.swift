internal import Datastore
internal import JSON
internal import ReferenceDatastore

// Mutants with a feed of their own: the positions of documents are counted beside the model.

extension RacingConnection {
  func feeding(
    _ operation: StoreOperation, with defect: RaceDefect, _ environment: RunEnvironment
  ) -> Outcome? {
    switch operation.action {
    case .changes(let since, let limit):
      return page(of: operation.store, since: since, limit: limit, with: defect, environment)
    case .info:
      return store.locked { shared in
        guard case .ok(.info(var info)) = shared.model.perform(operation, environment) else {
          return nil
        }
        info.last = Self.sequence(shared.lastPosition)
        return .ok(.info(info))
      }
    case let action where action.isWrite && !action.writtenDocuments.isEmpty:
      return write(operation, with: defect, environment)
    default: return nil
    }
  }

  private static func sequence(_ position: Int64) -> UpdateSequence {
    .text(JSONString("p\(position)"))
  }

  private func write(
    _ operation: StoreOperation, with defect: RaceDefect, _ environment: RunEnvironment
  ) -> Outcome {
    let ids = operation.action.writtenDocuments
    let isEarly = defect == .feedByStart || defect == .rowBeforeCommit
    let start: Int64 = store.locked { shared in
      for id in ids { shared.writing[id, default: 0] += 1 }
      guard isEarly else { return 0 }
      shared.lastPosition += Int64(ids.count)
      return shared.lastPosition - Int64(ids.count)
    }
    environment.pass()
    let outcome = store.locked { shared in
      let before = shared.model.snapshot
      let outcome = perform(operation, environment, on: &shared)
      for (offset, id) in ids.enumerated() {
        shared.writing[id, default: 1] -= 1
        guard outcome.result != nil, shared.model.snapshot != before else { continue }
        if defect == .positionsInBlocks {
          if block.isEmpty {
            block = shared.lastPosition + 1..<shared.lastPosition + 5
            shared.lastPosition += 4
          }
          shared.positions[id] = max(shared.positions[id] ?? 0, block.lowerBound)
          block = block.dropFirst()
        } else if isEarly {
          shared.positions[id] = max(shared.positions[id] ?? 0, start + Int64(offset) + 1)
        } else {
          shared.lastPosition += 1
          shared.positions[id] = shared.lastPosition
        }
        shared.lastFinished = max(shared.lastFinished, shared.positions[id] ?? 0)
      }
      return outcome
    }
    return outcome
  }

  private func page(
    of name: StoreName, since: UpdateSequence?, limit: Int64?, with defect: RaceDefect,
    _ environment: RunEnvironment
  ) -> Outcome? {
    var start: Int64 = 0
    if case .text(let text)? = since { start = Int64(text.string.dropFirst()) ?? 0 }
    return store.locked { shared in
      let unfinished = Int64(shared.writing.values.reduce(0, +))
      guard
        case .ok(.changes(let all)) = shared.model.perform(
          StoreOperation(name, .changes()), environment)
      else { return nil }
      var rows = all.rows.compactMap { row -> (position: Int64, row: ChangesRow)? in
        guard let position = shared.positions[row.id], position > start else { return nil }
        if defect == .feedSkipsWriting, shared.writing[row.id, default: 0] > 0 { return nil }
        var row = row
        row.seq = Self.sequence(position)
        return (position, row)
      }
      rows.sort { $0.position < $1.position }
      let shown = rows.prefix(Int(clamping: limit ?? .max))
      let more = shown.count < rows.count
      let end: Int64 =
        switch defect {
        case .rowBeforeCommit: shared.lastPosition
        case .lastAheadOfWrites: shared.lastPosition + unfinished
        default: max(shared.lastFinished, start)
        }
      return .ok(
        .changes(
          ChangesPage(
            rows: shown.map(\.row),
            last: Self.sequence(more ? shown.last?.position ?? start : end), more: more)))
    }
  }
}

extension StoreAction {
  /// The documents that the operation can change.
  fileprivate var writtenDocuments: [DocumentID] {
    switch self {
    case .compact, .historyLimit, .writeLocal: []
    default: documents
    }
  }
}
