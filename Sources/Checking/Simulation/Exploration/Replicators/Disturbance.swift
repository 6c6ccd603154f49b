internal import Datastore
internal import Replication

/// An event at a request of a replicator.
enum Disturbance: Hashable, Sendable {
  /// A client uses a store before the request arrives.
  case client(ReplicationSide, ClientEvent)
  /// A fault of the request.
  case fault(RequestFault)
  /// The user stops the run while the request is in flight.
  case stop

  /// An operation of a client.
  enum ClientEvent: Hashable, Sendable {
    case create(DocumentID)
    /// The leaf is an index among the live leaves of the document, from 0.
    case update(DocumentID, leaf: Int)
    case delete(DocumentID, leaf: Int)
    /// The leaf is an index among all leaves, from 0.
    case purge(DocumentID, leaf: Int)
    case compact
    /// The store is destroyed and created again, with one other document.
    case replace
    /// The store is restored to its state before the first run; only between two runs, because no
    /// replicator of the family detects it within one.
    case restore
  }

  enum RequestFault: Hashable, Sendable {
    /// The peer returns an HTTP status and performs nothing.
    case status(Int)
    /// The peer refuses the whole request.
    case refused(DatastoreError.Kind)
    /// No response arrives.
    case lost(isPerformed: Bool)
    /// The connection is cut and the program of the replicator ends.
    case cut(isPerformed: Bool)
    /// The response lacks its last item.
    case partial
    /// One record of an insert cannot be stored.
    case record(Int, DatastoreError.Kind)
    /// The source does not deliver a listed revision: `missing` or `bodyMissing`.
    case undelivered(Int, hasName: Bool)
  }
}

extension Disturbance {
  /// A token without spaces, unique among the possible events of a request.
  var token: String {
    switch self {
    case .stop: "stop"
    case .client(let side, let event): "\(side.rawValue):\(event.token)"
    case .fault(.status(let code)): "status:\(code)"
    case .fault(.refused(let kind)): "refused:\(kind)"
    case .fault(.lost(let isPerformed)): isPerformed ? "lost-answer" : "lost-request"
    case .fault(.cut(let isPerformed)): isPerformed ? "cut-after" : "cut-before"
    case .fault(.partial): "partial"
    case .fault(.record(let place, let kind)): "record:\(place):\(kind)"
    case .fault(.undelivered(let place, let hasName)):
      "undelivered:\(place):\(hasName ? "bodyMissing" : "missing")"
    }
  }

  /// The event in a sentence.
  var sentence: String {
    switch self {
    case .stop: "the run is stopped by its user"
    case .client(let side, let event): "a client \(event.sentence) at the \(side.rawValue)"
    case .fault(.status(let code)): "the peer responds with status \(code)"
    case .fault(.refused(let kind)): "the peer rejects the request: \(kind)"
    case .fault(.lost(isPerformed: false)): "the request is lost"
    case .fault(.lost(isPerformed: true)): "the request is performed and its response is lost"
    case .fault(.cut(isPerformed: false)): "the replicator is killed before the request arrives"
    case .fault(.cut(isPerformed: true)): "the replicator is killed after the request is performed"
    case .fault(.partial): "the response lacks its last item"
    case .fault(.record(let place, let kind)): "record \(place + 1) is not stored: \(kind)"
    case .fault(.undelivered(let place, let hasName)):
      "revision \(place + 1) is not delivered: \(hasName ? "bodyMissing" : "missing")"
    }
  }
}

extension Disturbance.ClientEvent {
  fileprivate var token: String {
    switch self {
    case .create(let id): "create:\(id)"
    case .update(let id, let leaf): "update:\(id):\(leaf)"
    case .delete(let id, let leaf): "delete:\(id):\(leaf)"
    case .purge(let id, let leaf): "purge:\(id):\(leaf)"
    case .compact: "compact"
    case .replace: "replace"
    case .restore: "restore"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .create(let id): "creates \(id)"
    case .update(let id, let leaf): "updates live leaf \(leaf + 1) of \(id)"
    case .delete(let id, let leaf): "deletes live leaf \(leaf + 1) of \(id)"
    case .purge(let id, let leaf): "purges leaf \(leaf + 1) of \(id)"
    case .compact: "compacts"
    case .replace: "destroys the store and creates it again"
    case .restore: "restores the store to its state before the first run"
    }
  }

  /// The document that the event is about; nil for one that is about the whole store.
  var document: DocumentID? {
    switch self {
    case .create(let id), .update(let id, _), .delete(let id, _), .purge(let id, _): id
    case .compact, .replace, .restore: nil
    }
  }
}
