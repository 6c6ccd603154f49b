#if HTTP
  internal import Datastore
  internal import JSON

  /// What a client holds, and which of its own writes it was told to have succeeded.
  struct HeldDocuments {
    let client: String
    let database: JSONString
    /// The leaves of each document; nil if the client does not list them.
    var leaves: [JSONString: Set<JSONString>]?
    var acknowledged: [(id: JSONString, rev: JSONString)] = []

    /// Reads `{"client", "database", "acknowledged": [{"id", "rev"}], "leaves": {"id": ["rev"]}}`.
    init(_ json: JSONValue) throws(DecodingFailure) {
      var reader = try ObjectReader(json, path: "")
      client = try reader.optionalText("client")?.string ?? "client"
      database = try reader.text("database")
      for element in reader.optional("acknowledged")?.arrayValue ?? [] {
        guard let object = element.objectValue, let id = object["id"]?.textValue,
          let rev = object["rev"]?.textValue
        else {
          throw DecodingFailure(path: "acknowledged", message: "expected objects with id and rev")
        }
        acknowledged.append((id, rev))
      }
      if let value = reader.optional("leaves") {
        guard let object = value.objectValue else {
          throw DecodingFailure(path: "leaves", message: "expected an object")
        }
        var found: [JSONString: Set<JSONString>] = [:]
        for member in object.members {
          guard let revs = member.value.arrayValue else {
            throw DecodingFailure(path: "leaves", message: "expected lists of revisions")
          }
          found[member.name] = Set(revs.compactMap { $0.textValue })
        }
        leaves = found
      }
      try reader.finish()
    }

    init(client: String, database: JSONString, leaves: [JSONString: Set<JSONString>]) {
      (self.client, self.database, self.leaves) = (client, database, leaves)
    }
  }
#endif
