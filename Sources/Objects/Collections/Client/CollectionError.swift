public import JSON

/// The error of a failed call.
///
/// Source: the guide, "Saving"; numbers of KinveyKit 1.41.
public struct CollectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for a failed call.
  public indirect enum Reason: Hashable, Sendable {
    /// No response arrived.
    case network(NetworkFailure)
    /// The backend rejected the request; the name is that of the response, and the field that of a
    /// violated rule.
    case backend(status: Int64, name: JSONString, field: JSONString?)
    /// The response is not valid.
    case badAnswer
    /// The requested data is not cached.
    case notInCache
    /// The query is not valid.
    case badQuery(QueryError)
    /// The collection is not open.
    case noSuchCollection(JSONString)
    /// The mapping of a property, or of the collection itself, is not valid.
    case badMapping(JSONString)
    /// The object has no id, but the call requires one.
    case withoutID
    /// No object of the call has this tag.
    case noSuchTag(JSONString)
    /// The object is queued after another object of the offline queue.
    case mustWait
    /// A referenced object could not be saved.
    case relatedFailed
  }

  /// The reason.
  public let reason: Reason
  /// A message for people.
  public let message: String
  /// The errors of single objects.
  public var failures: [ObjectFailure]
  /// Objects of the call that were saved or removed nevertheless.
  public var succeeded: [CollectionObject]
  /// Ids of objects in the offline queue.
  public var queued: [JSONString]

  /// Creates an error.
  public init(
    _ reason: Reason, _ message: String, failures: [ObjectFailure] = [],
    succeeded: [CollectionObject] = [], queued: [JSONString] = []
  ) {
    self.reason = reason
    self.message = message
    self.failures = failures
    self.succeeded = succeeded
    self.queued = queued
  }

  static let notInCache = CollectionError(.notInCache, "not in the cache")

  static func notOpen(_ collection: JSONString) -> CollectionError {
    CollectionError(.noSuchCollection(collection), "the collection '\(collection)' is not open")
  }

  /// Creates the error of a call with an invalid query.
  public init(_ error: QueryError) { self.init(.badQuery(error), error.description) }

  public var description: String { message }

  /// The code of the error: the status of a response, or a code of the system or the product.
  public var code: Int64 {
    switch reason {
    case .network(let failure): failure.code
    case .backend(let status, _, _): status
    case .notInCache: 404
    case .badAnswer: 60013
    case .mustWait: 60001
    case .withoutID, .relatedFailed: 60101
    case .badQuery, .noSuchCollection, .badMapping, .noSuchTag: 60012
    }
  }
}

/// The failure of one object of a call.
public struct ObjectFailure: Hashable, Sendable {
  /// The collection of the object.
  public var collection: JSONString
  /// The index of the object in the call; nil for a referenced object.
  public var index: Int64?
  /// The id of the object; nil if it has none.
  public var id: JSONString?
  /// The reason.
  public var reason: CollectionError.Reason
  /// A message for people.
  public var message: String

  /// Creates the failure of one object.
  public init(
    collection: JSONString, index: Int64?, id: JSONString?, reason: CollectionError.Reason,
    message: String
  ) {
    self.collection = collection
    self.index = index
    self.id = id
    self.reason = reason
    self.message = message
  }
}

/// The reason for a missing response.
///
/// Source: NSURLError codes.
public enum NetworkFailure: String, CaseIterable, Sendable {
  /// Any other failure.
  case unknown
  /// The response did not arrive in time.
  case timedOut
  /// The name of the host is unknown.
  case cannotFindHost
  /// The host does not accept connections.
  case cannotConnect
  /// The connection ended before the response.
  case connectionLost
  /// The name of the host could not be resolved.
  case cannotResolveHost
  /// The device has no network.
  case notConnected

  /// The code of the system.
  public var code: Int64 {
    switch self {
    case .unknown: -1
    case .timedOut: -1001
    case .cannotFindHost: -1003
    case .cannotConnect: -1004
    case .connectionLost: -1005
    case .cannotResolveHost: -1006
    case .notConnected: -1009
    }
  }

  /// Whether an operation with this failure is queued offline.
  ///
  /// Source: KinveyKit 1.41, offline saves.
  public var queues: Bool {
    switch self {
    case .unknown, .timedOut, .cannotResolveHost, .notConnected: true
    case .cannotFindHost, .cannotConnect, .connectionLost: false
    }
  }

  var asError: CollectionError { CollectionError(.network(self), "no response: \(rawValue)") }
}
