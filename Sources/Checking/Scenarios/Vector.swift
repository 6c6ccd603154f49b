public import Datastore
public import JSON

/// One test of a store: operations in order, each with its expected outcome.
///
/// A vector is independent of others. Before its first step the implementation is empty, and every
/// store that a step names is open with default settings, unless a step opens it or `isOpened` is
/// false.
public struct Vector: Hashable, Sendable, Identifiable {
  public var id: VectorID
  /// The clauses that it tests, the most important one first.
  public var clauses: [ClauseID]
  /// The profile that it requires.
  public var profile: Profile
  /// The capabilities that the vector needs.
  public var capabilities: [Capability]
  /// The declarations of an implementation that the vector needs.
  public var needs: Needs
  /// The purpose of the vector.
  public var note: JSONString
  /// Whether the runner opens the stores first.
  public var isOpened: Bool
  /// The product with this observed behavior.
  public var provenance: Provenance?
  /// The generator that wrote it; nil for a hand-written vector.
  public var generated: Generated?
  /// The steps in order.
  public var steps: [Step] {
    didSet { testedLimits = Self.testedLimits(steps) }
  }
  /// The limits that it tests or exceeds; it applies only if they are declared and have a testable
  /// size.
  public internal(set) var testedLimits: [LimitName]

  /// Creates a vector.
  public init(
    id: VectorID, clauses: [ClauseID], profile: Profile = .core, capabilities: [Capability] = [],
    needs: Needs = Needs(), note: JSONString, isOpened: Bool = true, provenance: Provenance? = nil,
    generated: Generated? = nil, steps: [Step]
  ) {
    self.id = id
    self.clauses = clauses
    self.profile = profile
    self.capabilities = capabilities
    self.needs = needs
    self.note = note
    self.isOpened = isOpened
    self.provenance = provenance
    self.generated = generated
    self.steps = steps
    testedLimits = Self.testedLimits(steps)
  }

  /// The defaults of `open` for which the expectations of a vector are valid, and its sizes.
  public struct Needs: Hashable, Sendable {
    /// Never empty; nil where any will do.
    public var revisionIDs: [RevisionIDProfile]?
    /// Never empty; nil where any will do.
    public var collation: [CollationName]?
    /// The sizes above the minimum that an implementation has to declare.
    public var limits: [LimitName: Int64]

    /// Creates needs; by default none.
    public init(
      revisionIDs: [RevisionIDProfile]? = nil, collation: [CollationName]? = nil,
      limits: [LimitName: Int64] = [:]
    ) {
      self.revisionIDs = revisionIDs
      self.collation = collation
      self.limits = limits
    }
  }

  /// The source of an observed vector.
  public struct Provenance: Hashable, Sendable {
    /// The product.
    public var product: JSONString
    /// The version of the product.
    public var version: JSONString
    /// The recording, the page or the test that shows it.
    public var source: JSONString

    /// Creates a provenance.
    public init(product: JSONString, version: JSONString, source: JSONString) {
      self.product = product
      self.version = version
      self.source = source
    }
  }

  /// The arguments of a generator that reproduce the vector byte by byte.
  public struct Generated: Hashable, Sendable {
    /// The name of the generator, such as `forests`.
    public var generator: JSONString
    /// The size up to which the generator enumerates all cases.
    public var scope: Int64

    /// Creates the description of a generated vector.
    public init(generator: JSONString, scope: Int64) {
      self.generator = generator
      self.scope = scope
    }
  }
}

extension Vector: CustomStringConvertible {
  public var description: String { id.description }
}

extension Vector {
  /// Whether every implementation of the contract has to pass it.
  public var isCore: Bool { profile == .core && capabilities.isEmpty }

  static func testedLimits(_ steps: [Step]) -> [LimitName] {
    let tested = Set(steps.flatMap(\.limits))
    return LimitName.allCases.filter { tested.contains($0) }
  }

  /// All stores that steps name, in their order.
  public var stores: [StoreName] {
    var seen: Set<StoreName> = []
    return steps.flatMap { $0.stores }.filter { seen.insert($0).inserted }
  }

  /// The stores to open before the first step, in the order in which the steps name them.
  public var storesToOpen: [StoreName] {
    guard isOpened else { return [] }
    var opened: Set<StoreName> = []
    for step in steps {
      if let sample = step.template?.sample, case .open = sample.action {
        opened.insert(sample.store)
      }
    }
    // Stores that a step opens itself, or that are already listed, are skipped.
    return steps.flatMap { $0.stores }.filter { opened.insert($0).inserted }
  }
}
