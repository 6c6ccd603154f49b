internal import Datastore
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The checks of the process.
extension Doctor {
  /// Writes a history with a unique result, and returns the responses about it.
  private func recite(_ adapter: AdapterImplementation) throws -> [String] {
    let advice = "insertRevisions must accept any history, in any order."
    transcript.begin()
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
      return .skipped("the runner did not start this adapter")
    }
    let first = try recite(adapter)
    // In some languages the order of hash tables differs between processes, or with these variables.
    let seeds = "PYTHONHASHSEED=4711 PERL_HASH_SEED=1 SWIFT_DETERMINISTIC_HASHING=1"
    let other = try AdapterImplementation(
      .command("export \(seeds); \(command)"), runner: runner, limits: limits)
    try other.begin(.run("doctor, another process"))
    let second = try recite(other)
    try other.shutdown()
    if let place = first.indices.first(where: { first[$0] != second[$0] }) {
      throw Complaint(
        "two processes respond differently: \(first[place]) and \(second[place])",
        advice:
          "A response depends on the order of a hash table, on an address or on the clock. Sort it."
      )
    }
    return .pass("\(first.count) equal responses")
  }

  func survive(_ adapter: AdapterImplementation) throws -> Check.Finding {
    func live(_ count: Int) throws {
      for _ in 0..<count {
        try demand(adapter, "a", action: .open(), advice: "")
        try demand(adapter, "a", action: .create(id: "d", body: ["n": 1]), advice: "")
        try reset(adapter)
      }
    }
    let start = Deadline.now
    try live(200)
    let before = adapter.process.flatMap { Usage(of: $0) }
    try live(800)
    let after = adapter.process.flatMap { Usage(of: $0) }
    guard let before, let after else { return .pass("in \(start.age); its memory use is unknown") }
    if after.descriptors > before.descriptors + 20 {
      throw Complaint(
        "\(after.descriptors) open files after 800 resets, \(before.descriptors) before",
        advice: "Close at reset the files that open opened.")
    }
    let growth = (after.memoryBytes - before.memoryBytes) >> 20
    if growth > 100 {
      throw Complaint(
        "memory grew by \(growth) MiB in 800 resets",
        advice: "Free all memory at reset; a run sends about 4,800 resets.")
    }
    return .pass("in \(start.age); \(after.memoryBytes >> 20) MiB, \(after.descriptors) files open")
  }

  func outlive(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard adapter.description.crashes.contains(.kill) else {
      return .skipped("the crash kill is not declared, so the simulation never kills it")
    }
    let advice =
      "Write acknowledged data to the folder that hello names, and not only to buffers of the "
      + "process. A store without files declares no crashes."
    try demand(adapter, "a", action: .open(), advice: advice)
    let created = try demand(adapter, "a", action: .create(id: "d", body: ["n": 1]), advice: advice)
    try adapter.crash(.kill)
    try requireClosed(adapter, "a", after: "a kill", advice: advice)
    try demand(adapter, "a", action: .open(), advice: advice)
    guard case .written(_, let rev) = created,
      case .document(let document) = try demand(
        adapter, "a", action: .read(id: "d"), advice: advice),
      document.rev == rev
    else {
      throw Complaint(
        "after a kill, read returned another document",
        StoreOperation("a", .read(id: "d")).json, advice: advice)
    }
    try reset(adapter)
    try demand(adapter, "a", action: .open(), advice: advice)
    guard case .error = try ask(adapter, "a", action: .read(id: "d")) else {
      throw Complaint("after a kill and a reset, the document still exists", advice: advice)
    }
    return .pass("acknowledged data survives in the next process")
  }

  func pipeline(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard adapter.canPipeline else { return .skipped("pipelining is not declared") }
    let store = JSONValue.object(["op": "info", "store": "missing"])
    let count = 100
    let answered = try adapter.raw(inARow: Array(repeating: store, count: count))
    return .pass("\(answered) requests in one write, answered in order")
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
        "a read of a missing document takes \(median / 1000) ms",
        advice:
          "A run sends about 30,000 requests. Look for a sleep, a missing flush, or, over TCP, Nagle's "
          + "algorithm.")
    }
    return .pass(
      "median of 1,001 reads \(median) µs; slowest \(spans[1000] / 1000) µs")
  }

  func sayGoodbye(_ adapter: AdapterImplementation) throws -> Check.Finding {
    guard let process = adapter.process else {
      return .skipped("the runner did not start this adapter")
    }
    try adapter.shutdown()
    guard process.end == .exited(0) else {
      throw Complaint(
        process.end == .signalled(SIGKILL)
          ? "still running 2 s after bye, and killed"
          : "after bye: \(process.end.map(\.description) ?? "still running after 2 s")",
        advice: "Answer bye, then exit with code 0.")
    }
    let other = try AdapterImplementation(place, runner: runner, limits: limits)
    let start = Deadline.now
    guard let process = other.hangUp(within: .seconds(2)) else {
      return .pass("exited with code 0")
    }
    guard process.end == .exited(0) else {
      throw Complaint(
        "at the end of standard input: \(process.end.map(\.description) ?? "still running after 2 s")",
        advice: "The end of the input means that the runner exited: exit with code 0.")
    }
    return .pass("exited at bye, and \(start.age) after the end of its input")
  }
}

/// The resources of a process; known on systems with `/proc`.
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
