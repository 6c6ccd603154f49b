/// A search for an order of the operations in which each outcome is correct (Wing and Gong), with a
/// memory of the states that were tried (Lowe).
///
/// The order respects time: an operation that ended before another began comes first. An operation
/// without a response happens at any later point, or never.
struct OrderSearch {
  /// One operation, as far as it concerns the documents of the search.
  struct Entry {
    var call: Int64
    /// The place of the response; `Int64.max` without one.
    var end: Int64
    /// The ways in which the operation may have happened, each with its events; more than one if the
    /// response does not tell.
    var ways: [[DocumentEvent]]
    /// The place of the operation in the history.
    var operation: Int

    /// Whether it changes nothing, so that it can be ordered as soon as it is correct.
    var isRead: Bool { ways.allSatisfy { $0.allSatisfy(\.isRead) } }
  }

  enum Answer: Equatable {
    /// The order, as places in the history; without the operations that never happened.
    case ordered([Int])
    /// No order exists. The operations that ended up to the given place have none either.
    case noOrder(until: Int64)
    /// The search was ended before it was complete.
    case unknown
  }

  let entries: [Entry]
  /// The state before the first operation.
  let beginning: DocumentForest
  private let isRead: [Bool]
  private var forest: DocumentForest
  private let stepsMax: Int
  private(set) var steps = 0

  var entryCount: Int { entries.count }

  /// Lists of the entries without a place in the order: by call, and by end.
  private var byCall: LinkedPlaces
  private var byEnd: LinkedPlaces
  private let endOrder: [Int]
  private let pending: [Int]
  private var isDone: [Bool]
  private var doneFingerprint: UInt64 = 0
  private var seen: Set<Configuration> = []
  private var order: [Int] = []
  private var frames: [Frame] = []
  private var longest: Int64 = 0

  private struct Configuration: Hashable {
    var done: UInt64
    var state: UInt64
  }

  /// A decision: an entry and the way in which it happened.
  private struct Choice {
    var entry: Int
    var way: Int
  }

  private struct Frame {
    var choices: [Choice]
    var next = 0
    /// The state before the decision.
    var mark: Int
    var orderCount: Int
  }

  /// - Parameters:
  ///   - entries: in the order of their calls.
  ///   - stepsMax: the number of decisions after which the answer is `unknown`.
  init(_ entries: [Entry], _ forest: DocumentForest, stepsMax: Int) {
    self.entries = entries
    self.forest = forest
    beginning = forest
    self.stepsMax = stepsMax
    let isRead = entries.map(\.isRead)
    self.isRead = isRead
    pending = entries.indices.filter { entries[$0].end == .max && !isRead[$0] }
    let answered = entries.indices.filter { entries[$0].end != .max }
    endOrder = answered.sorted { entries[$0].end < entries[$1].end }
    byCall = LinkedPlaces(answered, capacity: entries.count)
    byEnd = LinkedPlaces(endOrder, capacity: entries.count)
    isDone = Array(repeating: false, count: entries.count)
  }

  mutating func run() -> Answer {
    var isNew = true
    while true {
      if isNew {
        orderReads()
        guard let first = byEnd.first else { return .ordered(order.map { entries[$0].operation }) }
        longest = max(longest, entries[first].end)
        let configuration = Configuration(done: doneFingerprint, state: forest.fingerprint)
        if seen.insert(configuration).inserted {
          frames.append(
            Frame(choices: choices(before: first), mark: forest.mark, orderCount: order.count))
        }
      }
      guard let choice = nextChoice() else { return .noOrder(until: longest) }
      steps += 1
      if steps > stepsMax { return .unknown }
      isNew = true
      for event in entries[choice.entry].ways[choice.way] where isNew {
        isNew = forest.admit(event)
      }
      if isNew { place(choice.entry) }
    }
  }

  /// The next decision to try, after taking back those that led nowhere.
  private mutating func nextChoice() -> Choice? {
    while let frame = frames.last {
      forest.takeBack(to: frame.mark)
      while order.count > frame.orderCount, let entry = order.popLast() { displace(entry) }
      if frame.next < frame.choices.count {
        frames[frames.count - 1].next += 1
        return frame.choices[frame.next]
      }
      frames.removeLast()
    }
    return nil
  }

  /// Orders all reads that are correct now. They change nothing, so this excludes no order of the
  /// other operations.
  private mutating func orderReads() {
    guard let first = byEnd.first else { return }
    var next = byCall.first
    var limit = entries[first].end
    while let entry = next, entries[entry].call < limit {
      next = byCall.after(entry)
      guard isRead[entry], entries[entry].ways[0].allSatisfy({ forest.agrees(with: $0) }) else {
        continue
      }
      let isFirst = byEnd.first == entry
      place(entry)
      // More operations overlap with the next one.
      if isFirst { limit = byEnd.first.map { entries[$0].end } ?? .max }
    }
  }

  /// The operations that can come next: those that began before `first`, the next to end, ended.
  private func choices(before first: Int) -> [Choice] {
    var found = isRead[first] ? [] : choices(of: first)
    let limit = entries[first].end
    var next = byCall.first
    while let entry = next, entries[entry].call < limit {
      if entry != first, !isRead[entry] { found += choices(of: entry) }
      next = byCall.after(entry)
    }
    for entry in pending where !isDone[entry] && entries[entry].call < limit {
      found += choices(of: entry)
    }
    return found
  }

  private func choices(of entry: Int) -> [Choice] {
    entries[entry].ways.indices.map { Choice(entry: entry, way: $0) }
  }

  private mutating func place(_ entry: Int) {
    order.append(entry)
    isDone[entry] = true
    doneFingerprint ^= mix(UInt64(entry))
    if entries[entry].end != .max {
      byCall.remove(entry)
      byEnd.remove(entry)
    }
  }

  private mutating func displace(_ entry: Int) {
    isDone[entry] = false
    doneFingerprint ^= mix(UInt64(entry))
    if entries[entry].end != .max {
      byEnd.restore(entry)
      byCall.restore(entry)
    }
  }
}

/// A list of numbers from which elements are removed, and restored in the opposite order.
private struct LinkedPlaces {
  private var following: [Int32]
  private var preceding: [Int32]
  private let head: Int32

  init(_ places: [Int], capacity: Int) {
    head = Int32(capacity)
    following = Array(repeating: head, count: capacity + 1)
    preceding = following
    var last = head
    for place in places {
      following[Int(last)] = Int32(place)
      preceding[place] = last
      last = Int32(place)
    }
    following[Int(last)] = head
    preceding[Int(head)] = last
  }

  var first: Int? { after(Int(head)) }

  func after(_ place: Int) -> Int? {
    let next = following[place]
    return next == head ? nil : Int(next)
  }

  mutating func remove(_ place: Int) {
    following[Int(preceding[place])] = following[place]
    preceding[Int(following[place])] = preceding[place]
  }

  mutating func restore(_ place: Int) {
    following[Int(preceding[place])] = Int32(place)
    preceding[Int(following[place])] = Int32(place)
  }
}
