internal import Datastore
internal import JSON

extension RevisionID {
  /// The generation before the hyphen; nil if the id is malformed.
  var generation: Int? {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "-") }
    guard (1...18).contains(digits.count), text.utf8.count > digits.count + 1,
      digits.first != UInt8(ascii: "0"), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The id of a generation and a suffix.
  init(generation: Int, suffix: JSONString) { self.init(JSONString("\(generation)-\(suffix)")) }
}

/// A revision of a document.
struct RevisionKey: Hashable {
  let document: DocumentID
  let revision: RevisionID

  var words: String { "\(document) \(revision)" }
}

/// A document with its revision history, as fetches return it and writes send it.
struct RevisionBody {
  let document: DocumentID?
  let revision: RevisionID?
  /// The revision and its ancestors, newest first; empty without `_revisions`.
  let path: [RevisionID]
  /// What is wrong with `_revisions`; nil if nothing.
  let flaw: String?
  let attachments: JSONObject?

  init(_ object: JSONObject) {
    document = object["_id"]?.textValue.map { DocumentID($0) }
    let named = object["_rev"]?.textValue.map { RevisionID($0) }
    attachments = object["_attachments"]?.objectValue
    guard let history = object["_revisions"] else {
      (revision, path, flaw) = (named, [], nil)
      return
    }
    let start = history.objectValue?["start"]?.integerValue
    let suffixes = history.objectValue?["ids"]?.arrayValue?.map(\.textValue)
    guard let start, let suffixes, !suffixes.isEmpty, !suffixes.contains(nil) else {
      (revision, path) = (named, [])
      flaw = "_revisions has no number start and list of texts ids"
      return
    }
    guard start >= suffixes.count, start <= 1 << 52 else {
      (revision, path) = (named, [])
      flaw = "_revisions has start \(start) and \(suffixes.count) ids"
      return
    }
    let whole = suffixes.enumerated().compactMap { place, suffix in
      suffix.map { RevisionID(generation: Int(start) - place, suffix: $0) }
    }
    revision = named ?? whole.first
    path = whole
    flaw =
      named.map { $0 == whole[0] } ?? true
      ? nil : "_rev is \(named.map { "\($0)" } ?? ""), _revisions begins with \(whole[0])"
  }

  /// The revision; nil if the document has no `_id` or no revision.
  var key: RevisionKey? {
    guard let document, let revision else { return nil }
    return RevisionKey(document: document, revision: revision)
  }
}
