internal import Datastore
internal import JSON

// Mutants in the attachments of writes.

extension Defect {
  static let attachments: [Defect] =
    attachmentSets + attachmentStubs + attachmentSpelling + attachmentNames + attachmentRecords
    + attachmentContents + attachmentKeeping

  private static let attachmentSets: [Defect] = [
    attaching(
      "attachments-of-nothing-forgotten", "ATT-001",
      sentence: "Attachments of 0 bytes are dropped."
    ) { attachment, _ in
      attachment.content == .data("") && attachment.digest == nil && attachment.length == nil
        && attachment.encoding == nil ? nil : attachment
    },
    answering("last-bytes-lost", "ATT-001", sentence: "Bytes after the last group of 3 are lost.") {
      _, result, _ in
      guard case .attachment(var piece) = result, piece.bytes.utf8.last == UInt8(ascii: "=") else {
        return .ok(result)
      }
      piece.bytes = JSONString(String(piece.bytes.string.dropLast(4)))
      return .ok(.attachment(piece))
    },
    mishearing(
      "attachments-stay", "ATT-002",
      sentence: "An update that names no attachments keeps those of its parent."
    ) { operation, store throws(HarnessError) in
      guard case .update(let id, let rev, _) = operation.action,
        let parent = try store.document(operation.store, id, rev: rev), !parent.deleted
      else { return operation }
      let stubs = parent.attachments.map { RevisionAttachment($0.name, .stub) }
      return StoreOperation(operation.store, .attaching(stubs, to: operation.action))
    },
    mishearing(
      "attachments-add-up", "ATT-002",
      sentence: "An update adds its attachments to those of its parent."
    ) { operation, store throws(HarnessError) in
      guard case .attaching(let attachments, .update(let id, let rev, let body)) = operation.action,
        let parent = try store.document(operation.store, id, rev: rev)
      else { return operation }
      let others = parent.attachments.filter { held in
        !attachments.contains { $0.name == held.name }
      }
      let all = attachments + others.map { RevisionAttachment($0.name, .stub) }
      return StoreOperation(
        operation.store, .update(id: id, rev: rev, body: body, attachments: all))
    },
    showing("length-of-encoded", "ATT-004", sentence: "`length` is that of the encoded bytes.") {
      $0.length = $0.encodedLength ?? $0.length
    },
    showing(
      "digest-of-another-form", "ATT-005",
      sentence: "The digest of encoded content is not computed over its encoded bytes."
    ) {
      if $0.encoding != nil { $0.digest = RevisionAttachment.nobodysDigest }
    },
    attaching("text-by-default", "ATT-006", sentence: "An attachment without a type is text/plain.")
    {
      attachment, _ in
      attachment.content == .stub
        ? attachment : attachment.with(\.type, attachment.type ?? "text/plain")
    },
    remembering(
      "revpos-as-told", "ATT-007", sentence: "An edit keeps the revpos that the client sends.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.attaching(let attachments, _), .ok(.written(let id, let rev))):
          for attachment in attachments where attachment.content != .stub {
            guard let revpos = attachment.revpos, revpos > 0 else { continue }
            memory.counts[operation.key(id.text, rev.text, attachment.name)] = revpos
          }
        case (.read(let id, _), .ok(let result)):
          let counts = memory.counts
          return .ok(
            result.mapAttachments { attachments, rev in
              for place in attachments.indices {
                let key = operation.key(id.text, rev?.text ?? "", attachments[place].name)
                attachments[place].revpos = counts[key] ?? attachments[place].revpos
              }
            })
        default: break
        }
        return outcome
      }),
  ]

  private static let attachmentStubs: [Defect] = [
    mishearing(
      "stubs-count-as-new", "ATT-003", sentence: "A stub gets the revpos of new content."
    ) { operation, store throws(HarnessError) in
      try operation.mapAttachments { attachments, writing throws(HarnessError) in
        guard writing.isEdit, let id = writing.document, let rev = writing.ancestors.first,
          let parent = try store.document(operation.store, id, rev: rev)
        else { return }
        attachments = attachments.map { stub in
          guard stub.content == .stub,
            let held = parent.attachments.first(where: { $0.name == stub.name }),
            stub.digest ?? held.digest == held.digest, stub.revpos ?? 0 == 0 || stub == held
          else { return stub }
          return held.named
        }
      }
    },
    attaching(
      "stubs-by-name-alone", "ATT-008", sentence: "The digest of a stub is not checked."
    ) {
      attachment, _ in
      attachment.content == .stub ? attachment.with(\.digest, nil) : attachment
    },
    excusing(
      "missing-stubs-left-out", "ATT-008",
      sentence: "An edit drops stubs without an attachment."
    ) { operation, kind, store throws(HarnessError) in
      guard case .attaching(let attachments, let write) = operation.action, kind == .missingStub
      else { return nil }
      let rest = attachments.filter { $0.content != .stub }
      return try store.ask(operation.store, .attaching(rest, to: write))
    },
    mishearing(
      "resolving-loses-attachments", "ATT-013",
      sentence: "The child made by `resolve` has no attachments."
    ) { operation, _ in
      guard case .resolve(_, _, _, .some) = operation.action else { return operation }
      return StoreOperation(operation.store, .attaching([], to: operation.action))
    },
    mishearing(
      "resolving-ignores-attachments", "ATT-013",
      sentence: "`resolve` without a body ignores given attachments."
    ) { operation, _ in
      guard case .attaching(_, let write) = operation.action, case .resolve(_, _, _, nil) = write
      else { return operation }
      return StoreOperation(operation.store, write)
    },
  ]

  private static let attachmentSpelling: [Defect] = [
    attaching(
      "damage-accepted", "ATT-009",
      sentence: "Bytes are not compared with their digest."
    ) { attachment, _ in
      guard case .data = attachment.content else { return attachment }
      return attachment.with(\.digest, nil)
    },
    attaching(
      "lengths-not-compared", "ATT-009",
      sentence: "Bytes are not compared with their declared length."
    ) { attachment, _ in
      guard case .data = attachment.content, attachment.encoding == nil,
        attachment.length ?? 0 >= 0
      else { return attachment }
      return attachment.with(\.length, nil)
    },
    attaching(
      "base64-guessed", "ATT-009",
      sentence: "Invalid base64 characters are skipped, and missing padding is accepted."
    ) {
      attachment, _ in
      guard case .data(let text) = attachment.content else { return attachment }
      let good = text.string.filter {
        $0.isASCII && ($0.isLetter || $0.isNumber || "+/".contains($0))
      }
      let whole = good.count % 4 == 1 ? String(good.dropLast()) : good
      let padding = String(repeating: "=", count: (4 - whole.count % 4) % 4)
      return attachment.with(\.content, .data(JSONString(whole + padding)))
    },
    attaching(
      "negative-is-not-given", "ATT-009", sentence: "A negative number in an attachment is ignored."
    ) {
      attachment, _ in
      attachment.with(\.length, attachment.length.flatMap { $0 < 0 ? nil : $0 })
        .with(\.revpos, attachment.revpos.flatMap { $0 < 0 ? nil : $0 })
    },
    attaching(
      "unknown-encodings-ignored", "ATT-009",
      sentence: "An unknown encoding is ignored."
    ) {
      attachment, _ in
      guard let encoding = attachment.encoding, encoding != "gzip" else { return attachment }
      return attachment.with(\.encoding, nil)
    },
    attaching("names-end-at-nul", "ATT-009", sentence: "An attachment name ends at its first NUL.")
    {
      attachment, _ in
      attachment.with(\.name, JSONString(String(attachment.name.string.prefix { $0 != "\0" })))
    },
    attaching(
      "lengths-of-encoded-not-compared", "ATT-029",
      sentence: "The decoded length of gzip content is not verified."
    ) { attachment, _ in
      attachment.encoding == "gzip" && attachment.content != .stub
        ? attachment.with(\.length, nil) : attachment
    },
    excusing(
      "empty-name-is-bad-request", "ATT-018", sentence: "An empty attachment name is badRequest."
    ) {
      operation, kind, _ in
      guard case .attaching(let attachments, _) = operation.action, kind == .badAttachment,
        attachments.contains(where: { $0.name == "" })
      else { return nil }
      return .error(DatastoreError(.badRequest(path: "attachments")))
    },
  ]

  /// Replaces attachment names, in writes and in reads.
  private static func renaming(
    _ name: String, _ sentence: String, change: @escaping @Sendable (JSONString) -> JSONString
  ) -> Defect {
    mishearing(name, "ATT-019", sentence: sentence) { operation, _ in
      if case .readAttachment(let id, let rev, let name, let offset, let limit) = operation.action {
        return StoreOperation(
          operation.store,
          .readAttachment(id: id, rev: rev, name: change(name), offset: offset, limit: limit))
      }
      return operation.mapEachAttachment { attachment, _ in
        attachment.with(\.name, change(attachment.name))
      }
    }
  }

  private static let attachmentNames: [Defect] = [
    renaming("names-composed", "Attachment names are normalised to NFC.") {
      $0.composed
    },
    renaming("names-without-case", "Attachment names are folded to lower case.") {
      $0.string.allSatisfy(\.isASCII) ? JSONString($0.string.lowercased()) : $0
    },
    renaming(
      "names-without-folders", "Only the part of an attachment name after the last slash is stored."
    ) {
      let last = $0.string.split(separator: "/", omittingEmptySubsequences: false).last
      return last.map { $0.isEmpty ? "_" : JSONString(String($0)) } ?? $0
    },
    mishearing(
      "long-names-refused", "ATT-010",
      sentence: "An attachment name of more than 128 bytes is refused."
    ) {
      operation, _ in
      operation.mapEachAttachment { attachment, _ in
        attachment.name.utf8.count > 128 ? attachment.with(\.name, "_") : attachment
      }
    },
  ]
}
