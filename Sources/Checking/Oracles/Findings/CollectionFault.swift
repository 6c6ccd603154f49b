public import JSON

/// A broken guarantee of a backend of collections, or of one of its clients.
public enum CollectionFault: Hashable, Sendable {
  public typealias CallKey = CollectionLedger.CallKey
  public typealias Key = CollectionLedger.Key
  public typealias Request = CollectionLedger.Request

  // MARK: The backend

  /// The backend assigns an id that is in use.
  case repeatedID(Key)
  /// A write fails without a cause.
  case refused(Request, status: Int64)
  case wrongAnswer(Request, status: Int64, JSONValue, expected: Expectation)
  case withoutStamp(Key, client: Int)
  /// The answer to a save is not what was saved.
  case savedOtherwise(Key, answer: JSONValue)
  /// More objects were created from a draft than answers were lost.
  case duplicate(stamp: JSONString, client: Int, count: Int, lostAnswers: Int)
  /// The entity at the end is not the last one saved.
  case wrongEntity(Key, JSONObject?, expected: JSONObject?)

  // MARK: The clients

  case unknownCall(CallKey, isProgress: Bool)
  case repeatedEnd(CallKey)
  case noEnd(CallKey)
  /// Progress goes backwards or past its total.
  case wrongProgress(CallKey, done: Int64, total: Int64, doneBefore: Int64, totalBefore: Int64)
  case incomplete(CallKey, done: Int64, total: Int64)
  /// A save was acknowledged that the backend does not have; the call is nil for a queue.
  case unsaved(stamp: JSONString, client: Int, call: Int64?)
  /// A result that the store never had at that time, or that the client had never received.
  case wrongResult(CallKey, Key, stamp: JSONString, isFromCache: Bool)
  case waiting(client: Int, count: Int)
  case neverSent(stamp: JSONString, client: Int)

  /// What the answer to a request should be.
  public enum Expectation: Hashable, Sendable {
    case entity
    case entities(Int)
    case removed(Int)
    /// The result of a deletion by id, which depends on whether the entity exists.
    case deletion
  }
}

extension CollectionFault {
  var rendered: (shape: JSONString, sentence: String) {
    switch self {
    case .repeatedID(let key):
      return ("identity", "the backend gives the id \(key.id) of \(key.collection) twice")
    case .refused(let request, let status):
      return (
        "answer", "\(request.method) \(request.collection) is answered \(status) without need"
      )
    case .wrongAnswer(let request, let status, let answer, let expected):
      let filter = request.filter.map { "?\($0.serialized())" } ?? ""
      return (
        "answer",
        "\(request.method) \(request.collection)/\(request.id ?? "")\(filter) is answered "
          + "\(status) \(answer.serialized()), and not \(expected.words)"
      )
    case .withoutStamp(let key, let client):
      return ("answer", "client \(client) saves \(key.collection)/\(key.id) without a stamp")
    case .savedOtherwise(let key, let answer):
      return (
        "answer", "\(key.collection)/\(key.id) is saved as \(answer.serialized()), and not as it is"
      )
    case .duplicate(let stamp, let client, let count, let lost):
      return (
        "twice", "'\(stamp)' of client \(client) was made \(count) times, and \(lost) answers lost"
      )
    case .wrongEntity(let key, let entity, let expected):
      func words(_ entity: JSONObject?, _ none: String) -> String {
        entity.map { JSONValue.object($0).serialized() } ?? none
      }
      return (
        "stored",
        "\(key.collection)/\(key.id) is \(words(entity, "gone")), and the last save is "
          + words(expected, "none")
      )
    case .unknownCall(let call, let isProgress):
      return (
        isProgress ? "progress" : "callback",
        "client \(call.client) is told of a call \(call.number) that it never made"
      )
    case .repeatedEnd(let call): return ("callback", "\(call.words) ends twice")
    case .noEnd(let call): return ("callback", "\(call.words) never ended")
    case .wrongProgress(let call, let done, let total, let doneBefore, let totalBefore):
      return (
        "progress", "\(call.words) goes from \(doneBefore)/\(totalBefore) to \(done)/\(total)"
      )
    case .incomplete(let call, let done, let total):
      return ("progress", "\(call.words) ends at \(done)/\(total)")
    case .unsaved(let stamp, let client, let call):
      let speaker =
        call.map { CallKey(client: client, number: $0).words } ?? "the queue of client \(client)"
      return ("acknowledged", "\(speaker) says that '\(stamp)' is saved, and it never was")
    case .wrongResult(let call, let key, let stamp, let isFromCache):
      return (
        isFromCache ? "remembered" : "stale",
        "\(call.words) finds '\(stamp)' as \(key.collection)/\(key.id), which "
          + (isFromCache ? "it had never seen" : "was not there between its question and now")
      )
    case .waiting(let client, let count):
      return ("queue", "\(count) saves wait at client \(client) to the end")
    case .neverSent(let stamp, let client):
      return ("queue", "'\(stamp)' waited at client \(client), and was never sent")
    }
  }
}

extension CollectionFault.Expectation {
  fileprivate var words: String {
    switch self {
    case .entity: "one entity"
    case .entities(let count): "\(count) entities"
    case .removed(let count): "\(count) removed"
    case .deletion: "what is there"
    }
  }
}

extension CollectionLedger.CallKey {
  fileprivate var words: String { "call \(number) of client \(client)" }
}
