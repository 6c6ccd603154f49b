/// What will happen, in the order of time, and of insertion where times are equal: a binary heap.
struct EventQueue<Event> {
  private var entries: [Entry] = []
  private var insertions: UInt64 = 0

  private struct Entry {
    let time: UInt64
    let order: UInt64
    let event: Event

    func isBefore(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : order < other.order
    }
  }

  /// When the next event happens; nil when nothing will happen any more.
  var nextTime: UInt64? { entries.first?.time }

  mutating func insert(_ event: Event, at time: UInt64) {
    insertions += 1
    entries.append(Entry(time: time, order: insertions, event: event))
    var place = entries.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard entries[place].isBefore(entries[parent]) else { return }
      entries.swapAt(place, parent)
      place = parent
    }
  }

  /// The next event and its time; nil when nothing will happen any more.
  mutating func next() -> (time: UInt64, event: Event)? {
    guard let last = entries.popLast() else { return nil }
    guard let first = entries.first else { return (last.time, last.event) }
    entries[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < entries.count && entries[child].isBefore(entries[least]) {
        least = child
      }
      guard least != place else { break }
      entries.swapAt(place, least)
      place = least
    }
    return (first.time, first.event)
  }
}
