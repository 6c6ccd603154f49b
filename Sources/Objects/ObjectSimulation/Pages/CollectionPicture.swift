internal import Collections
internal import JSON
internal import Oracles
internal import Rendering

/// A recorded run of devices on a backend as a drawing: a lane for each device and one for the
/// backend.
struct CollectionPicture {
  let trace: CollectionTrace
  /// The losses by the number of their request.
  private let losses: [Int: [CollectionLoss]]
  /// The prefix of the anchors of its rows.
  private let prefix: String
  private var picture: SequencePicture
  private let backend: Int
  /// The row of the request in transit, and of its response, by device and number.
  private var sent: [RequestKey: (row: Int, isRepeat: Bool)] = [:]
  private var answered: [RequestKey: (row: Int, isLoss: Bool)] = [:]
  /// The rows since which a device is offline or its queue is not empty.
  private var offline: [Int: (row: Int, until: UInt64)] = [:]
  private var waiting: [Int: Int] = [:]
  /// The row in which each save was acknowledged.
  private(set) var acknowledged: [JSONString: (row: Int, device: Int, time: UInt64)] = [:]
  /// The rows of losses, in the order of the losses.
  private(set) var lossRows: [Int] = []

  private struct RequestKey: Hashable {
    var device: Int
    var request: RequestNumber
  }

  /// - Parameters:
  ///   - devices: the number of devices.
  ///   - prefix: the prefix of the anchors of rows, unique on a page.
  ///   - finding: the finding that ended the run; nil for none.
  init(_ trace: CollectionTrace, devices: Int, prefix: String, finding: OracleFinding? = nil) {
    self.trace = trace
    self.prefix = prefix
    losses = Dictionary(grouping: trace.losses) { $0.arrival }
    backend = devices
    picture = SequencePicture(
      lanes: (0..<devices).map { "device \($0)" } + ["backend"], unit: "ms")
    for entry in trace.entries { add(entry) }
    if let finding {
      let device = trace.entries.last?.device ?? 0
      add(
        device, .finding, words: finding.sentence.string, time: trace.entries.last?.time,
        isLoss: true)
    }
    for device in 0..<devices {
      endOutage(device, picture.rows.count - 1)
      endQueue(device, picture.rows.count - 1)
    }
  }

  /// The drawing with at most this many events, those about losses first.
  func drawing(limit: Int = .max) -> SequencePicture {
    guard picture.rows.count > limit else { return picture }
    var kept: Set<Int> = []
    let losses = picture.rows.indices.filter { picture.rows[$0].isLoss }
    for row in losses { for near in row - 12...row + 4 { kept.insert(near) } }
    for row in picture.rows.indices where kept.count < limit { kept.insert(row) }
    return picture.keeping { kept.contains($0) }
  }

  /// The anchor of a row.
  func anchor(_ row: Int) -> String { "\(prefix)-\(row)" }

  // MARK: Events

  private mutating func add(_ entry: CollectionTrace.Entry) {
    let device = entry.device
    if let outage = offline[device], outage.until <= entry.time {
      endOutage(device, picture.rows.count - 1)
    }
    switch entry.event {
    case .step(let number, let deed):
      add(entry, at: device, .step, words: "step \(number): \(deed)")
    case .call(let number, let words):
      add(entry, at: device, .call, words: "call \(number): \(words)")
    case .callback(let number, let words, _, let isFromCache):
      add(entry, at: device, isFromCache ? .cache : .result, words: "call \(number) \(words)")
    case .acknowledged(let stamps):
      for stamp in stamps {
        acknowledged[stamp] = (max(0, picture.rows.count - 1), device, entry.time)
      }
      add(entry, at: device, .acknowledgement, words: "acknowledged: \(listed(stamps))")
    case .sent(let number, let words, let isRepeat):
      sent[RequestKey(device: device, request: number)] = (picture.rows.count, isRepeat)
      add(
        entry, at: device, isRepeat ? .repetition : .request,
        words: "request \(number)\(isRepeat ? ", sent before" : ""): \(words)")
    case .blocked(let number):
      lose(RequestKey(device: device, request: number))
      add(entry, at: device, .fault, words: "request \(number) is not sent: the device is offline")
    case .dropped(let number):
      lose(RequestKey(device: device, request: number))
      add(entry, at: device, .fault, words: "request \(number) is lost")
    case .refused(let number):
      arrive(RequestKey(device: device, request: number), isLoss: false)
      add(
        entry, at: backend, .fault,
        words: "request \(number) of device \(device): status 500, not performed")
    case .performed(let request): add(request, entry)
    case .received(let number): receive(RequestKey(device: device, request: number), entry)
    case .timedOut(let number):
      add(
        entry, at: device, .fault, words: "no response to request \(number) within its time limit")
    case .queue(let kind, let key, let count):
      add(
        entry, at: device, .queue,
        words: "offline queue: \(key.collection)/\(key.id) \(kind.words), \(count) waiting")
      if count > 0, waiting[device] == nil { waiting[device] = picture.rows.count - 1 }
      if count == 0 { endQueue(device, picture.rows.count - 1) }
    case .offline(let until):
      offline[device] = (picture.rows.count, until)
      add(entry, at: device, .fault, words: "offline until \(until) ms")
    case .crashed:
      add(
        entry, at: device, .crash,
        words: "the application crashes and starts again; its objects are gone")
    }
  }

