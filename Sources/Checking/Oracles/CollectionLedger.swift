internal import Datastore
public import JSON

/// Checks clients of one backend of collections, by what their requests did and what they were told.
///
/// Each save writes a text of its own into the field `stamp`, by which the ledger knows what was written
/// by whom over what. It keeps a backend of its own that does what every request asks for. So an answer
/// is checked by what there was to answer, and a callback by what the backend, or the client, had.
///
/// A promise that is broken is a finding. What a backend without revisions never promised, and people
/// lose all the same, is counted as `losses`.
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

  /// What an application wants to save, or saw when it removed something.
  public struct Draft: Hashable, Sendable {
    public var stamp: JSONString
    /// The stamp of what it changed; nil for a new object.
    public var base: JSONString?

    public init(stamp: JSONString, base: JSONString? = nil) {
      self.stamp = stamp
      self.base = base
    }
  }

  /// What nobody promised.
  public struct Losses: Hashable, Sendable {
    /// Saves that were acknowledged, and written over by somebody who had not seen them.
    public var overwritten = 0
    /// The same, and removed.
    public var removed = 0
    /// Objects that were made once more, as their answers were lost.
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
    /// Which entities are meant; nil for all.
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

  /// What was at the backend under an id, and since when.
  struct Version {
    var stamp: JSONString
    var from: UInt64
    /// When it ended; nil while it is there.
    var until: UInt64?
  }

  /// The last thing that was said about a call.
  struct Call {
    var began: UInt64
    var drafts: [JSONString]
    /// How many callbacks it had that were not its last, and its last ones.
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
  /// Who wrote each draft, and as the how manieth of all.
  var authors: [JSONString: (client: Int, order: Int)] = [:]
  /// What each application was told, or saved.
  var seen: [Int: Set<JSONString>] = [:]
  /// What each client was answered, and may remember.
  var heard: [Int: Set<JSONString>] = [:]
  /// Stamps that were written, how often an object was made with one, and how many answers about it
  /// were lost.
  var written: Set<JSONString> = []
  var made: [JSONString: Int] = [:]
  var lostAnswers: [JSONString: Int] = [:]
  /// Stamps of which an application was told that they are saved.
  public private(set) var acknowledged: Set<JSONString> = []
  /// Stamps that nobody had seen when they ended, and whether by a removal.
  var unseenEnds: [JSONString: Bool] = [:]
  /// What waits in the queues of the clients.
  var queued: [Int: Set<JSONString>] = [:]
  /// What clients removed, or wanted to.
  var removedBy: [Int: Set<JSONString>] = [:]

  public init() {}

  // MARK: What applications do and are told

  /// An application makes a call.
  ///
  /// - Parameters:
  ///   - drafts: what it saves.
  ///   - removed: the stamps of what it removes, as far as it knows them.
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

  /// A client is told how far a call is.
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

  /// An application is told that its objects are saved, all or some of them.
  public mutating func saved(
    _ client: Int, _ call: Int64, stamps: [JSONString]
  ) -> OracleFinding? {
    // What else comes with an object is not saved again.
    let drafts = calls[CallKey(client: client, number: call)]?.drafts ?? []
    for stamp in stamps where drafts.contains(stamp) {
      guard written.contains(stamp) else {
        return .collections(.unsaved(stamp: stamp, client: client, call: call))
      }
      acknowledged.insert(stamp)
    }
    return end(client, call)
  }

  /// A save has to wait at a client.
  public mutating func wait(_ client: Int, _ stamp: JSONString) {
    queued[client, default: []].insert(stamp)
  }

  /// What waited at a client is saved.
  public mutating func drained(_ client: Int, _ stamp: JSONString?) -> OracleFinding? {
    guard let stamp else { return nil }
    guard written.contains(stamp) else {
      return .collections(.unsaved(stamp: stamp, client: client, call: nil))
    }
    acknowledged.insert(stamp)
    return nil
  }

  /// An application is told what there is.
  ///
  /// - Parameters:
  ///   - found: the stamp of each object by its key, and of those that it leads to.
  ///   - isFromCache: whether it is what the client remembered.
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

  /// A call ends with an error, or with something that is no object.
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

  /// An application is gone, with the calls that it waits for.
  ///
  /// - Parameter stamps: of objects that were made, whose answers find nobody now.
  public mutating func crash(_ client: Int, losing stamps: [JSONString]) {
    for stamp in stamps { lostAnswers[stamp, default: 0] += 1 }
    calls = calls.filter { $0.key.client != client || $0.value.last > 0 }
  }
}
