/// The leaves of a document, the winner first.
///
/// Most documents have one leaf, and a page of the feed has thousands of documents: a single leaf
/// needs no array.
public struct Leaves: Sendable {
  @usableFromInline
  enum Storage: Sendable {
    case one(Leaf)
    /// No leaf, or several.
    case list([Leaf])
  }

  @usableFromInline
  var storage: Storage

  /// The single leaf of a document.
  @inlinable
  public init(_ leaf: Leaf) { storage = .one(leaf) }

  /// The leaves in the given order.
  @inlinable
  public init(_ leaves: [Leaf]) {
    storage = leaves.count == 1 ? .one(leaves[0]) : .list(leaves)
  }

  /// The same leaves as an array.
  public var array: [Leaf] {
    get {
      switch storage {
      case .one(let leaf): [leaf]
      case .list(let leaves): leaves
      }
    }
    set { self = Leaves(newValue) }
  }
}

extension Leaves: RandomAccessCollection {
  @inlinable
  public var startIndex: Int { 0 }

  @inlinable
  public var endIndex: Int {
    switch storage {
    case .one: 1
    case .list(let leaves): leaves.count
    }
  }

  @inlinable
  public subscript(position: Int) -> Leaf {
    switch storage {
    case .one(let leaf):
      precondition(position == 0, "the position is out of range")
      return leaf
    case .list(let leaves): return leaves[position]
    }
  }
}

extension Leaves: Hashable {
  public static func == (left: Leaves, right: Leaves) -> Bool { left.elementsEqual(right) }

  public func hash(into hasher: inout Hasher) { hasher.combine(array) }
}

extension Leaves: ExpressibleByArrayLiteral {
  public init(arrayLiteral leaves: Leaf...) { self.init(leaves) }
}
