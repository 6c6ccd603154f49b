internal import Storage

/// One fault of the disk, or contention by another process, at one of the calls.
struct DiskFault {
  /// The kind of fault, in words.
  enum Kind: String, CaseIterable {
    case read = "read error"
    case write = "write error"
    case sync = "sync error"
    case full = "full disk"
    case lock = "lock contention"
  }

  let kind: Kind
  /// True if every later call of its kind fails until the disk is repaired.
  let isLasting: Bool
  private let place: Place

  private enum Place {
    case step(StorageStep, StorageFault.Effect)
    case lock(Int)
    case lookUp(Int)
  }

  /// All faults of a run with these steps, locks and look-ups.
  static func all(
    at steps: [StorageStep], locks: Range<Int>, lookUps: Range<Int>
  ) -> [DiskFault] {
    var faults: [DiskFault] = []
    for step in steps {
      for (kind, effect) in kinds(of: step) {
        for isLasting in [false, true] {
          faults.append(
            DiskFault(kind: kind, isLasting: isLasting, place: .step(step, effect)))
        }
      }
    }
    for lock in locks {
      for isLasting in [false, true] {
        faults.append(DiskFault(kind: .lock, isLasting: isLasting, place: .lock(lock)))
      }
    }
    for lookUp in lookUps {
      for isLasting in [false, true] {
        faults.append(DiskFault(kind: .read, isLasting: isLasting, place: .lookUp(lookUp)))
      }
    }
    return faults
  }

  private static func kinds(of step: StorageStep) -> [(Kind, StorageFault.Effect)] {
    switch step.kind {
    case .open, .read: [(.read, .io)]
    case .create, .write: [(.write, .io), (.full, .full)]
    case .truncate, .delete, .rename: [(.write, .io)]
    case .sync, .syncDirectory: [(.sync, .io)]
    }
  }

  /// The fault plan of the storage, in addition to its permanent faults.
  func plan(_ others: [StorageFault]) -> FaultPlan {
    switch place {
    case .step(let step, let effect):
      let last = isLasting ? Int.max : step.ordinal
      let fault = StorageFault(effect, step.kind, role: step.role, ordinals: step.ordinal...last)
      return FaultPlan(others + [fault])
    case .lock(let number):
      return FaultPlan(others, heldLocks: number...(isLasting ? Int.max : number))
    case .lookUp(let number):
      return FaultPlan(others, failedLookUps: number...(isLasting ? Int.max : number))
    }
  }
}

extension DiskFault: CustomStringConvertible {
  var description: String {
    let span = isLasting ? " and all after it" : ""
    return switch place {
    case .step(let step, _): "\(kind.rawValue) at \(step)\(span)"
    case .lock(let number): "\(kind.rawValue) at lock \(number)\(span)"
    case .lookUp(let number): "\(kind.rawValue) at look-up \(number)\(span)"
    }
  }
}
