extension OperationTable {
  /// The operations of the contract's core.
  package static let core: OperationTable = {
    var table = OperationTable(documents)
    for text in [replication, capabilities, attachments, find, errors] {
      table.join(OperationTable(text))
    }
    return table
  }()

  /// The kinds of errors that every operation can return.
  package static let commonErrors = ["noSuchStore", "unsupported", "tooLarge", "storage", "busy"]

  private static let documents = """
    open(revisionIDs?: "own" | "cdt-digest" | "cdt-digest-2" | "couchdb",
      collation?: "bytes" | "couchdb" | "cdt") -> done ! badName, badRequest
    close() -> done ! badName
    destroy() -> done ! badName
    info() -> info
    create(id?: name, body: data, attachments?: new-attachments needs attachment) -> written
      ! badID, badBody, conflict, forbidden, missingStub, badAttachment
    update(id: name, rev: name, body: data, attachments?: new-attachments needs attachment)
      -> written ! badID, badRevision, badBody, conflict, notFound, forbidden, missingStub,
      badAttachment
    delete(id: name, rev: name, body?: data needs tombstoneBodies) -> written
      ! badID, badRevision, badBody, conflict, notFound, forbidden
    read(id: name, rev?: name) -> document ! badID, badRevision, notFound
    list(from?: name, limit?: integer, descending?: bool) -> list ! badRequest
    leaves(id: name) -> leaves ! badID, notFound

    done = {}
    info = {documents: integer, deletedDocuments: integer, last: sequence, incarnation: text}
    written = {id: name, rev: name}
    document = {id: name, rev: name, deleted?: bool, body: data matched bodyMatches,
      attachments?: attachments}
    list = {rows: [{id: name, rev: name}]}
    leaves = {leaves: leaf-list}
    leaf-list = winnerFirst [{rev: name, deleted?: bool}]
    """

  private static let replication = """
    changes(since?: sequence, limit?: integer) -> changes ! badSequence, badRequest
    revsDiff(revs: [{id: name, revs: [name]}]) -> differences ! badID, badRevision
    getRevisions(docs: [{id: name, revs: [name], latest?: bool,
      attachmentsSince?: [name] needs attachment}]) -> revisions ! badID, badRevision
    insertRevisions(records: [new-record]) -> inserted
    readLocal(id: name) -> local ! badID, notFound
    writeLocal(id: name, body: data) -> done ! badID, badBody

    # One revision with its history, newest first.
    new-record = {id: name, path: [name], deleted?: bool, body: data,
      attachments?: new-attachments needs attachment}
    changes = {rows: dense [{seq: sequence, id: name, deleted?: bool, leaves: leaf-list}],
      last: sequence, more: bool}
    differences = {results: unordered [
      {id: name, missing: unordered [name], possibleAncestors: unordered [name]}]}
    revisions = {results: [
      {id: name, rev: name, (records: unordered [record] / missing: "missing" | "bodyMissing")}]}
    # One revision with its history, newest first.
    record = {id: name, path: [name], deleted?: bool, body: data, attachments?: attachments}
    inserted = {results: [{(ok: done / error: error)}]}
    local = {body: data}
    """

  private static let capabilities = """
    resolve(id: name, leaves: [name], keep: name, body?: data,
      attachments?: new-attachments needs attachment) needs resolve -> resolved
      ! badID, badRevision, badBody, badRequest, conflict, notFound, forbidden, missingStub,
        badAttachment
    compact() needs compact -> done
    purge(id: name, revs: [name]) needs purge -> purged ! badID, badRevision
    historyLimit(limit: integer) needs historyLimit -> done ! badRequest
    batch(writes: [write]) needs atomicBatch -> batch
      ! badID, badRevision, badBody, badRequest, conflict, notFound, forbidden, missingStub,
        badAttachment
    setValidation(refuse: null | filter) needs validation -> done ! badRequest, badSelector
    flush() needs flush -> done
    # One turn of the implementation's own replicator.
    replicate(session: text(1..), event: {
      (start: {direction: "push" | "pull", remote: text, filter?: filter, continuous?: bool,
        batch?: integer(1..100000)}
      / response: {number: integer, response: http-response}
      / lost: {number: integer} / timer: done / cancel: done)}) needs replicate -> turn ! badRequest

    filter = {(documentIDs: [name] / bodyFieldEquals: {field: text, value: data} / live: true
      / selector: data object)}
    resolved = {rev: name, tombstones: unordered [name]}
    purged = {purged: unordered [name]}
    batch = {results: results [done | written | resolved]}
    # A response of the other store. Headers have names in lower case; bytes are in base64.
    http-response = {status: integer, headers?: {*: text}, body?: data, bytes?: text}
    # A request to the other store. Paths are percent-encoded; a query is the text after the ?.
    http-request = {method: text, path: text, query?: text, headers?: {*: text}, body?: data,
      bytes?: text}
    # `wakeAfter` is in nanoseconds. The number of each request is larger than those before it.
    turn = {requests: [data {number: integer, request: http-request}],
      wakeAfter?: integer(0..3600000000000),
      state: "pending" | "started" | "stopping" | "stopped" | "complete" | "error", message?: text}
    """

