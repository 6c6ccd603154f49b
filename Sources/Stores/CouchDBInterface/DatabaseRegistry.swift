#if HTTP
  internal import Datastore
  internal import JSON

  /// The databases of a service, which a store cannot list, and what CouchDB keeps beside documents.
  ///
  /// They are in a local document of a store of their own, so that a service on the same files has
  /// them again.
  struct DatabaseRegistry {
    /// What a service knows about one database.
    struct Entry {
      var security: JSONValue = [
        "members": ["roles": ["_admin"]], "admins": ["roles": ["_admin"]],
      ]
      var historyLimit: Int64 = 1000
      /// The ids of local documents, in byte order.
      var locals: [JSONString] = []
      /// The revision of each local document that was written since the start; 1 for the others.
      var localRevs: [JSONString: Int64] = [:]
      var isOpen = false

      func json(_ name: JSONString) -> JSONValue {
        [
          "name": .string(name), "security": security, "historyLimit": .integer(historyLimit),
          "locals": .array(locals.map { .string($0) }),
        ]
      }
    }

    private static let store: StoreName = "touchstone$databases"
    private static let document: DocumentID = "databases"
    private(set) var entries: [StoreName: Entry] = [:]

    /// Reads the registry, or creates it for a new store.
    init(_ session: StoreGate.Handle) throws(ServiceError) {
      _ = try session.perform(Self.store, .open())
      let found = try session.outcome(Self.store, .readLocal(id: Self.document))
      guard case .ok(.local(let body)) = found else { return }
      for element in body.objectValue?["databases"]?.arrayValue ?? [] {
        guard let object = element.objectValue, let name = object["name"]?.textValue else {
          continue
        }
        var entry = Entry()
        entry.security = object["security"] ?? entry.security
        entry.historyLimit = object["historyLimit"]?.integerValue ?? entry.historyLimit
        entry.locals = (object["locals"]?.arrayValue ?? []).compactMap { $0.textValue }
        entries[StoreName(name)] = entry
      }
    }

    /// The store of a database: the names of CouchDB's own databases are no names of stores.
    static func store(of database: StoreName) -> StoreName {
      guard database.text.utf8.first == UInt8(ascii: "_") else { return database }
      return StoreName(JSONString("touchstone$\(database.text.string.dropFirst())"))
    }

    /// The names in byte order.
    var names: [JSONString] { entries.keys.map { $0.text }.inByteOrder }

    /// Changes an entry in memory only.
    mutating func update(_ name: StoreName, _ change: (inout Entry) -> Void) {
      guard var entry = entries[name] else { return }
      change(&entry)
      entries[name] = entry
    }

    /// Changes an entry, or adds or removes it, and stores the registry.
    mutating func store(
      _ name: StoreName, _ entry: Entry?, with session: StoreGate.Handle
    ) throws(ServiceError) {
      let before = entries[name]
      entries[name] = entry
      let rows = names.map { entries[StoreName($0)]?.json($0) ?? .null }
      do throws(ServiceError) {
        _ = try session.perform(
          Self.store, .writeLocal(id: Self.document, body: ["databases": .array(rows)]))
      } catch {
        entries[name] = before
        throw error
      }
    }
  }
#endif
