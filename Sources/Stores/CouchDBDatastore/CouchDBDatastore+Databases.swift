#if HTTP
  internal import Datastore
  internal import JSON

  /// Creating and removing databases.
  extension CouchDBDatastore {
    func open(
      _ store: StoreName, revisionIDs: RevisionIDProfile?, collation: CollationName?
    ) throws(Refusal) -> OperationResult {
      // Another prefix would make these names valid.
      guard let first = store.text.utf8.first,
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
      else { throw .error(DatastoreError(.badName)) }
      if let revisionIDs, revisionIDs != .couchdb {
        throw .error(databases[store] == nil ? .unsupported("revisionIds") : .otherProperty)
      }
      if let collation, collation != .couchdb {
        throw .error(databases[store] == nil ? .unsupported("collation") : .otherProperty)
      }
      if databases[store] != nil {
        databases[store]?.isOpen = true
        return .done
      }
      let path = newPath(of: store)
      // Also a request without a response may create the database.
      abandoned.append(path)
      let response = try send(HTTPRequest("PUT", path))
      let isMade =
        (200...299).contains(response.status) && response.body?.objectValue?["ok"] == true
      // CouchDB 3.5.0 may answer so if two requests create a database at once.
      if isShared, response.status == 500, response.body?.objectValue?["reason"] == "conflict" {
        throw .error(DatastoreError(.busy, "another connection creates the database"))
      }
      // Another connection may open the same store first.
      guard isMade || isShared && response.status == 412 else {
        throw refusal(response, to: "PUT \(path)")
      }
      abandoned.removeLast()
      databases[store] = Database(
        path: path, label: JSONString("\(prefix)-\(createdCount)"), number: createdCount)
      return .done
    }

    func destroy(_ store: StoreName) throws(Refusal) -> OperationResult {
      guard let database = databases.removeValue(forKey: store) else { return .done }
      // Also after a request without a response it may exist.
      abandoned.append(database.path)
      let response = try send(HTTPRequest("DELETE", database.path))
      guard (200...299).contains(response.status) else {
        throw refusal(response, to: "DELETE \(database.path)")
      }
      abandoned.removeLast()
      return .done
    }

    /// Removes the databases of earlier vectors.
    func removeAbandoned() throws(HarnessError) {
      while let path = abandoned.last {
        do throws(Refusal) {
          let response = try send(HTTPRequest("DELETE", path))
          guard (200...299).contains(response.status) || response.status == 404 else {
            throw refusal(response, to: "DELETE \(path)")
          }
          abandoned.removeLast()
        } catch {
          switch error {
          case .harness(let error): throw error
          case .error(let error): throw HarnessError("cannot remove \(path): \(error.message)")
          }
        }
      }
    }

    /// A response that is not a success, as an error of the contract; another one is a failure of the
    /// server, or no verdict if the server, or a proxy before it, is only not available now.
    func refusal(_ response: HTTPResponse, to request: String) -> Refusal {
      let object = response.body?.objectValue
      if let object, response.status < 500, let error = DatastoreError(response: object) {
        var error = error
        if case .tooLarge = error.kind {
          error.kind = .tooLarge(limit: Int64(description.limits.bodyBytesMax))
        }
        return .error(error)
      }
      let text = response.body?.serialized() ?? "without a body"
      let message = "\(request): status \(response.status) \(text)"
      guard !Self.unavailable.contains(response.status) else {
        return .harness(HarnessError(message))
      }
      return .harness(
        HarnessError(
          message,
          breakdown: .init(
            shape: JSONString("status \(response.status)"), answer: response.body,
            form: JSONString("status \(response.status)"))))
    }

    /// Too many requests, a proxy without a server, a server that starts or stops, and a proxy that
    /// waited too long.
    private static let unavailable: Set<Int64> = [429, 502, 503, 504]
  }

  extension DatastoreError {
    fileprivate static func unsupported(_ what: String) -> DatastoreError {
      DatastoreError(.unsupported(what: what))
    }

    /// The store exists with another property.
    fileprivate static var otherProperty: DatastoreError { DatastoreError(.badRequest(path: "")) }
  }
#endif
