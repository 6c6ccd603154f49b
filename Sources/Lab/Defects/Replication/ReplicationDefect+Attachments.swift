internal import Datastore
internal import JSON
internal import Replication

// Mutants with attachments, of replicators and of their targets.

extension ReplicationDefect {
  static let attachments: [ReplicationDefect] = [
    ReplicationDefect(
      "attachments-not-sent", breaks: "REPL-027", "Records are sent without their attachments.",
      boundary: .machine { _ in DroppingAttachments { _ in true } }),
    ReplicationDefect(
      "content-after-its-record",
      "A record is sent before its large content, and its refusal is ignored.",
      boundary: .machine { _ in SendingRecordsFirst() }),
    ReplicationDefect(
      "content-of-ancestors-not-sent", breaks: "REPL-027",
      "Content that an earlier revision added is sent only as a stub.",
      boundary: .machine { _ in SendingStubsOfAncestors() }),
    ReplicationDefect(
      "damaged-content-accepted", "Content that arrives is not compared with its digest.",
      boundary: .store { AcceptingAnyContent() }),
    ReplicationDefect(
      "empty-attachments-not-sent", breaks: "REPL-027", "Attachments of 0 bytes are not sent.",
      boundary: .machine { _ in DroppingAttachments { $0.content == .data("") } }),
    ReplicationDefect(
      "losing-attachments-not-sent", breaks: "REPL-027",
      "Of the leaves of a document, only the first is sent with its attachments.",
      boundary: .machine { _ in DroppingFurtherAttachments() }),
    ReplicationDefect(
      "piece-put-at-the-end", "A piece of content is appended, whatever its offset.",
      boundary: .store { AddingPieces() }),
    ReplicationDefect(
      "replaced-content-not-sent", breaks: "REPL-027",
      "If the target has an earlier revision of a document, its attachments are sent only as stubs.",
      boundary: .machine { _ in SendingStubsToHolders() }),
    ReplicationDefect(
      "stub-not-replaced", breaks: "REPL-027",
      "An attachment whose content the target lacks is sent only as a stub.",
      boundary: .machine { _ in SendingStubs() }),
    ReplicationDefect(
      "transfer-resumed-too-far",
      "An interrupted upload continues one byte too far, and its refusal is ignored.",
      boundary: .machine { _ in ResumingTooFar() }),
    ReplicationDefect(
      "unchanged-attachments-not-sent", breaks: "REPL-027",
      "Attachments whose content the target has are left out, instead of being sent as stubs.",
      boundary: .machine { _ in DroppingAttachments { $0.content == .stub } }),
  ]
}

/// Sends records without some of their attachments.
private struct DroppingAttachments: SessionMeddling {
  let isDropped: @Sendable (RevisionAttachment) -> Bool

  func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .insertRevisions(var records) = request else { return (request, nil) }
    for place in records.indices { records[place].attachments.removeAll(where: isDropped) }
    return (.insertRevisions(records), nil)
  }
}

/// Sends the attachments of one leaf of each document.
private struct DroppingFurtherAttachments: SessionMeddling {
  /// The documents of which a leaf was sent.
  private var sent: Set<DocumentID> = []

  mutating func asked(
    _ side: ReplicationSide, _ request: PeerRequest, attempt: Int
  ) -> (PeerRequest, PeerResponse?) {
    guard case .insertRevisions(var records) = request else { return (request, nil) }
    for place in records.indices where !sent.insert(records[place].id).inserted {
      records[place].attachments = []
    }
    return (.insertRevisions(records), nil)
  }
}

/// Assumes that the target has the content of each name that it has once received.
private struct SendingStubsToHolders: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    guard case .getRevisions(let queries) = request else { return response }
    let held = Set(queries.filter { $0.attachmentsSince?.isEmpty == false }.map(\.id))
    return response.withStubs { record, _ in held.contains(record.id) }
  }
}

/// Assumes that the target has all ancestors.
private struct SendingStubsOfAncestors: SessionMeddling {
  func answered(
    _ side: ReplicationSide, _ request: PeerRequest, response: PeerResponse
  ) -> PeerResponse {
    response.withStubs { record, attachment in
      attachment.revpos != Int64(record.path.count)
    }.withoutMissingStubs
  }
}

extension PeerResponse {
  /// The response with stubs, which claim nothing, in place of some attachments with content.
  fileprivate func withStubs(
    where isReplaced: (RevisionRecord, RevisionAttachment) -> Bool
  ) -> PeerResponse {
    guard case .ok(.revisions(var answers)) = self else { return self }
    for place in answers.indices {
      guard case .records(var records) = answers[place].found else { continue }
      for record in records.indices {
        for number in records[record].attachments.indices
        where isReplaced(records[record], records[record].attachments[number]) {
          records[record].attachments[number].content = .stub
          records[record].attachments[number].digest = nil
        }
      }
      answers[place] = RevisionAnswer(
        id: answers[place].id, rev: answers[place].rev, found: .records(records))
    }
    return .ok(.revisions(answers))
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
