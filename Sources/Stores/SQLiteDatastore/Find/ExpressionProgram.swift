internal import Datastore
internal import JSON

/// A regular expression as a program whose threads process a text in parallel.
///
/// Each thread is a position in the program, with at most one thread per position.
///
/// - Complexity: O(*n* × *m*) for a text of length *n* and a program of length *m*.
struct ExpressionProgram {
  private enum Instruction {
    case scalar(RegularExpression.ScalarSet)
    case start
    case end
    case jump(Int)
    case split(Int, Int)
    case match
  }

  private var instructions: [Instruction] = []
  /// The number of parts of the expression.
  let parts: Int

  init(_ expression: RegularExpression) {
    parts = expression.parts
    emit(expression.root)
    instructions.append(.match)
  }

  private mutating func emit(_ node: RegularExpression.Node) {
    switch node {
    case .scalar(let set): instructions.append(.scalar(set))
    case .start: instructions.append(.start)
    case .end: instructions.append(.end)
    case .sequence(let nodes): for node in nodes { emit(node) }
    case .choice(let nodes): emitChoice(nodes[...])
    case .repeated(let node, let least, let most):
      for _ in 0..<least { emit(node) }
      guard let most else { return emitLoop(node) }
      // Each further repetition may be omitted, together with all that follow it.
      var exits: [Int] = []
      for _ in least..<most {
        exits.append(instructions.count)
        instructions.append(.match)
        emit(node)
      }
      for exit in exits { instructions[exit] = .split(exit + 1, instructions.count) }
    }
  }

  private mutating func emitChoice(_ nodes: ArraySlice<RegularExpression.Node>) {
    guard let first = nodes.first else { return }
    guard nodes.count > 1 else { return emit(first) }
    let split = instructions.count
    instructions.append(.match)
    emit(first)
    let jump = instructions.count
    instructions.append(.match)
    instructions[split] = .split(split + 1, instructions.count)
    emitChoice(nodes.dropFirst())
    instructions[jump] = .jump(instructions.count)
  }

  private mutating func emitLoop(_ node: RegularExpression.Node) {
    let split = instructions.count
    instructions.append(.match)
    emit(node)
    instructions.append(.jump(split))
    instructions[split] = .split(split + 1, instructions.count)
  }

  /// Whether some part of the text matches.
  func occurs(in text: JSONString) -> Bool {
    var threads = Threads(count: instructions.count)
    var next = Threads(count: instructions.count)
    let scalars = text.string.unicodeScalars
    var place = scalars.startIndex
    while true {
      let (isStart, isEnd) = (place == scalars.startIndex, place == scalars.endIndex)
      // A match may begin anywhere.
      if add(0, to: &threads, isStart: isStart, isEnd: isEnd) { return true }
      if isEnd { return false }
      let scalar = scalars[place]
      place = scalars.index(after: place)
      next.removeAll()
      for thread in threads.places {
        guard case .scalar(let set) = instructions[thread], set.holds(scalar) else { continue }
        if add(thread + 1, to: &next, isStart: false, isEnd: place == scalars.endIndex) {
          return true
        }
      }
      swap(&threads, &next)
    }
  }

  /// Adds a thread and its splits; returns true if one of them has reached the end.
  private func add(
    _ place: Int, to threads: inout Threads, isStart: Bool, isEnd: Bool
  ) -> Bool {
    var waiting = [place]
    while let place = waiting.popLast() {
      guard threads.mark(place) else { continue }
      switch instructions[place] {
      case .match: return true
      case .scalar: threads.places.append(place)
      case .start: if isStart { waiting.append(place + 1) }
      case .end: if isEnd { waiting.append(place + 1) }
      case .jump(let target): waiting.append(target)
      case .split(let one, let other):
        waiting.append(other)
        waiting.append(one)
      }
    }
    return false
  }

  /// The threads before one character.
  private struct Threads {
    var places: [Int] = []
    private var marks: [Int]
    private var round = 1

    init(count: Int) { marks = Array(repeating: 0, count: count) }

    /// Marks a position; returns true if it was not visited before.
    mutating func mark(_ place: Int) -> Bool {
      guard marks[place] != round else { return false }
      marks[place] = round
      return true
    }

    mutating func removeAll() {
      places.removeAll(keepingCapacity: true)
      round += 1
    }
  }
}

extension RegularExpression.ScalarSet {
  fileprivate func holds(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return !isNegated }
    return isNegated
  }
}
