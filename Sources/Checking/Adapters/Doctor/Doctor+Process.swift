internal import Datastore
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the doctor asks of the process.
extension Doctor {
  /// A history that leaves a store no choice, and questions about it.
  private func recite(_ adapter: AdapterImplementation) throws -> [String] {
    let advice = "insertRevisions takes any history, whatever its order."
    try demand(adapter, "a", action: .open(), advice: advice)
    for number in 0..<30 {
      let id = DocumentID(JSONString("d\(number * 7 % 30)"))
      let branches: [[RevisionID]] = [["2-b", "1-a"], ["2-c", "1-a"], ["3-d", "2-c", "1-a"]]
      let records = branches.map { RevisionRecord(id: id, path: $0, body: ["z": 1, "a": 2]) }
      try demand(adapter, "a", action: .insertRevisions(records), advice: advice)
    }
    var answers: [String] = []
    for number in 0..<30 {
      let id = DocumentID(JSONString("d\(number)"))
      for action in [
        StoreAction.leaves(id: id), .read(id: id),
        .getRevisions([RevisionQuery(id: id, revs: ["2-b"])]),
      ] {
        answers.append("\(id) \(try ask(adapter, "a", action: action))")
      }
    }
    answers.append("\(try ask(adapter, "a", action: .list()))")
    if case .changes(let page) = try demand(adapter, "a", action: .changes(), advice: advice) {
      answers += page.rows.map { row in "\(row.id) \(row.leaves.map { $0.rev.description })" }
    }
    return answers
  }

  func repeatItself(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard case .command(let command) = place else {
      return .notAsked("somebody else starts it")
    }
    let first = try recite(adapter)
    // The hash tables of some languages have another order in each process, or with these.
    let seeds = "PYTHONHASHSEED=4711 PERL_HASH_SEED=1 SWIFT_DETERMINISTIC_HASHING=1"
    let other = try AdapterImplementation(
      .command("export \(seeds); \(command)"), runner: runner, limits: limits)
    try other.begin(.run("doctor, another process"))
    let second = try recite(other)
    try other.shutdown()
    if let place = first.indices.first(where: { first[$0] != second[$0] }) {
      throw Complaint(
        "one process says \(first[place]), another says \(second[place])",
        "Something depends on the order of a hash table, on an address or on the clock. Sort it.")
    }
    return .well("\(first.count) answers, word for word")
  }

  func survive(_ adapter: AdapterImplementation) throws -> Check.Finding {
    func live(_ count: Int) throws {
      for _ in 0..<count {
        try demand(adapter, "a", action: .open(), advice: "")
        try demand(adapter, "a", action: .create(id: "d", body: ["n": 1]), advice: "")
        try adapter.reset()
      }
    }
    let start = Deadline.now
    try live(200)
    let before = adapter.process.flatMap { Usage(of: $0) }
    try live(800)
    let after = adapter.process.flatMap { Usage(of: $0) }
    guard let before, let after else { return .well("in \(start.age); nobody can see its memory") }
    if after.descriptors > before.descriptors + 20 {
      throw Complaint(
        "after 800 resets it has \(after.descriptors) files open, before them \(before.descriptors)",
        "Close at reset what open opens.")
    }
    let growth = (after.memoryBytes - before.memoryBytes) >> 20
    if growth > 100 {
      throw Complaint(
        "800 resets cost \(growth) MiB of memory",
        "Let go of everything at reset; a run makes some 3,400 of them.")
    }
    return .well("in \(start.age); \(after.memoryBytes >> 20) MiB, \(after.descriptors) files open")
  }

  func outlive(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard adapter.description.crashes.contains(.kill) else {
      return .notAsked("it does not declare the crash kill, so the simulation never kills it")
    }
    let advice =
      "What was acknowledged has to be in the folder that hello names, out of the process's "
      + "own buffers. A store that keeps nothing declares no crashes."
    try demand(adapter, "a", action: .open(), advice: advice)
    let created = try demand(adapter, "a", action: .create(id: "d", body: ["n": 1]), advice: advice)
    try adapter.crash(.kill)
    let closed = try ask(adapter, "a", action: .read(id: "d"))
    guard case .error(let error) = closed, error.kind == .noSuchStore else {
      throw Complaint(
        "after a kill all stores are closed, and read was answered with \(closed)", advice)
    }
    try demand(adapter, "a", action: .open(), advice: advice)
    guard case .written(_, let rev) = created,
      case .document(let document) = try demand(
        adapter, "a", action: .read(id: "d"), advice: advice),
      document.rev == rev
    else { throw Complaint("after a kill the document is another", advice) }
    try adapter.reset()
    try demand(adapter, "a", action: .open(), advice: advice)
    guard case .error = try ask(adapter, "a", action: .read(id: "d")) else {
      throw Complaint("after a kill and a reset the document is there again", advice)
    }
    return .well("what was acknowledged was there in the next process")
  }

  func pipeline(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard adapter.canPipeline else { return .notAsked("it does not declare pipelining") }
    let store = JSONValue.object(["op": "info", "store": "nobody"])
    let count = 100
    let answered = try adapter.raw(inARow: Array(repeating: store, count: count))
    return .well("\(answered) requests in one write, each answered in its turn")
  }

  func hurry(_ adapter: AdapterImplementation) throws -> Check.Finding {
    try demand(adapter, "a", action: .open(), advice: "")
    var spans: [UInt64] = []
    for _ in 0..<1001 {
      let start = Deadline.now
      _ = try ask(adapter, "a", action: .read(id: "d"))
      spans.append(Deadline.now.nanoseconds - start.nanoseconds)
    }
    spans.sort()
    let median = spans[500] / 1000
    guard median < 20_000 else {
      throw Complaint(
        "a read of nothing takes \(median / 1000) ms",
        "A run asks some 30,000 times. Look for a sleep, for a missing flush, or, over TCP, for Nagle's "
          + "algorithm.")
    }
    return .well(
      "\(median) µs for a read, in the middle of 1,001; the slowest \(spans[1000] / 1000) µs")
  }

  func sayGoodbye(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard let process = adapter.process else { return .notAsked("somebody else starts it") }
    try adapter.shutdown()
    guard process.end == .exited(0) else {
      throw Complaint(
        "after bye \(process.end.map(\.description) ?? "it went on for more than two seconds")",
        "Answer bye, then end with exit code 0.")
    }
    let other = try AdapterImplementation(place, runner: runner, limits: limits)
    let start = Deadline.now
    guard let process = other.hangUp(within: .seconds(2)) else {
      return .well("ended with exit code 0")
    }
    guard process.end == .exited(0) else {
      throw Complaint(
        "at the end of its standard input \(process.end.map(\.description) ?? "it went on")",
        "The end of the input means that the runner has gone: end, with exit code 0.")
    }
    return .well("ended at bye, and at the end of its input after \(start.age)")
  }
}

/// What a process holds; known on systems with `/proc`.
private struct Usage {
  let memoryBytes: Int
  let descriptors: Int

  init?(of process: ChildProcess) {
    let folder = "/proc/\(process.identifier)"
    guard let file = fopen("\(folder)/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return nil }
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let numbers = String(decoding: text, as: UTF8.self).split(separator: " ").map { Int($0) }
    guard numbers.count > 1, let pages = numbers[1], let entries = opendir("\(folder)/fd") else {
      return nil
    }
    defer { _ = closedir(entries) }
    var count = -2
    while readdir(entries) != nil { count += 1 }
    memoryBytes = pages * Int(getpagesize())
    descriptors = count
  }
}
