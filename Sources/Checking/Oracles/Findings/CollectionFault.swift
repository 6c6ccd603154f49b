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
  /// The response to a save differs from the saved object.
  case savedOtherwise(Key, answer: JSONValue)
  /// More objects were created from a draft than responses were lost.
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

  /// The expected response to a request.
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
      return ("identity", "the backend assigned the id \(key.id) of \(key.collection) twice")
    case .refused(let request, let status):
      return (
        "answer", "unexpected status \(status) for \(request.method) \(request.collection)"
      )
    case .wrongAnswer(let request, let status, let answer, let expected):
      let filter = request.filter.map { "?\($0.serialized())" } ?? ""
      return (
        "answer",
        "\(request.method) \(request.collection)/\(request.id ?? "")\(filter) returned "
          + "\(status) \(answer.serialized()); expected \(expected.words)"
      )
    case .withoutStamp(let key, let client):
      return ("answer", "client \(client) saved \(key.collection)/\(key.id) without a stamp")
    case .savedOtherwise(let key, let answer):
      return (
        "answer",
        "the response to the save of \(key.collection)/\(key.id), \(answer.serialized()), differs from the entity"
      )
    case .duplicate(let stamp, let client, let count, let lost):
      return (
        "twice",
        "'\(stamp)' of client \(client) was created \(count) times with \(lost) lost \(lost == 1 ? "response" : "responses")"
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
        "client \(call.client) got the completion of call \(call.number), which it never made"
      )
    case .repeatedEnd(let call): return ("callback", "\(call.words) completed twice")
    case .noEnd(let call): return ("callback", "\(call.words) never completed")
    case .wrongProgress(let call, let done, let total, let doneBefore, let totalBefore):
      return (
        "progress", "\(call.words) went from \(doneBefore)/\(totalBefore) to \(done)/\(total)"
      )
    case .incomplete(let call, let done, let total):
      return ("progress", "\(call.words) completed at \(done)/\(total)")
    case .unsaved(let stamp, let client, let call):
      let speaker =
        call.map { CallKey(client: client, number: $0).words } ?? "the queue of client \(client)"
      return ("acknowledged", "\(speaker) reported '\(stamp)' as saved, but it was not")
    case .wrongResult(let call, let key, let stamp, let isFromCache):
      return (
        isFromCache ? "remembered" : "stale",
        "\(call.words) returned '\(stamp)' as \(key.collection)/\(key.id), which "
          + (isFromCache ? "was not in its cache" : "did not exist during the call")
      )
    case .waiting(let client, let count):
      return ("queue", "\(count) saves remain in the queue of client \(client) at the end")
    case .neverSent(let stamp, let client):
      return ("queue", "'\(stamp)' was queued at client \(client) and never sent")
    }
  }
}

extension CollectionFault.Expectation {
  fileprivate var words: String {
    switch self {
    case .entity: "one entity"
    case .entities(let count): "\(count) entities"
    case .removed(let count): "\(count) removed"
    case .deletion: "the stored entities"
    }
  }
}

extension CollectionLedger.CallKey {
  fileprivate var words: String { "call \(number) of client \(client)" }
}
