#if HTTP
  internal import Datastore
  internal import JSON

  /// A database of a service that no other request uses meanwhile.
  struct OpenDatabase {
    let name: StoreName
    let session: StoreGate.Handle

    init(_ name: StoreName, _ session: StoreGate.Handle) {
      (self.name, self.session) = (name, session)
    }

    /// Performs an operation; the error of the store becomes the response.
    @discardableResult
    func perform(_ action: StoreAction) throws(ServiceError) -> OperationResult {
      try session.perform(name, action)
    }

    /// Performs an operation whose error is part of the response.
    func outcome(_ action: StoreAction) throws(ServiceError) -> Result<
      OperationResult, ServiceError
    > {
      switch try session.outcome(name, action) {
      case .ok(let result): .success(result)
      case .error(let error): .failure(ServiceError(error))
      case .unknown:
        .failure(
          ServiceError(500, "unknown_error", reason: "the outcome of the write is unknown"))
      }
    }

    func randomHexadecimal(_ count: Int) -> String { session.randomHexadecimal(count) }

    // MARK: Usual questions

    func info() throws(ServiceError) -> StoreInfo {
      guard case .info(let info) = try perform(.info) else { throw .unexpected }
      return info
    }

    /// The winner of a document that is not deleted.
    func read(_ id: DocumentID, _ rev: RevisionID? = nil) throws(ServiceError) -> DocumentRevision {
      guard case .document(let found) = try perform(.read(id: id, rev: rev)) else {
        throw .unexpected
      }
      return found
    }

    /// The leaves, the winner first, then live ones before deleted ones, each from the highest
    /// revision on; nil for an unknown document.
    func leaves(_ id: DocumentID) throws(ServiceError) -> [Leaf]? {
      switch try session.outcome(name, .leaves(id: id)) {
      case .ok(.leaves(let leaves)):
        guard let winner = leaves.first else { return nil }
        return [winner]
          + leaves.dropFirst().sorted { left, right in
            left.deleted == right.deleted
              ? RevisionOrder.isBefore(right.rev, left.rev) : !left.deleted
          }
      case .error(let error):
        guard case .notFound = error.kind else { throw ServiceError(error) }
        return nil
      default: throw .unexpected
      }
    }

    func changes(
      since: UpdateSequence?, limit: Int64
    ) throws(ServiceError) -> ChangesPage {
      guard case .changes(let page) = try perform(.changes(since: since, limit: limit)) else {
        throw .unexpected
      }
      return page
    }

    func revisions(_ queries: [RevisionQuery]) throws(ServiceError) -> [RevisionAnswer] {
      guard !queries.isEmpty else { return [] }
      guard case .revisions(let answers) = try perform(.getRevisions(queries)) else {
        throw .unexpected
      }
      return answers
    }

    /// One revision with its history; nil if its body is not stored.
    func record(
      _ id: DocumentID, _ rev: RevisionID, attachmentsSince: [RevisionID]? = nil
    ) throws(ServiceError) -> RevisionRecord? {
      let query = RevisionQuery(id: id, revs: [rev], attachmentsSince: attachmentsSince)
      guard case .records(let records)? = try revisions([query]).first?.found else { return nil }
      return records.first
    }
  }

  extension ServiceError {
    /// The store returned the result of another operation.
    static let unexpected = ServiceError(
      500, "internal_server_error", reason: "the store returned a result of another operation")
  }

  /// The order of revision ids for lists: by generation as a number, then by the bytes of the rest.
  enum RevisionOrder {
    static func isBefore(_ left: RevisionID, _ right: RevisionID) -> Bool {
      let (a, b) = (parts(left), parts(right))
      if a.generation.count != b.generation.count {
        return a.generation.count < b.generation.count
      }
      if !a.generation.elementsEqual(b.generation) {
        return a.generation.lexicographicallyPrecedes(b.generation)
      }
      return a.suffix.lexicographicallyPrecedes(b.suffix)
    }

    private static func parts(
      _ rev: RevisionID
    ) -> (generation: Substring.UTF8View, suffix: Substring.UTF8View) {
      let text = rev.text.string[...]
      let dash = text.utf8.firstIndex(of: UInt8(ascii: "-")) ?? text.utf8.endIndex
      let digits = text[..<dash].drop { $0 == "0" }
      return (digits.utf8, text[dash...].utf8)
    }
  }
#endif