  private static let attachments = """
    readAttachment(id: name, rev?: name, name: text, offset?: integer needs attachmentPieces,
      limit?: integer needs attachmentPieces)
      needs attachment -> piece ! badID, badRevision, badRequest, notFound
    putBlob(digest: text, offset: integer, bytes: text) needs attachment, attachmentPieces -> held
      ! badRequest, badAttachment

    # The attachments of a revision by name, as in a write.
    new-attachments = data {*: new-attachment}
    # One attachment of a write. All members may be absent except the one with the bytes.
    new-attachment = {type?: text, digest?: text, length?: integer, revpos?: integer,
      encoding?: text needs attachmentEncoding,
      encodedLength?: integer needs attachmentEncoding, ownDigest?: text,
      (data: text / stub: true / file: text / chunks: true needs attachmentPieces)}
    # The attachments of a revision by name. A revision without attachments has no such member.
    attachments = {*: attachment}
    attachment = {type: text, digest: text(^sha256-[A-Za-z0-9+/]{43}=$), length: integer(0..),
      revpos: integer(0..), encoding?: "gzip" with encodedLength,
      encodedLength?: integer(0..) with encoding, ownDigest?: text,
      (data: text / stub: true / file: text / chunks: true)}
    piece = {type: text, digest: text(^sha256-[A-Za-z0-9+/]{43}=$), length: integer(0..),
      revpos: integer(0..), encoding?: "gzip" with encodedLength,
      encodedLength?: integer(0..) with encoding, ownDigest?: text, stub: true,
      offset: integer(0..), bytes: text}
    held = {held: integer(0..)}
    """

  private static let find = """
    # The live winners that a selector selects. The store checks the selector.
    find(selector: data, sort?: data [sort-key], skip?: integer, limit?: integer, fields?: [text])
      as FindAction.find needs find -> found ! badRequest, badSelector
    # The index that a store would use for `find`.
    explain(selector: data, sort?: data [sort-key], skip?: integer, limit?: integer,
      fields?: [text]) as FindAction.explain needs find -> explained ! badRequest, badSelector
    createIndex(name: text, type?: "json" | "text", fields: [text]) as FindAction.createIndex
      needs find -> created-index ! badRequest
    dropIndex(name: text) as FindAction.dropIndex needs find -> done ! notFound
    listIndexes() as FindAction.listIndexes needs find -> indexes

    sort-key = {1: "asc" | "desc"}
    found = {docs: [{id: name, rev: name, body: data}]}
    # `plan` is for people.
    explained = {index: data (text | null), plan?: data}
    created-index = {created: bool}
    indexes = {indexes: [{name: text, type: "json" | "text", fields: [text]}]}
    """

  private static let errors = """
    error badName()
    error badID()
    error badRevision()
    error badBody()
    error badSequence()
    error badRequest(path: text)
    error conflict()
    error notFound(reason: "missing" | "deleted" | "bodyMissing")
    error forbidden()
    error missingStub()
    error badAttachment()
    error badObject(what: object-fault, name?: text)
    error badSelector(operator: text, path: text)
    error tooLarge(limit: integer)
    error noSuchStore()
    error unsupported(what: text)
    error storage(fault: "full" | "io" | "corrupt" | "newerVersion" | "readOnly")
    error busy()

    # The kind of error of an object. The family of operations on objects lists the words.
    object-fault = text
    """
}
