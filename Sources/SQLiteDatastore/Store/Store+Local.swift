internal import Datastore
internal import JSON

extension Store {
  func readLocal(_ id: DocumentID) throws(DatastoreError) -> JSONValue {
    var rows = try rows(.local, [.text(id.text)])
    guard try rows.next() else {
      throw DatastoreError(.notFound(.missing), "there is no local document '\(id)'")
    }
    return try decode(rows.bytes(0), "the local document '\(id)'")
  }

  func writeLocal(_ id: DocumentID, _ body: JSONValue?) throws(DatastoreError) {
    guard let body else {
      try run(.deleteLocal, [.text(id.text)])
      return
    }
    try run(.setLocal, [.text(id.text), .utf8(try encode(body))])
  }
}
