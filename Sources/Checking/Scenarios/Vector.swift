public import Datastore
public import JSON

/// One question to a store: operations in order, and what each of them must answer.
///
/// A vector stands for itself. Before its first step the store knows nothing, and every store that
/// a step names is open with default settings, unless a step opens it or `isOpened` is false.
public struct Vector: Hashable, Sendable, Identifiable {
  public var id: VectorID
  /// The rules that it shows, the most important one first.
  public var clauses: [ClauseID]
  /// The promise beyond the core that it is about.
  public var profile: Profile
  /// What the store has to offer for the vector to mean anything.
  public var capabilities: [Capability]
  /// What an implementation has to declare to be asked.
  public var needs: Needs
  /// Why the vector exists.
  public var note: JSONString
  /// Whether the runner opens the stores first.
  public var isOpened: Bool
  /// Which product was seen to behave like this.
  public var provenance: Provenance?
  /// Which generator wrote it; nil when people did.
  public var generated: Generated?
  /// The steps in order.
  public var steps: [Step] {
    didSet { testedLimits = Self.testedLimits(steps) }
  }
  /// The limits that it tests or goes beyond, so that only declared ones of a testable size count.
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

  /// The defaults of `open` under which the expectations of a vector hold, and the sizes in it.
  public struct Needs: Hashable, Sendable {
    /// Never empty; nil where any will do.
    public var revisionIDs: [RevisionIDProfile]?
    /// Never empty; nil where any will do.
    public var collation: [CollationName]?
    /// Sizes above the minimum that an implementation has to declare.
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

  /// Where an observed vector comes from.
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

  /// What a generator needs to write the vector again, to the byte.
  public struct Generated: Hashable, Sendable {
    /// The name of the generator, such as `forests`.
    public var generator: JSONString
    /// How large the things are of which it takes all.
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

  /// The stores to open before the first step, in the order in which the steps name them.
  public var storesToOpen: [StoreName] {
    guard isOpened else { return [] }
    var opened: Set<StoreName> = []
    for step in steps {
      if let sample = step.template?.sample, case .open = sample.action {
        opened.insert(sample.store)
      }
    }
    // What a step opens itself and what was listed before are the same to the rest of the list.
    return steps.flatMap { $0.stores }.filter { opened.insert($0).inserted }
  }
}
