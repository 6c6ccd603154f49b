package import Datastore
package import JSON

/// A hash chain of all events: equal digests mean equal runs, and the first unequal links of two
/// chains are the first event that differs.
package struct RunDigest {
  package private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

  package init() {}

  package mutating func fold(_ number: UInt64) {
    value = (value ^ number) &* 0xff51_afd7_ed55_8ccd
    value ^= value >> 32
  }

  package mutating func fold(_ text: JSONString) {
    // 8 bytes at a time; the length separates consecutive texts.
    text.withBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        fold(
          UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)
            .littleEndian)
        place += 8
      }
      var rest = UInt64(bytes.count) << 56
      for byte in bytes[place...] { rest = rest << 8 ^ UInt64(byte) }
      fold(rest)
    }
  }

  package mutating func fold(_ outcome: Outcome) {
    switch outcome {
    case .unknown: fold(1)
    case .error(let error): fold(JSONString(error.kind.name))
    case .ok(let result): fold(result)
    }
  }

  private mutating func fold(_ result: OperationResult) {
    switch result {
    case .done: fold(2)
    case .info(let info):
      fold(UInt64(bitPattern: info.documents))
      fold(UInt64(bitPattern: info.deletedDocuments))
      fold(info.incarnation)
    case .written(let id, let rev):
      fold(id.text)
      fold(rev.text)
    case .document(let document):
      fold(document.id.text)
      fold(document.rev.text)
      fold(document.attachments)
    case .list(let rows):
      for row in rows {
        fold(row.id.text)
        fold(row.rev.text)
      }
    case .leaves(let leaves): fold(leaves)
    case .changes(let page):
      for row in page.rows {
        fold(row.id.text)
        fold(row.leaves.array)
      }
      fold(page.more ? 3 : 4)
    case .revsDiff(let differences):
      for difference in differences {
        fold(difference.id.text)
        for rev in difference.missing { fold(rev.text) }
      }
    case .revisions(let answers):
      for answer in answers {
        fold(answer.rev.text)
        switch answer.found {
        case .records(let records):
          for record in records {
            fold(record.id.text)
            for rev in record.path { fold(rev.text) }
            fold(record.attachments)
          }
        case .missing: fold(5)
        case .bodyMissing: fold(6)
        }
      }
    case .inserted(let errors):
      for error in errors { fold(error.map { JSONString($0.kind.name) } ?? "ok") }
    case .local(let body): fold(JSONString(body.serialized()))
    case .resolved(let rev, let tombstones):
      fold(rev.text)
      for tombstone in tombstones { fold(tombstone.text) }
    case .purged(let revs): for rev in revs { fold(rev.text) }
    case .batch(let results): for result in results { fold(result) }
    case .turn(let answer): for request in answer.requests { fold(request.request.path) }
    case .attachment(let piece):
      fold([piece.attachment])
      fold(piece.bytes)
    case .held(let count): fold(UInt64(bitPattern: count))
    // The others are rare enough to be encoded.
    default: fold(JSONString(result.json.serialized()))
    }
  }

  private mutating func fold(_ attachments: [RevisionAttachment]) {
    for attachment in attachments {
      fold(attachment.name)
      fold(attachment.digest ?? "")
    }
  }

  private mutating func fold(_ leaves: [Leaf]) {
    for leaf in leaves {
      fold(leaf.rev.text)
      fold(leaf.deleted ? 7 : 8)
    }
  }
}
