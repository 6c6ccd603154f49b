internal import Datastore
internal import JSON

extension Store {
  func readLocal(_ id: DocumentID) throws(DatastoreError) -> JSONValue {
    var rows = try rows(.local, [.text(id.text)])
    guard try rows.next() else {
      throw DatastoreError(.notFound(.missing), "there is no local document '\(id)'")
    }
    let stored = StoredBody(json: try rows.text(0), isEscaped: rows.flag(1))
    return try decode(stored, "the local document '\(id)'")
  }

  func writeLocal(_ id: DocumentID, _ body: JSONValue?) throws(DatastoreError) {
    guard let body else {
      try run(.deleteLocal, [.text(id.text)])
      return
    }
    let stored = try encode(body)
    try run(.setLocal, [.text(id.text), .text(stored.json), .flag(stored.isEscaped)])
  }
}
