internal import Datastore
public import JSON

/// Checks the clients of one backend of collections by the effects and responses of their requests.
///
/// Each save writes a unique text into the field `stamp`, which identifies the save and the version
/// below it. The ledger has its own model of the backend, which performs every request. So it
/// checks a response by the content of the model, and a callback by what the backend, or the
/// client, had.
///
/// A broken guarantee is a finding. Losses that a backend without revisions permits are counted as
/// `losses`.
public struct CollectionLedger {
  /// An entity of a collection.
  public struct Key: Hashable, Sendable {
    public var collection: JSONString
    public var id: JSONString

    public init(_ collection: JSONString, _ id: JSONString) {
      self.collection = collection
      self.id = id
    }
  }

  /// An object to save, or the version that was read before a removal.
  public struct Draft: Hashable, Sendable {
    public var stamp: JSONString
    /// The stamp of the version it changes; nil for a new object.
    public var base: JSONString?

    public init(stamp: JSONString, base: JSONString? = nil) {
      self.stamp = stamp
      self.base = base
    }
  }

  /// Losses outside the guarantees.
  public struct Losses: Hashable, Sendable {
    /// Lost updates: acknowledged saves that another client overwrote without having read them.
    public var overwritten = 0
    /// Lost deletes: the same for removals.
    public var removed = 0
    /// Duplicates: objects created twice after a lost response.
    public var madeTwice = 0

    public init() {}

    public static func += (left: inout Losses, right: Losses) {
      left.overwritten += right.overwritten
      left.removed += right.removed
      left.madeTwice += right.madeTwice
    }
  }

  /// A request as it arrives at the backend.
  public struct Request: Hashable, Sendable {
    /// GET, PUT, POST or DELETE.
    public var method: JSONString
    public var collection: JSONString
    /// The id of an entity; nil for the whole collection.
    public var id: JSONString?
    /// The filter of the entities; nil for all.
    public var filter: JSONValue?
    public var body: JSONValue?

    public init(
      method: JSONString, collection: JSONString, id: JSONString? = nil, filter: JSONValue? = nil,
      body: JSONValue? = nil
    ) {
      self.method = method
      self.collection = collection
      self.id = id
      self.filter = filter
      self.body = body
    }
  }

  /// A version of an entity in the backend, with its lifetime.
  struct Version {
    var stamp: JSONString
    var from: UInt64
    /// The time of its end; nil while it exists.
    var until: UInt64?
  }

  /// The last callback of a call.
  struct Call {
    var began: UInt64
    var drafts: [JSONString]
    /// The number of its progress callbacks and of its completions.
    var early = 0
    var last = 0
    var done: Int64 = 0
    var total: Int64 = 0
  }

  /// A call of an application; calls are numbered by client.
  public struct CallKey: Hashable, Sendable {
    public var client: Int
    public var number: Int64

    public init(client: Int, number: Int64) {
      self.client = client
      self.number = number
    }
  }

  var entities: [Key: JSONObject] = [:]
  var versions: [Key: [Version]] = [:]
  var calls: [CallKey: Call] = [:]
  var drafts: [JSONString: Draft] = [:]
  /// The client of each draft, and its position in the order of all saves.
  var authors: [JSONString: (client: Int, order: Int)] = [:]
  /// The stamps that each application received, or saved.
  var seen: [Int: Set<JSONString>] = [:]
  /// The stamps in the responses to each client, which its cache may have.
  var heard: [Int: Set<JSONString>] = [:]
  /// The written stamps, the number of objects created with each, and the number of lost responses.
  var written: Set<JSONString> = []
  var made: [JSONString: Int] = [:]
  var lostAnswers: [JSONString: Int] = [:]
  /// Stamps that were acknowledged to an application.
  public private(set) var acknowledged: Set<JSONString> = []
  /// The number of requests that the backend performed.
  public internal(set) var arrivals = 0
  /// Stamps that were superseded without having been read.
  var unseenEnds: [JSONString: CollectionLoss] = [:]
  /// The entities that were created again.
  var duplicates: [CollectionLoss] = []
  /// The saves in the queues of the clients.
  var queued: [Int: Set<JSONString>] = [:]
  /// The removals of clients, performed or not.
  var removedBy: [Int: Set<JSONString>] = [:]

  public init() {}

  // MARK: Calls and callbacks of applications

