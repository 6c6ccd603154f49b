/// What will happen, in the order of time, and of insertion where times are equal.
///
/// A binary heap of small entries; the events themselves stay where they are, for moving them is
/// what would cost.
package struct EventQueue<Event> {
  package init() {}

  private var entries: [Entry] = []
  private var events: [Event?] = []
  private var free: [Int] = []
  private var insertions: UInt64 = 0

  private struct Entry {
    let time: UInt64
    let order: UInt64
    let place: Int

    func isBefore(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : order < other.order
    }
  }

  /// When the next event happens; nil when nothing will happen any more.
  var nextTime: UInt64? { entries.first?.time }

  package mutating func insert(_ event: Event, at time: UInt64) {
    insertions += 1
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      events[slot] = event
    } else {
      slot = events.count
      events.append(event)
    }
    entries.append(Entry(time: time, order: insertions, place: slot))
    var place = entries.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard entries[place].isBefore(entries[parent]) else { return }
      entries.swapAt(place, parent)
      place = parent
    }
  }

  /// The next event and its time; nil when nothing will happen any more.
  package mutating func next() -> (time: UInt64, event: Event)? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if !entries.isEmpty {
      entries[0] = last
      sink()
    }
    assert(
      entries.first.map { first.isBefore($0) } ?? true,
      "event \(first.order) at \(first.time) left the queue after a later one")
    free.append(first.place)
    guard let event = events[first.place].take() else { return nil }
    return (first.time, event)
  }

  /// Lets the first entry sink to where it belongs.
  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      let left = 2 * place + 1
      if left < entries.count, entries[left].isBefore(entries[least]) { least = left }
      if left + 1 < entries.count, entries[left + 1].isBefore(entries[least]) { least = left + 1 }
      guard least != place else { return }
      entries.swapAt(place, least)
      place = least
    }
  }
}
