internal import ConcurrentClients
internal import Synchronization

/// A function of independent elements, called on several threads at a time.
///
/// Each thread takes the next remaining element, so the results do not depend on the number of
/// threads.
struct ParallelMap<Element: Sendable, Value: Sendable, Failure: Error> {
  private let elements: [Element]
  private let body: @Sendable (Element) throws(Failure) -> Value

  init(
    _ elements: [Element], _ body: @escaping @Sendable (Element) throws(Failure) -> Value
  ) {
    self.elements = elements
    self.body = body
  }

  /// Returns the values in the order of the elements; throws the error of the first element that
  /// has one.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads, this one included; at least 1.
  ///   - progress: called on this thread after each of its elements, with the number of finished
  ///     elements.
  func values(jobs: Int, progress: (_ done: Int) -> Void) throws(Failure) -> [Value] {
    let queue = Queue(elements.count)
    let threads = (1..<max(1, min(jobs, elements.count))).map { _ in
      WorkerThread { work(on: queue) { _ in } }
    }
    work(on: queue, progress: progress)
    for thread in threads { thread.join() }
    var values: [Value] = []
    for case let result? in queue.results() { values.append(try result.get()) }
    return values
  }

  private func work(on queue: Queue, progress: (Int) -> Void) {
    while let place = queue.next() {
      let result = Result { () throws(Failure) in try body(elements[place]) }
      progress(queue.put(result, at: place))
    }
  }

  private final class Queue: Sendable {
    private typealias State = (next: Int, done: Int, results: [Result<Value, Failure>?])
    private let state: Mutex<State>

    init(_ count: Int) {
      state = Mutex((next: 0, done: 0, results: Array(repeating: nil, count: count)))
    }

    /// Returns the index of the next element; nil if all have been taken.
    func next() -> Int? {
      state.withLock { state in
        guard state.next < state.results.count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    /// Stores a result; returns the number of results.
    func put(_ result: Result<Value, Failure>, at place: Int) -> Int {
      state.withLock { state in
        state.results[place] = result
        state.done += 1
        return state.done
      }
    }

    func results() -> [Result<Value, Failure>?] { state.withLock { $0.results } }
  }
}
