internal import Simulation
internal import Storage

/// Maps random draws to faults.
extension SQLiteReplica {
  /// The unsynced changes that a power loss leaves.
  func powerLoss(draw: UInt64) -> PowerLoss {
    var random = KeyedRandom(seed: draw, key: 0)
    let changes = storage.unsyncedChanges
    guard !changes.isEmpty else { return PowerLoss() }
    var fates: [Int: PowerLoss.Outcome] = [:]
    if random.chance(1, in: 2) {
      // The disk wrote them in order, up to this point.
      let end = random.below(changes.count + 1)
      for change in changes[..<end] { fates[change.number] = .kept }
      if end < changes.count {
        fates[changes[end].number] = .torn(sectors: ~(~0 << UInt64(random.below(8))))
      }
    } else {
      // The disk wrote any of them.
      for change in changes {
        let sectors = random.next()
        fates[change.number] = [.dropped, .kept, .torn(sectors: sectors)][random.below(3)]
      }
    }
    for change in changes {
      switch fates[change.number] ?? .dropped {
      case .kept: break
      case .dropped: probes[.unsyncedLost] += 1
      // All changes except writes are complete or absent.
      case .torn: if change.sectorCount > 1 { probes[.writeTorn] += 1 }
      }
    }
    return PowerLoss(outcomes: fates)
  }

  /// The maximum total length of the files on an almost full disk.
  func capacity(draw: UInt64) -> Int {
    var random = KeyedRandom(seed: draw, key: 0)
    let names = (try? storage.fileNames()) ?? []
    let used = names.reduce(0) { $0 + ((try? storage.size(of: $1)) ?? 0) }
    return used + random.below(1 << (10 + random.below(10)))
  }

  /// The steps that fail on a failing disk: some of the next ones of some kinds, or all of them.
  func faults(draw: UInt64) -> [StorageFault] {
    var random = KeyedRandom(seed: draw, key: 0)
    return (0...random.below(3)).map { _ in
      let (kind, role) = Self.fragileSteps[random.below(Self.fragileSteps.count)]
      let first = storage.counts[kind, role] + 1 + random.below(1 << random.below(5))
      let count = random.chance(1, in: 3) ? 1 << 32 : 1 << random.below(4)
      return StorageFault(.io, kind, role: role, ordinals: first...first + count)
    }
  }

  /// The possible failures of a failing disk; frequent ones are listed more than once.
  private static let fragileSteps: [(StorageStep.Kind, FileRole)] = [
    (.sync, .wal), (.sync, .wal), (.sync, .wal), (.write, .wal), (.write, .wal), (.read, .wal),
    (.read, .database), (.read, .database), (.write, .database), (.sync, .database),
    (.truncate, .wal), (.open, .database), (.open, .wal), (.create, .wal), (.delete, .wal),
    (.write, .shm), (.syncDirectory, .folder), (.create, .database), (.write, .journal),
  ]
}
