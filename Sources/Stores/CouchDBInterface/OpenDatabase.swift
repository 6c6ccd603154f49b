#if HTTP
  internal import Datastore
  internal import JSON

  /// A database of a service that no other request uses meanwhile.
  struct OpenDatabase {
    let name: StoreName
    /// The store with its documents.
    private let store: StoreName
    let session: StoreGate.Handle

    init(_ name: StoreName, _ session: StoreGate.Handle) {
      (self.name, self.session) = (name, session)
      store = DatabaseRegistry.store(of: name)
    }

    /// Performs an operation; the error of the store becomes the response.
    @discardableResult
    func perform(_ action: StoreAction) throws(ServiceError) -> OperationResult {
      try session.perform(store, action)
    }

    /// Performs an operation whose error is part of the response.
    func outcome(_ action: StoreAction) throws(ServiceError) -> Result<
      OperationResult, ServiceError
    > {
      switch try session.outcome(store, action) {
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
      switch try session.outcome(store, .leaves(id: id)) {
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

  /// The order of revision ids for lists, as in CouchDB: by generation as a number, then by the bytes
  /// of the rest, where 32 hexadecimal digits are the 16 bytes that they encode.
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
    ) -> (generation: Substring.UTF8View, suffix: [UInt8]) {
      let text = rev.text.string[...]
      let dash = text.utf8.firstIndex(of: UInt8(ascii: "-")) ?? text.utf8.endIndex
      let digits = text[..<dash].drop { $0 == "0" }
      let suffix = Array(text[dash...].utf8.dropFirst())
      return (digits.utf8, Self.bytes(of: suffix) ?? suffix)
    }

    private static func bytes(of digits: [UInt8]) -> [UInt8]? {
      guard digits.count == 32 else { return nil }
      var bytes: [UInt8] = []
      for place in stride(from: 0, to: 32, by: 2) {
        let pair = String(decoding: digits[place...place + 1], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { return nil }
        bytes.append(byte)
      }
      return bytes
    }
  }
#endif
