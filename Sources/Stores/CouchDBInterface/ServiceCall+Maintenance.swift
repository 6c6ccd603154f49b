#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON

  /// Compaction, purges, limits and the security object.
  extension ServiceCall {
    func compact() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      try withDatabase { (database) throws(ServiceError) in _ = try database.perform(.compact) }
      return .json(202, ["ok": true])
    }

    func ensureFullCommit() throws(ServiceError) -> ServerResponse {
      let info = try withDatabase { (database) throws(ServiceError) in
        if service.gate.description.capabilities.contains(.flush) {
          try database.perform(.flush)
        }
        return try database.info()
      }
      return .json(201, ["ok": true, "instance_start_time": .string(info.incarnation)])
    }

    func purge() throws(ServiceError) -> ServerResponse {
      try withDatabase { _ in }
      try requireJSONType()
      var wanted: [(id: DocumentID, revs: [RevisionID])] = []
      for member in try object().members {
        guard let revs = member.value.arrayValue else {
          throw .badRequest("the revisions of a document must be a list")
        }
        wanted.append(
          (
            DocumentID(member.name),
            try revs.map { (rev) throws(ServiceError) in try DocumentInput.revision(rev) }
          ))
      }
      let asked = wanted
      let purged = try withDatabase { (database) throws(ServiceError) in
        var members: [(JSONString, JSONValue)] = []
        for one in asked {
          switch try database.outcome(.purge(id: one.id, revs: one.revs)) {
          case .success(.purged(let removed)):
            members.append((one.id.text, .array(removed.map { $0.json })))
          case .success: throw .unexpected
          case .failure(let error) where error.status == 404: members.append((one.id.text, []))
          case .failure(let error): throw error
          }
        }
        return members
      }
      service.signal.changed(database)
      return .json(201, ["purge_seq": .null, "purged": .object(JSONObject(purged))])
    }

    func revsLimit() throws(ServiceError) -> ServerResponse {
      guard request.method.utf8.elementsEqual("PUT".utf8) else {
        let limit = try withDatabase { (database) throws(ServiceError) in
          service.registry.entries[database.name]?.historyLimit ?? 1000
        }
        return .json(200, .integer(limit))
      }
      try withDatabase { _ in }
      guard let limit = try body().integerValue, limit > 0 else {
        throw .badRequest("Rev limit has to be an integer above 0")
      }
      try withDatabase { (database) throws(ServiceError) in
        try database.perform(.historyLimit(limit))
        guard var entry = service.registry.entries[database.name] else { throw .noDatabase }
        entry.historyLimit = limit
        try database.store(entry, in: &service.registry)
      }
      return .json(200, ["ok": true])
    }

    func security() throws(ServiceError) -> ServerResponse {
      guard request.method.utf8.elementsEqual("PUT".utf8) else {
        return .json(
          200,
          try withDatabase { (database) throws(ServiceError) in
            service.registry.entries[database.name]?.security ?? [:]
          })
      }
      try withDatabase { _ in }
      guard case .object(let object) = try body() else {
        throw .badRequest("Request body must be a JSON object")
      }
      for part in ["admins", "members"] as [JSONString] {
        guard let value = object[part] else { continue }
        guard let lists = value.objectValue else {
          throw .badRequest(JSONString("\(part) must be an object"))
        }
        for name in ["names", "roles"] as [JSONString] {
          guard let list = lists[name] else { continue }
          guard let texts = list.arrayValue, texts.allSatisfy({ $0.textValue != nil }) else {
            throw .badRequest(JSONString("\(name) must be a JSON list of strings"))
          }
        }
      }
      try withDatabase { (database) throws(ServiceError) in
        guard var entry = service.registry.entries[database.name] else { throw .noDatabase }
        entry.security = .object(object)
        try database.store(entry, in: &service.registry)
      }
      return .json(200, ["ok": true])
    }
  }

  extension OpenDatabase {
    /// Stores what the service keeps about this database.
    func store(
      _ entry: DatabaseRegistry.Entry, in registry: inout DatabaseRegistry
    ) throws(ServiceError) {
      try registry.store(name, entry, with: session)
    }
  }
#endif
