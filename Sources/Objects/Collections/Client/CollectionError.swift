public import JSON

/// Why a call failed.
///
/// Source: the guide, "Saving"; numbers of KinveyKit 1.41.
public struct CollectionError: Error, Hashable, Sendable, CustomStringConvertible {
  public indirect enum Reason: Hashable, Sendable {
    /// There was no answer.
    case network(NetworkFailure)
    /// The backend refused; the name is its own, and the field that of a rule.
    case backend(status: Int64, name: JSONString, field: JSONString?)
    /// The backend answered what is no answer.
    case badAnswer
    /// What is asked for was never loaded.
    case notInCache
    case badQuery(QueryError)
    /// Nobody opened the collection.
    case noSuchCollection(JSONString)
    /// The mapping of a property, or the collection itself, is not sound.
    case badMapping(JSONString)
    /// The object has no id, and cannot be meant without one.
    case withoutID
    /// No object of the call has this tag.
    case noSuchTag(JSONString)
    /// It has to wait in the offline queue for another object.
    case mustWait
    /// An object that it leads to could not be saved.
    case relatedFailed
  }

  public let reason: Reason
  public let message: String
  /// What became of the single objects that failed.
  public var failures: [ObjectFailure]
  /// Objects of the call that were saved, or removed, all the same.
  public var succeeded: [CollectionObject]
  /// Ids of objects that wait in the offline queue.
  public var queued: [JSONString]

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

  static let notInCache = CollectionError(.notInCache, "it was never loaded")

  static func notOpen(_ collection: JSONString) -> CollectionError {
    CollectionError(.noSuchCollection(collection), "nobody opened '\(collection)'")
  }

  public init(_ error: QueryError) { self.init(.badQuery(error), error.description) }

  public var description: String { message }

  /// The number of the error: the status of an answer, or a number of the system or the product.
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

/// One object of a call that failed.
public struct ObjectFailure: Hashable, Sendable {
  public var collection: JSONString
  /// Its place among the objects of the call; nil for one that another leads to.
  public var index: Int64?
  public var id: JSONString?
  public var reason: CollectionError.Reason
  public var message: String

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

/// Why there was no answer.
///
/// Source: NSURLError codes.
public enum NetworkFailure: String, CaseIterable, Sendable {
  case unknown
  case timedOut
  case cannotFindHost
  case cannotConnect
  case connectionLost
  case cannotResolveHost
  case notConnected

  /// The number of the system.
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

  /// Whether what failed so waits in the offline queue.
  ///
  /// Source: KinveyKit 1.41, offline saves.
  public var queues: Bool {
    switch self {
    case .unknown, .timedOut, .cannotResolveHost, .notConnected: true
    case .cannotFindHost, .cannotConnect, .connectionLost: false
    }
  }

  var asError: CollectionError { CollectionError(.network(self), "no answer: \(rawValue)") }
}
