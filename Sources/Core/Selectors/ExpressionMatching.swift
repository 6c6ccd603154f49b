public import Datastore
public import JSON

/// Matches a regular expression by moving marks through its syntax tree, one scalar of the text
/// after the other.
///
/// A mark on a part means that some match of the expression has just consumed a scalar there. Each
/// scalar visits each part at most once, and only parts that a mark can reach. Source: Fischer,
/// Huch and Wilke, "A Play on Regular Expressions" (2010).
///
/// - Complexity: O(*n* × *m*) for *n* scalars of the text and *m* parts of the expression, however
///   repetitions are nested.
public struct ExpressionMatching {
  private let root: Part

  public init(_ expression: RegularExpression) { root = Part(expression.root) }

  /// Whether the expression matches some part of the text.
  public func occurs(in text: JSONString) -> Bool { matches(text, isWhole: false) }

  /// Whether the expression matches the text from its beginning to its end.
  public func matchesWhole(_ text: JSONString) -> Bool { matches(text, isWhole: true) }

  private func matches(_ text: JSONString, isWhole: Bool) -> Bool {
    root.forget()
    let scalars = text.string.unicodeScalars
    var edge = Edge(isStart: true, isEnd: scalars.isEmpty)
    if root.isEmpty(at: edge), edge.isEnd || !isWhole { return true }
    var place = scalars.startIndex
    while !edge.isEnd {
      let scalar = scalars[place]
      // A match may begin anywhere, unless it must cover the whole text.
      root.move(scalar, begins: edge.isStart || !isWhole, edge)
      place = scalars.index(after: place)
      edge = Edge(isStart: false, isEnd: place == scalars.endIndex)
      let isFinal = root.settle(at: edge)
      if isFinal || !isWhole && root.isEmpty(at: edge), edge.isEnd || !isWhole { return true }
    }
    return false
  }
}

/// A position between two scalars, and whether it is the start or the end of the text.
private struct Edge {
  var isStart: Bool
  var isEnd: Bool
}

/// A part of an expression with its marks.
private final class Part {
  private enum Kind {
    case scalar(RegularExpression.ScalarSet)
    case anchor
    case sequence([Part])
    case choice([Part])
    /// One or more repetitions.
    case loop(Part)
    /// Zero or one occurrence.
    case option(Part)
  }

  private let kind: Kind
  /// Whether the part matches the empty string, by position: inside the text, at its start, at its
  /// end, at both.
  private let empties: [Bool]
  /// Whether any part of the subtree has a mark.
  private var isMarked = false
  /// Whether the subtree had a mark before the last scalar.
  private var wasMarked = false
  /// Whether a match of the part ends at the current position.
  private var isFinal = false

  private init(_ kind: Kind, _ empties: [Bool]) {
    self.kind = kind
    self.empties = empties
  }

  /// The tree of an expression, with counted repetitions expanded.
  convenience init(_ node: RegularExpression.Node) {
    switch node {
    case .scalar(let set): self.init(.scalar(set), [false, false, false, false])
    case .start: self.init(.anchor, [false, true, false, true])
    case .end: self.init(.anchor, [false, false, true, true])
    case .sequence(let nodes): self.init(sequence: nodes.map { Part($0) })
    case .choice(let nodes):
      let parts = nodes.map { Part($0) }
      self.init(.choice(parts), (0..<4).map { place in parts.contains { $0.empties[place] } })
    case .repeated(let node, let least, let most):
      var parts = (0..<least).map { _ in Part(node) }
      if let most {
        parts += (least..<most).map { _ in Part(option: Part(node)) }
      } else {
        let part = Part(node)
        parts.append(Part(option: Part(.loop(part), part.empties)))
      }
      self.init(sequence: parts)
    }
  }

  private convenience init(sequence parts: [Part]) {
    self.init(.sequence(parts), (0..<4).map { place in parts.allSatisfy { $0.empties[place] } })
  }

  private convenience init(option part: Part) {
    self.init(.option(part), [true, true, true, true])
  }

  private var parts: [Part] {
    switch kind {
    case .scalar, .anchor: []
    case .sequence(let parts), .choice(let parts): parts
    case .loop(let part), .option(let part): [part]
    }
  }

  /// Removes all marks.
  func forget() {
    (isMarked, wasMarked, isFinal) = (false, false, false)
    for part in parts { part.forget() }
  }

  /// Whether the part matches the empty string at a position.
  func isEmpty(at edge: Edge) -> Bool {
    empties[(edge.isStart ? 1 : 0) + (edge.isEnd ? 2 : 0)]
  }

  /// Moves the marks over a scalar; `begins` is true if a match of the part may start before it.
  ///
  /// `edge` is the position before the scalar.
  func move(_ scalar: Unicode.Scalar, begins: Bool, _ edge: Edge) {
    wasMarked = isMarked
    guard begins || isMarked else { return }
    switch kind {
    case .scalar(let set): isMarked = begins && set.holds(scalar)
    case .anchor: break
    case .sequence(let parts):
      var begins = begins
      isMarked = false
      for part in parts {
        let goesOn = part.isFinal || begins && part.isEmpty(at: edge)
        part.move(scalar, begins: begins, edge)
        isMarked = isMarked || part.isMarked
        begins = goesOn
      }
    case .choice(let parts):
      isMarked = false
      for part in parts {
        part.move(scalar, begins: begins, edge)
        isMarked = isMarked || part.isMarked
      }
    case .loop(let part):
      part.move(scalar, begins: begins || part.isFinal, edge)
      isMarked = part.isMarked
    case .option(let part):
      part.move(scalar, begins: begins, edge)
      isMarked = part.isMarked
    }
  }

  /// Updates which matches end at a position, after the marks have moved there; returns true if a
  /// match of the part ends there.
  @discardableResult
  func settle(at edge: Edge) -> Bool {
    guard isMarked || wasMarked else { return false }
    wasMarked = false
    switch kind {
    case .scalar: isFinal = isMarked
    case .anchor: isFinal = false
    case .sequence(let parts):
      isFinal = false
      for part in parts {
        let ends = part.settle(at: edge)
        isFinal = ends || isFinal && part.isEmpty(at: edge)
      }
    case .choice(let parts):
      isFinal = false
      for part in parts where part.settle(at: edge) { isFinal = true }
    case .loop(let part), .option(let part): isFinal = part.settle(at: edge)
    }
    return isFinal
  }
}

extension RegularExpression.ScalarSet {
  fileprivate func holds(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) } != isNegated
  }
}