  private mutating func add(
    _ entry: CollectionTrace.Entry, at lane: Int, _ sign: SequencePicture.Sign, words: String,
    isLoss: Bool = false
  ) {
    add(lane, sign, words: words, time: entry.time, isLoss: isLoss)
  }

  private mutating func add(
    _ lane: Int, _ sign: SequencePicture.Sign, words: String, time: UInt64?, isLoss: Bool
  ) {
    picture.rows.append(
      SequencePicture.Row(
        time.map { "\($0)" } ?? "", lane: lane, sign: sign, words: words, isLoss: isLoss,
        id: anchor(picture.rows.count)))
  }

  private mutating func add(
    _ request: CollectionTrace.Performed, _ entry: CollectionTrace.Entry
  ) {
    let key = RequestKey(device: entry.device, request: request.request)
    let losses = losses[request.arrival] ?? []
    arrive(key, isLoss: !losses.isEmpty)
    answered[key] = (picture.rows.count, !losses.isEmpty)
    let changes = request.changes.map { $0.words }
    let words =
      (["request \(request.request) of device \(entry.device): status \(request.status)"] + changes)
      .joined(separator: ", ") + (request.isLost ? "; the response is lost" : "")
    add(entry, at: backend, changes.isEmpty ? .read : .write, words: words)
    if request.isLost {
      picture.messages.append(
        SequencePicture.Message(
          .answer, from: picture.rows.count - 1, to: nil, lane: entry.device))
      answered[key] = nil
    }
    for loss in losses {
      lossRows.append(picture.rows.count)
      add(entry, at: backend, .loss, words: sentence(loss), isLoss: true)
    }
  }

  // MARK: Messages

  private mutating func lose(_ key: RequestKey) {
    guard let (row, _) = sent.removeValue(forKey: key) else { return }
    picture.messages.append(SequencePicture.Message(.request, from: row, to: nil, lane: backend))
  }

  /// A request arrives in the next row.
  private mutating func arrive(_ key: RequestKey, isLoss: Bool) {
    guard let (row, isRepeat) = sent.removeValue(forKey: key) else { return }
    picture.messages.append(
      SequencePicture.Message(
        isLoss ? .loss : isRepeat ? .again : .request, from: row, to: picture.rows.count,
        lane: backend))
    answered[key] = (picture.rows.count, false)
  }

  private mutating func receive(_ key: RequestKey, _ entry: CollectionTrace.Entry) {
    let from = answered.removeValue(forKey: key)
    if let from {
      picture.messages.append(
        SequencePicture.Message(
          .answer, from: from.row, to: picture.rows.count, lane: entry.device))
    }
    add(entry, at: entry.device, .response, words: "response to request \(key.request)")
  }

  private mutating func endOutage(_ device: Int, _ last: Int) {
    guard let outage = offline.removeValue(forKey: device) else { return }
    picture.spans.append(
      SequencePicture.Span(
        .outage, lane: device, rows: outage.row...max(outage.row, last),
        words: "device \(device) is offline"))
  }

  private mutating func endQueue(_ device: Int, _ last: Int) {
    guard let first = waiting.removeValue(forKey: device) else { return }
    picture.spans.append(
      SequencePicture.Span(
        .queue, lane: device, rows: first...max(first, last),
        words: "the offline queue of device \(device) is not empty"))
  }

  private func listed(_ stamps: [JSONString]) -> String {
    stamps.map { $0.string }.joined(separator: ", ")
  }
}
