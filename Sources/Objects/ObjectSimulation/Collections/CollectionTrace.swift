public import Collections
public import JSON
public import Oracles

/// The events of a recorded run, in the order of time.
///
/// A run records them only on request, and is the same with and without them.
public struct CollectionTrace: Hashable, Sendable {
  /// An event of a device, or of the backend for a request of a device.
  public struct Entry: Hashable, Sendable {
    /// The simulated time in milliseconds.
    public var time: UInt64
    /// The index of the device.
    public var device: Int
    /// The event.
    public var event: Event
  }

  /// A new version of an entity in the backend.
  public struct Change: Hashable, Sendable {
    /// The entity.
    public var key: CollectionLedger.Key
    /// The stamps before and after the request; nil for none.
    public var before: JSONString?
    /// The stamp after the request; nil for a removal.
    public var after: JSONString?
  }

  /// The kinds of events.
  public enum Event: Hashable, Sendable {
    /// The application performs a step of the workload.
    case step(Int, String)
    /// The application makes a call.
    case call(CallNumber, String)
    /// The application receives a result, with the stamps of its objects.
    case callback(CallNumber, String, stamps: [JSONString], isFromCache: Bool)
    /// Saves were acknowledged to the application.
    case acknowledged([JSONString])
    /// The device sends a request; `isRepeat` if it sent the same save before.
    case sent(RequestNumber, String, isRepeat: Bool)
    /// A request was not sent: the device is offline.
    case blocked(RequestNumber)
    /// A request was lost on its way to the backend.
    case dropped(RequestNumber)
    /// The backend refused a request.
    case refused(RequestNumber)
    /// The backend performed a request.
    case performed(Performed)
    /// The response to a request arrived at the device.
    case received(RequestNumber)
    /// The device gave up waiting for a response.
    case timedOut(RequestNumber)
    /// The offline queue changed; `count` is its length afterwards.
    case queue(QueueEvent.Kind, EntityKey, count: Int)
    /// The device is offline until a time in milliseconds.
    case offline(until: UInt64)
    /// The application crashed.
    case crashed
  }

  /// A request that the backend performed.
  public struct Performed: Hashable, Sendable {
    /// The number of the request of its device.
    public var request: RequestNumber
    /// The number of the request among all that the backend performed, from 1.
    public var arrival: Int
    /// The status of the response.
    public var status: Int64
    /// True if the response was lost.
    public var isLost: Bool
    /// The changed entities.
    public var changes: [Change]
  }

  /// The events.
  public var entries: [Entry] = []
  /// The losses outside the guarantees; empty if the run ended with a finding.
  public var losses: [CollectionLoss] = []

  /// The events as lines of text.
  public var lines: [String] {
    entries.compactMap { entry in
      entry.event.words.map { "\(entry.time) ms  device \(entry.device)  \($0)" }
    }
  }
}

extension CollectionTrace.Event {
  /// The event in a line; nil for events that follow from others.
  fileprivate var words: String? {
    switch self {
    case .step(let number, let deed): "step \(number): \(deed)"
    case .call(let number, let words): "call \(number) \(words)"
    case .callback(let number, let words, _, _): "call \(number) \(words)"
    case .sent(let number, let words, _): "> \(number) \(words)"
    case .blocked(let number): "x \(number) cannot be sent: the device is offline"
    case .dropped(let number): "x \(number) is lost"
    case .refused(let number): "< \(number) 500"
    case .performed(let request):
      "< \(request.request) \(request.status)\(request.isLost ? ", response lost" : "")"
    case .queue(let kind, let key, _): "\(kind.rawValue) \(key.collection)/\(key.id)"
    case .acknowledged, .received, .timedOut, .offline, .crashed: nil
    }
  }
}
