#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// The server as a whole, and its databases.
  extension ServiceCall {
    func welcome() -> ServerResponse {
      .json(
        200,
        [
          "couchdb": "Welcome", "version": "3.5.0", "uuid": .text(service.uuid),
          "features": ["scheduler"],
          "vendor": ["name": "Touchstone", "store": .text(service.gate.description.name)],
        ])
    }

    func allDatabases() throws(ServiceError) -> ServerResponse {
      let names = try service.gate.exclusively { _ in service.registry.names }
      let rows = try page(names.map { (name: $0, value: JSONValue.string($0)) })
      return .json(200, .array(rows))
    }

    /// The part of a list of names between `startkey` and `endkey`.
    private func page(
      _ rows: [(name: JSONString, value: JSONValue)]
    ) throws(ServiceError) -> [JSONValue] {
      var rows = rows
      let isDescending = try flag("descending")
      if isDescending { rows.reverse() }
      func isBefore(_ left: JSONString, _ right: JSONString) -> Bool {
        isDescending ? right.precedesBytewise(left) : left.precedesBytewise(right)
      }
      if let first = try json("start_key", "startkey")?.textValue {
        rows.removeAll { isBefore($0.name, first) }
      }
      if let last = try json("end_key", "endkey")?.textValue {
        rows.removeAll { isBefore(last, $0.name) }
      }
      rows = Array(rows.dropFirst(Int(try count("skip") ?? 0)))
      if let limit = try count("limit") { rows = Array(rows.prefix(Int(min(limit, 1 << 31)))) }
      return rows.map(\.value)
    }

    func databasesInfo() throws(ServiceError) -> ServerResponse {
      var names = try service.gate.exclusively { _ in service.registry.names }
      if request.method.utf8.elementsEqual("POST".utf8) {
        guard let keys = try object()["keys"]?.arrayValue else {
          throw .badRequest("`keys` member must exist.")
        }
        names = keys.compactMap { $0.textValue }
      }
      var rows: [JSONValue] = []
      for name in names {
        do throws(ServiceError) {
          rows.append(["key": .string(name), "info": try info(of: StoreName(name))])
        } catch {
          rows.append(["key": .string(name), "error": .string(error.name)])
        }
      }
      return .json(200, .array(rows))
    }

    func uuids() throws(ServiceError) -> ServerResponse {
      let count = try count("count") ?? 1
      guard count <= 1000 else {
        throw .badRequest("count parameter too large")
      }
      let ids = try service.gate.exclusively { session in
        (0..<count).map { _ in JSONValue.text(session.randomHexadecimal(16)) }
      }
      var response = ServerResponse.json(200, ["uuids": .array(ids)])
      response.headers += [("Cache-Control", "no-cache"), ("Pragma", "no-cache")]
      return response
    }

    func activeTasks() throws(ServiceError) -> ServerResponse {
      .json(200, .array(service.replications.tasks))
    }

    // MARK: Databases

    func createDatabase() throws(ServiceError) -> ServerResponse {
      let name = database
      guard name.text.utf8.count <= 238 else {
        throw ServiceError(
          400, "database_name_too_long",
          reason: JSONString("At least one path segment of `\(name)` is too long."))
      }
      guard Self.isDatabaseName(name.text) else {
        throw ServiceError(
          400, "illegal_database_name",
          reason: JSONString(
            "Name: '\(name)'. Only lowercase characters (a-z), digits (0-9), and any of the "
              + "characters _, $, (, ), +, -, and / are allowed. Must begin with a letter."))
      }
      try service.createDatabase(name)
      return .json(
        201, ["ok": true], headers: [("Location", location(name.text.percentEncoded.string))])
    }

    /// The names of CouchDB; those of the system begin with `_`.
    private static func isDatabaseName(_ name: JSONString) -> Bool {
      if ["_users", "_replicator", "_global_changes"].contains(name) { return true }
      guard let first = name.utf8.first, isLetter(first) else { return false }
      return name.utf8.allSatisfy { byte in
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || "_$()+/-".utf8.contains(byte)
      }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    func deleteDatabase() throws(ServiceError) -> ServerResponse {
      guard parameters["rev"] == nil else {
        throw .badRequest(
          JSONString(
            "You tried to DELETE a database with a ?=rev parameter. Did you mean to DELETE a document "
              + "instead?"))
      }
      try service.deleteDatabase(database)
      return .json(200, ["ok": true])
    }

    func databaseInfo() throws(ServiceError) -> ServerResponse {
      .json(200, try info(of: database))
    }

    private func info(of name: StoreName) throws(ServiceError) -> JSONValue {
      let info = try service.withDatabase(name) { (database) throws(ServiceError) in
        try database.info()
      }
      return [
        "db_name": name.json, "update_seq": info.last.json, "purge_seq": 0,
        "sizes": ["file": 0, "external": 0, "active": 0],
        "doc_count": .integer(info.documents), "doc_del_count": .integer(info.deletedDocuments),
        "instance_start_time": .string(info.incarnation), "disk_format_version": 8,
        "compact_running": false, "props": [:], "cluster": ["q": 1, "n": 1, "w": 1, "r": 1],
      ]
    }
  }

  extension CouchDBService {
    /// Creates a database; with another one of its name, it is `file_exists`.
    func createDatabase(_ name: StoreName) throws(ServiceError) {
      try gate.exclusively { (session) throws(ServiceError) in
        guard registry.entries[name] == nil else {
          throw ServiceError(
            412, "file_exists",
            reason: "The database could not be created, the file already exists.")
        }
        try registry.store(name, DatabaseRegistry.Entry(), with: session)
        do throws(ServiceError) { try open(name, session) } catch {
          try registry.store(name, nil, with: session)
          throw error
        }
      }
      signal.changed(name)
    }

    func deleteDatabase(_ name: StoreName) throws(ServiceError) {
      try gate.exclusively { (session) throws(ServiceError) in
        guard let entry = registry.entries[name] else { throw .noDatabase }
        if !entry.isOpen { try open(name, session) }
        _ = try session.perform(DatabaseRegistry.store(of: name), .destroy)
        try registry.store(name, nil, with: session)
      }
      signal.changed(name)
    }
  }
#endif
