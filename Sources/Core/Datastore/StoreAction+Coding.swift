// Written by `tools/operations/generate.py` from the tables of operations.

package import JSON

extension StoreAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .destroy: "destroy"
    case .info: "info"
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    case .read: "read"
    case .list: "list"
    case .leaves: "leaves"
    case .changes: "changes"
    case .revsDiff: "revsDiff"
    case .getRevisions: "getRevisions"
    case .insertRevisions: "insertRevisions"
    case .readLocal: "readLocal"
    case .writeLocal: "writeLocal"
    case .resolve: "resolve"
    case .compact: "compact"
    case .purge: "purge"
    case .historyLimit: "historyLimit"
    case .batch: "batch"
    case .setValidation: "setValidation"
    case .flush: "flush"
    case .replicate: "replicate"
    case .attaching(_, let inner): inner.name
    case .readAttachment: "readAttachment"
    case .putBlob: "putBlob"
    case .finding(let inner): inner.name
    case .family(let inner): inner.base.name
    }
  }

  /// The arguments that are present, in the order of the table.
  package var arguments: [(JSONString, JSONValue)] {
    var list = ArgumentList()
    switch self {
    case .open(let revisionIDs, let collation):
      list.add("revisionIDs", ifPresent: revisionIDs)
      list.add("collation", ifPresent: collation)
    case .create(let id, let body):
      list.add("id", ifPresent: id)
      list.add("body", body)
    case .update(let id, let rev, let body):
      list.add("id", id)
      list.add("rev", rev)
      list.add("body", body)
    case .delete(let id, let rev, let body):
      list.add("id", id)
      list.add("rev", rev)
      list.add("body", ifPresent: body)
    case .read(let id, let rev):
      list.add("id", id)
      list.add("rev", ifPresent: rev)
    case .list(let from, let limit, let descending):
      list.add("from", ifPresent: from)
      list.add("limit", ifPresent: limit)
      list.add("descending", ifPresent: descending)
    case .leaves(let id):
      list.add("id", id)
    case .changes(let since, let limit):
      list.add("since", ifPresent: since)
      list.add("limit", ifPresent: limit)
    case .revsDiff(let revs):
      list.add("revs", revs)
    case .getRevisions(let docs):
      list.add("docs", docs)
    case .insertRevisions(let records):
      list.add("records", records)
    case .readLocal(let id):
      list.add("id", id)
    case .writeLocal(let id, let body):
      list.add("id", id)
      list.add("body", body)
    case .resolve(let id, let leaves, let keep, let body):
      list.add("id", id)
      list.add("leaves", leaves)
      list.add("keep", keep)
      list.add("body", ifPresent: body)
    case .purge(let id, let revs):
      list.add("id", id)
      list.add("revs", revs)
    case .historyLimit(let limit):
      list.add("limit", limit)
    case .batch(let writes):
      list.add("writes", writes)
    case .setValidation(let refuse):
      list.add("refuse", refuse)
    case .replicate(let replicationTurn):
      list.add(replicationTurn)
    case .attaching(let attachments, let inner):
      return inner.arguments + [("attachments", attachments.json)]
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      list.add("id", id)
      list.add("rev", ifPresent: rev)
      list.add("name", name)
      list.add("offset", ifPresent: offset)
      list.add("limit", ifPresent: limit)
    case .putBlob(let digest, let offset, let bytes):
      list.add("digest", digest)
      list.add("offset", offset)
      list.add("bytes", bytes)
    case .finding(let inner): return inner.arguments
    case .family(let inner): return inner.base.arguments
    case .close, .destroy, .info, .compact, .flush: break
    }
    return list.members
  }

  /// Reads the arguments of an operation; nil if no case has its name.
  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {
    switch name {
    case "open":
      self = .open(
        revisionIDs: try reader.ifPresent("revisionIDs"),
        collation: try reader.ifPresent("collation"))
    case "close":
      self = .close
    case "destroy":
      self = .destroy
    case "info":
      self = .info
    case "create":
      self = .create(id: try reader.ifPresent("id"), body: try reader.value("body"))
    case "update":
      self = .update(
        id: try reader.value("id"), rev: try reader.value("rev"), body: try reader.value("body"))
    case "delete":
      self = .delete(
        id: try reader.value("id"), rev: try reader.value("rev"), body: try reader.ifPresent("body")
      )
    case "read":
      self = .read(id: try reader.value("id"), rev: try reader.ifPresent("rev"))
    case "list":
      self = .list(
        from: try reader.ifPresent("from"), limit: try reader.ifPresent("limit"),
        descending: try reader.ifPresent("descending"))
    case "leaves":
      self = .leaves(id: try reader.value("id"))
    case "changes":
      self = .changes(since: try reader.ifPresent("since"), limit: try reader.ifPresent("limit"))
    case "revsDiff":
      self = .revsDiff(try reader.value("revs"))
    case "getRevisions":
      self = .getRevisions(try reader.value("docs"))
    case "insertRevisions":
      self = .insertRevisions(try reader.value("records"))
    case "readLocal":
      self = .readLocal(id: try reader.value("id"))
    case "writeLocal":
      self = .writeLocal(id: try reader.value("id"), body: try reader.value("body"))
    case "resolve":
      self = .resolve(
        id: try reader.value("id"), leaves: try reader.value("leaves"),
        keep: try reader.value("keep"), body: try reader.ifPresent("body"))
    case "compact":
      self = .compact
    case "purge":
      self = .purge(id: try reader.value("id"), revs: try reader.value("revs"))
    case "historyLimit":
      self = .historyLimit(try reader.value("limit"))
    case "batch":
      self = .batch(try reader.value("writes"))
    case "setValidation":
      self = .setValidation(refuse: try reader.value("refuse"))
    case "flush":
      self = .flush
    case "replicate":
      self = .replicate(try reader.group())
    case "readAttachment":
      self = .readAttachment(
        id: try reader.value("id"), rev: try reader.ifPresent("rev"),
        name: try reader.value("name"), offset: try reader.ifPresent("offset"),
        limit: try reader.ifPresent("limit"))
    case "putBlob":
      self = .putBlob(
        digest: try reader.value("digest"), offset: try reader.value("offset"),
        bytes: try reader.value("bytes"))
    default: return nil
    }
  }
}
