internal import Datastore
internal import JSON
internal import Replication

// Mutants with attachments, of replicators and of their targets.

extension ReplicationDefect {
  static let attachments: [ReplicationDefect] = [
    ReplicationDefect(
      "attachments-not-sent", "Records are sent without their attachments.",
      boundary: .machine { _ in DroppingAttachments() }),
    ReplicationDefect(
      "content-after-its-record",
      "A record is sent before its large content, and its refusal is ignored.",
      boundary: .machine { _ in SendingRecordsFirst() }),
    ReplicationDefect(
      "damaged-content-accepted", "Content that arrives is not compared with its digest.",
      boundary: .store { AcceptingAnyContent() }),
    ReplicationDefect(
      "piece-put-at-the-end", "A piece of content is appended, whatever its offset.",
      boundary: .store { AddingPieces() }),
    ReplicationDefect(
      "stub-not-replaced",
      "An attachment whose content the target lacks is sent only as a stub.",
      boundary: .machine { _ in SendingStubs() }),
    ReplicationDefect(
      "transfer-resumed-too-far",
      "An interrupted upload continues one byte too far, and its refusal is ignored.",
      boundary: .machine { _ in ResumingTooFar() }),
  ]
}

/// Sends only bodies.
private struct DroppingAttachments: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .insertRevisions(var records) = request else { return (request, nil) }
    for place in records.indices { records[place].attachments = [] }
    return (.insertRevisions(records), nil)
  }
}

extension PeerResponse {
  /// The result that reports records with a missing stub as stored.
  fileprivate var withoutMissingStubs: PeerResponse {
    guard case .ok(.inserted(let errors)) = self else { return self }
    return .ok(.inserted(errors.map { $0?.kind == .missingStub ? nil : $0 }))
  }
}

/// Assumes that the target has all content.
private struct SendingRecordsFirst: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .putBlob = request else { return (request, nil) }
    return (request, .ok(.held(.max)))
  }

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse { response.withoutMissingStubs }
}

/// Never requests content.
private struct SendingStubs: SessionMeddling {
  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .getRevisions(var queries) = request else { return (request, nil) }
    for place in queries.indices { queries[place].attachmentsSince = nil }
    return (.getRevisions(queries), nil)
  }

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse { response.withoutMissingStubs }
}

/// Takes the number of stored bytes for the index of the last one.
private struct ResumingTooFar: SessionMeddling {
  /// Content read from its beginning, or wrongly not.
  private var begun: Set<[JSONString]> = []

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .readAttachment(let id, let rev, let name, let offset?, let limit) = request,
      begun.insert([id.text, rev?.text ?? "", name]).inserted, offset > 0
    else { return (request, nil) }
    let further = PeerRequest.readAttachment(
      id: id, rev: rev, name: name, offset: offset + 1, limit: limit)
    return (further, nil)
  }

  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    switch (request, response) {
    case (.readAttachment(_, _, _, let offset?, _), .ok(.attachment(var piece))):
      piece.offset = offset
      return .ok(.attachment(piece))
    case (.insertRevisions, .ok(.inserted(let errors))):
      return .ok(.inserted(errors.map { $0?.kind == .badAttachment ? nil : $0 }))
    default: return response
    }
  }
}

/// Ignores offsets.
private struct AddingPieces: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .putBlob(let digest, let offset, let bytes) = operation.action, bytes != "",
      case .ok(.held(let count)) = try store.ask(
        operation.store, .putBlob(digest: digest, offset: 0, bytes: "")), offset <= count
    else { return try store.perform(operation, environment) }
    return try store.perform(
      StoreOperation(operation.store, .putBlob(digest: digest, offset: count, bytes: bytes)),
      environment)
  }
}

/// Drops the claims about content in records.
private struct AcceptingAnyContent: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .insertRevisions(var records) = operation.action else {
      return try store.perform(operation, environment)
    }
    for place in records.indices {
      for (number, attachment) in records[place].attachments.enumerated() {
        guard case .data = attachment.content, attachment.encoding == nil else { continue }
        records[place].attachments[number].digest = nil
        records[place].attachments[number].length = nil
      }
    }
    return try store.perform(
      StoreOperation(operation.store, .insertRevisions(records)), environment)
  }
}
