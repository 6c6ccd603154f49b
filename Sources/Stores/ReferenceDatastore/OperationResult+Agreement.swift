internal import Datastore
internal import JSON

extension OperationResult {
  /// Whether two results are equal as far as the contract guarantees: bodies as JSON values, and
  /// lists without a guaranteed order in any order.
  ///
  /// - Parameter comparesDigests: whether SHA-256 digests of attachments have to be equal.
  func agrees(with other: OperationResult, comparesDigests: Bool = true) -> Bool {
    switch (self, other) {
    case (.document(let mine), .document(let theirs)):
      mine.id == theirs.id && mine.rev == theirs.rev && mine.deleted == theirs.deleted
        && mine.body.isSameValue(as: theirs.body)
        && mine.attachments.agree(with: theirs.attachments, comparesDigests: comparesDigests)
    case (.leaves(let mine), .leaves(let theirs)): mine.agree(with: theirs)
    case (.revsDiff(let mine), .revsDiff(let theirs)):
      mine == theirs || mine.map { $0.unordered }.tally == theirs.map { $0.unordered }.tally
    case (.revisions(let mine), .revisions(let theirs)):
      mine.count == theirs.count
        && zip(mine, theirs).allSatisfy { $0.agrees(with: $1, comparesDigests: comparesDigests) }
    case (.inserted(let mine), .inserted(let theirs)):
      mine.map { $0?.kind } == theirs.map { $0?.kind }
    case (.local(let mine), .local(let theirs)): mine.isSameValue(as: theirs)
    case (.resolved(let myRev, let mine), .resolved(let theirRev, let theirs)):
      myRev == theirRev && mine.isPermutation(of: theirs)
    case (.purged(let mine), .purged(let theirs)): mine.isPermutation(of: theirs)
    case (.batch(let mine), .batch(let theirs)):
      mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.agrees(with: $1) }
    case (.attachment(let mine), .attachment(let theirs)):
      mine.agrees(with: theirs, comparesDigests: comparesDigests)
    case (.found(let mine), .found(let theirs)): mine.agrees(with: theirs)
    default: self == other
    }
  }
}

extension FindAnswer {
  fileprivate func agrees(with other: FindAnswer) -> Bool {
    switch (self, other) {
    case (.documents(let mine), .documents(let theirs)):
      mine.count == theirs.count
        && zip(mine, theirs).allSatisfy { mine, theirs in
          mine.id == theirs.id && mine.rev == theirs.rev && mine.body.isSameValue(as: theirs.body)
        }
    // Each store may choose its index.
    case (.explanation, .explanation): true
    default: self == other
    }
  }
}

extension Collection<Leaf> {
  /// Whether two lists of leaves have the same winner at the front and the same other leaves.
  func agree(with other: some Collection<Leaf>) -> Bool {
    first == other.first && isPermutation(of: other)
  }
}

extension Sequence where Element: Hashable {
  /// Whether two lists have the same elements in any order; most have the same order, which takes
  /// no hashing.
  fileprivate func isPermutation(of other: some Sequence<Element>) -> Bool {
    elementsEqual(other) || tally == other.tally
  }

  /// The number of occurrences of each element.
  fileprivate var tally: [Element: Int] {
    reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension Difference {
  /// The difference as a value without order: its lists as the number of occurrences of each name.
  fileprivate var unordered: Unordered {
    Unordered(id: id, missing: missing.tally, possibleAncestors: possibleAncestors.tally)
  }

  fileprivate struct Unordered: Hashable {
    var id: DocumentID
    var missing: [RevisionID: Int]
    var possibleAncestors: [RevisionID: Int]
  }
}

extension RevisionAnswer {
  fileprivate func agrees(with other: RevisionAnswer, comparesDigests: Bool) -> Bool {
    guard id == other.id, rev == other.rev else { return false }
    switch (found, other.found) {
    case (.records(let mine), .records(let theirs)):
      return mine.count == theirs.count
        && mine.allSatisfy { record in
          theirs.contains { record.agrees(with: $0, comparesDigests: comparesDigests) }
        }
    default: return found == other.found
    }
  }
}

extension RevisionRecord {
  fileprivate func agrees(with other: RevisionRecord, comparesDigests: Bool) -> Bool {
    id == other.id && path == other.path && deleted == other.deleted
      && body.isSameValue(as: other.body)
      && attachments.agree(with: other.attachments, comparesDigests: comparesDigests)
      && attachments.allSatisfy { mine in
        other.attachments.contains { mine.name == $0.name && mine.isBrought(by: $0) }
      }
  }
}

extension [RevisionAttachment] {
  /// Whether two sets are equal except for the product's own digests and the location of the bytes.
  func agree(with other: [RevisionAttachment], comparesDigests: Bool = true) -> Bool {
    guard comparesDigests else { return withoutDigests.agree(with: other.withoutDigests) }
    guard count == other.count else { return false }
    let (mine, theirs) = (map { $0.identity }, other.map { $0.identity })
    return mine == theirs || Set(mine) == Set(theirs)
  }
}

extension RevisionAttachment {
  /// The properties of an attachment that the contract guarantees, without its bytes.
  fileprivate var identity: RevisionAttachment {
    RevisionAttachment(
      name, .stub, type: type, digest: digest, length: length, revpos: revpos, encoding: encoding,
      encodedLength: encodedLength)
  }
}

extension RevisionAttachment {
  /// Whether another attachment provides the content of this one: equal bytes, or bytes to be read
  /// in chunks; it may also provide content where this one is a stub.
  fileprivate func isBrought(by other: RevisionAttachment) -> Bool {
    switch other.content {
    case .data(let text):
      // Only an accepted answer of a store has no digest.
      digest == nil
        ? content == other.content : Base64.decode(text).map { ContentDigest.of($0) } == digest
    case .stub: content == .stub
    case .chunks, .file: true
    }
  }
}

extension AttachmentPiece {
  /// Whether two chunks belong to the same attachment and agree in their common bytes. Each store
  /// chooses the length of a chunk, which is empty only at the end.
  fileprivate func agrees(with other: AttachmentPiece, comparesDigests: Bool) -> Bool {
    guard [attachment].agree(with: [other.attachment], comparesDigests: comparesDigests),
      offset == other.offset,
      let mine = Base64.decode(bytes), let theirs = Base64.decode(other.bytes)
    else { return false }
    let count = min(mine.count, theirs.count)
    return mine.prefix(count) == theirs.prefix(count) && mine.isEmpty == theirs.isEmpty
  }
}