  /// An application makes a call.
  ///
  /// - Parameters:
  ///   - drafts: the objects that it saves.
  ///   - removed: the stamps of the removed objects, as far as the client has them.
  public mutating func begin(
    _ client: Int, _ call: Int64, drafts: [Draft], removing removed: [JSONString] = [],
    at time: UInt64
  ) {
    calls[CallKey(client: client, number: call)] = Call(
      began: time, drafts: drafts.map { $0.stamp })
    for draft in drafts {
      self.drafts[draft.stamp] = draft
      authors[draft.stamp] = (client, authors.count)
    }
    seen[client, default: []].formUnion(drafts.map { $0.stamp })
    removedBy[client, default: []].formUnion(removed)
  }

  /// A client receives the progress of a call.
  public mutating func progress(
    _ client: Int, _ call: Int64, done: Int64, total: Int64
  ) -> OracleFinding? {
    let key = CallKey(client: client, number: call)
    guard let before = calls[key] else {
      return .collections(.unknownCall(key, isProgress: true))
    }
    calls[key]?.done = done
    calls[key]?.total = total
    let isForward =
      done <= total && total > 0
      && (before.total == 0 || done * before.total >= before.done * total)
    guard !isForward else { return nil }
    return .collections(
      .wrongProgress(
        key, done: done, total: total, doneBefore: before.done, totalBefore: before.total))
  }

  /// An application receives the acknowledgement of all or some of its saves.
  public mutating func saved(
    _ client: Int, _ call: Int64, stamps: [JSONString]
  ) -> OracleFinding? {
    // Related objects in the response are not saved again.
    let drafts = calls[CallKey(client: client, number: call)]?.drafts ?? []
    for stamp in stamps where drafts.contains(stamp) {
      guard written.contains(stamp) else {
        return .collections(.unsaved(stamp: stamp, client: client, call: call))
      }
      acknowledged.insert(stamp)
    }
    return end(client, call)
  }

  /// A save is queued at a client.
  public mutating func wait(_ client: Int, _ stamp: JSONString) {
    queued[client, default: []].insert(stamp)
  }

  /// A queued save is acknowledged.
  public mutating func drained(_ client: Int, _ stamp: JSONString?) -> OracleFinding? {
    guard let stamp else { return nil }
    guard written.contains(stamp) else {
      return .collections(.unsaved(stamp: stamp, client: client, call: nil))
    }
    acknowledged.insert(stamp)
    return nil
  }

  /// An application receives the result of a query.
  ///
  /// - Parameters:
  ///   - found: the stamp of each object by its key, with those it references.
  ///   - isFromCache: whether it comes from the cache of the client.
  ///   - isLast: whether no other callback follows.
  public mutating func told(
    _ client: Int, _ call: Int64, found: [(key: Key, stamp: JSONString)], isFromCache: Bool,
    isLast: Bool, at time: UInt64
  ) -> OracleFinding? {
    let callKey = CallKey(client: client, number: call)
    guard let began = calls[callKey]?.began else {
      return .collections(.unknownCall(callKey, isProgress: false))
    }
    for (key, stamp) in found {
      let isKnown =
        seen[client]?.contains(stamp) ?? false || heard[client]?.contains(stamp) ?? false
      let wasThere = (versions[key] ?? []).contains { version in
        version.stamp == stamp && version.from <= time && version.until ?? .max >= began
      }
      guard !(isFromCache ? isKnown : wasThere || isKnown) else { continue }
      return .collections(
        .wrongResult(callKey, key, stamp: stamp, isFromCache: isFromCache))
    }
    seen[client, default: []].formUnion(found.map { $0.stamp })
    return end(client, call, isLast: isLast)
  }

  /// A call ends with an error, or with a result that is no object.
  public mutating func end(
    _ client: Int, _ call: Int64, isLast: Bool = true
  ) -> OracleFinding? {
    let key = CallKey(client: client, number: call)
    guard let known = calls[key] else {
      return .collections(.unknownCall(key, isProgress: false))
    }
    if isLast { calls[key]?.last += 1 } else { calls[key]?.early += 1 }
    if known.last > 0 || !isLast && known.early > 0 {
      return .collections(.repeatedEnd(key))
    }
    guard !isLast || known.done == known.total && known.total > 0 else {
      return .collections(.incomplete(key, done: known.done, total: known.total))
    }
    return nil
  }

  /// An application crashes, with its pending calls.
  ///
  /// - Parameter stamps: of created objects whose responses reach no application any more.
  public mutating func crash(_ client: Int, losing stamps: [JSONString]) {
    for stamp in stamps { lostAnswers[stamp, default: 0] += 1 }
    calls = calls.filter { $0.key.client != client || $0.value.last > 0 }
  }
}
