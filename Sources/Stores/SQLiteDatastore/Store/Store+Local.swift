internal import Datastore
internal import JSON

extension Store {
  func readLocal(_ id: DocumentID) throws(DatastoreError) -> JSONValue {
    var rows = try prepare(.local).text(id.text).rows()
    guard try rows.next() else {
      throw DatastoreError(.notFound(.missing), "no local document '\(id)'")
    }
    return try decode(rows.bytes(0), "the local document '\(id)'")
  }

  func writeLocal(_ id: DocumentID, _ body: CheckedBody?) throws(DatastoreError) {
    guard let body else {
      try prepare(.deleteLocal).text(id.text).run()
      return
    }
    try prepare(.setLocal).text(id.text).utf8(body.json).run()
  }
}
