/// The pending events, ordered by time, then by insertion.
///
/// A binary heap of small entries. The events themselves are not moved, because they are large.
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

  /// The time of the next event; nil if the queue is empty.
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

  /// Removes and returns the next event with its time; nil if the queue is empty.
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

  /// Restores the heap order from the first entry down.
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
