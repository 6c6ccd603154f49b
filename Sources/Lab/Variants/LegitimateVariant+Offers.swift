internal import Datastore
internal import JSON
internal import ReferenceDatastore

extension LegitimateVariant {
  /// Stores that offer less than the model, and declare it.
  static let offers: [LegitimateVariant] = [
    LegitimateVariant(
      "core-only", "The store has no capability.",
      telling: "resolve-keep-loser"
    ) {
      Without(Set(Capability.allCases))
    },
    LegitimateVariant(
      "without-attachments", "The store has no attachments.",
      telling: "attachment-empty-name"
    ) {
      Without([.attachment, .attachmentEncoding, .attachmentPieces])
    },
    LegitimateVariant(
      "inline-attachments", "Attachments are sent within a line and have no encoding.",
      telling: "attachment-read-middle"
    ) {
      Without([.attachmentEncoding, .attachmentPieces])
    },
    LegitimateVariant(
      "without-attachment-encodings", "Attachments have no encoding.",
      telling: "attachment-gzip-lengths"
    ) {
      Without([.attachmentEncoding])
    },
    LegitimateVariant(
      "without-attachment-pieces", "Attachments are neither read nor uploaded in pieces.",
      telling: "attachment-read-middle"
    ) {
      Without([.attachmentPieces])
    },
    LegitimateVariant(
      "without-find", "The store cannot find documents by their content.",
      telling: "find-filter-names"
    ) {
      Without([.find, .regex, .decimals, .geography])
    },
    LegitimateVariant(
      "without-upkeep", "The store neither compacts nor purges.",
      telling: "compact-moves-nothing"
    ) {
      Without([.compact, .purge, .historyLimit])
    },
    LegitimateVariant(
      "without-batches", "The store has neither batches nor resolve.",
      telling: "batch-first-fails"
    ) {
      Without([.atomicBatch, .resolve])
    },
    LegitimateVariant(
      "without-tombstone-bodies", "Tombstones have no body of their own.",
      telling: "couchdb-recorded-tombstone-body"
    ) {
      Without([.tombstoneBodies])
    },
    LegitimateVariant(
      "without-profiles", "The store gives no guarantee beyond the core.",
      telling: "incarnation-sequences-destroyed"
    ) {
      WithoutProfiles()
    },
    LegitimateVariant(
      "limits-least", "Bodies, ids and depths have the smallest limits.",
      telling: "sizes-limit-depth"
    ) {
      LeastLimits()
    },
    LegitimateVariant(
      "defaults-couchdb", "Stores are opened as CouchDB's without arguments.",
      telling: "batch-resolve"
    ) {
      OtherDefaults()
    },
  ]
}

/// Removes capabilities; their operations are `unsupported`.
private struct Without: Variation {
  let capabilities: Set<Capability>

  init(_ capabilities: Set<Capability>) { self.capabilities = capabilities }

  func describe(_ description: inout ImplementationDescription) {
    description.capabilities.subtract(capabilities)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    guard operation.action.capabilities.isDisjoint(with: capabilities) else {
      return .error(DatastoreError(.unsupported(what: operation.action.name)))
    }
    return store.perform(operation, environment)
  }
}

/// Removes all profiles: stores have `own` ids and the order of bytes.
private struct WithoutProfiles: Variation {
  func describe(_ description: inout ImplementationDescription) { description.profiles = [] }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    if case .open(let revisionIDs, let collation) = operation.action {
      if let revisionIDs, revisionIDs != .own {
        return .error(DatastoreError(.unsupported(what: revisionIDs.rawValue)))
      }
      if let collation, collation != .bytes {
        return .error(DatastoreError(.unsupported(what: collation.rawValue)))
      }
    }
    return store.perform(operation, environment)
  }
}

/// Opens stores with CouchDB's ids and order, and no others.
private struct OtherDefaults: Variation {
  func describe(_ description: inout ImplementationDescription) {
    description.profiles = description.profiles.intersection([
      .exactNumbers, .denseChanges, .incarnationSequences, .couchdb,
    ])
    description.defaults = .init(revisionIDs: .couchdb, collation: .couchdb)
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    guard case .open(let revisionIDs, let collation) = operation.action else {
      return store.perform(operation, environment)
    }
    if let revisionIDs, revisionIDs != .couchdb {
      return .error(DatastoreError(.unsupported(what: revisionIDs.rawValue)))
    }
    if let collation, collation != .couchdb {
      return .error(DatastoreError(.unsupported(what: collation.rawValue)))
    }
    let opening = StoreAction.open(revisionIDs: .couchdb, collation: .couchdb)
    return store.perform(StoreOperation(operation.store, opening), environment)
  }
}

/// Refuses what exceeds the smallest limits that a store may have.
private struct LeastLimits: Variation {
  private static let least = ImplementationDescription.Limits.minimum

  func describe(_ description: inout ImplementationDescription) {
    let limits = description.limits
    description.limits = ImplementationDescription.Limits(
      bodyBytesMax: Self.least.bodyBytesMax, idBytesMax: Self.least.idBytesMax,
      depthMax: Self.least.depthMax, inlineBytesMax: limits.inlineBytesMax,
      attachmentBytesMax: limits.attachmentBytesMax,
      declared: limits.declared.union([.bodyBytes, .idBytes, .depth]))
  }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: ReferenceDatastore
  ) -> Outcome {
    switch operation.action {
    case .insertRevisions(let records):
      let faults = records.map { Self.fault($0.id, $0.body) }
      let valid = zip(records, faults).filter { $1 == nil }.map(\.0)
      let outcome = store.perform(
        StoreOperation(operation.store, .insertRevisions(valid)), environment)
      guard case .ok(.inserted(let results)) = outcome else { return outcome }
      var rest = results[...]
      return .ok(.inserted(faults.map { $0 ?? rest.popFirst() ?? nil }))
    case .batch(let writes):
      for (place, write) in writes.enumerated() {
        guard var error = Self.fault(write) else { continue }
        error.write = Int64(place)
        return .error(error)
      }
    default:
      if let error = Self.fault(operation.action) { return .error(error) }
    }
    return store.perform(operation, environment)
  }

  private static func fault(_ action: StoreAction) -> DatastoreError? {
    switch action {
    case .create(let id, let body): fault(id, body)
    case .update(let id, _, let body): fault(id, body)
    case .delete(let id, _, let body?): fault(id, body)
    case .resolve(let id, _, _, let body?): fault(id, body)
    case .writeLocal(let id, let body?): fault(id, body)
    case .attaching(_, let write): fault(write)
    default: nil
    }
  }

  private static func fault(_ id: DocumentID?, _ body: JSONValue) -> DatastoreError? {
    if let id, id.text.string.utf8.count > least.idBytesMax { return tooLarge(least.idBytesMax) }
    guard body.objectValue != nil else { return nil }
    if depth(of: body) > least.depthMax { return tooLarge(least.depthMax) }
    return body.serializedBytes().count > least.bodyBytesMax ? tooLarge(least.bodyBytesMax) : nil
  }

  private static func tooLarge(_ limit: Int) -> DatastoreError {
    DatastoreError(.tooLarge(limit: Int64(limit)))
  }

  /// The nesting depth; `{}` has 1.
  private static func depth(of body: JSONValue) -> Int {
    var level = [body]
    var depth = 0
    while !level.isEmpty {
      level = level.flatMap { value -> [JSONValue] in
        value.arrayValue ?? value.objectValue?.members.map(\.value) ?? []
      }
      depth += 1
    }
    // The last level has only scalars, unless it is empty.
    return depth
  }
}
