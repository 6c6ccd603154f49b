public import Datastore
public import JSON
public import Scenarios

/// A vector of a corpus with its clauses and its file.
public struct CorpusVector: Hashable, Sendable, Identifiable {
  /// The vector itself.
  public let vector: Vector
  /// The rules that it shows, the most important one first.
  public let clauses: [Clause]
  /// Its file, relative to the folder of the corpus.
  public let file: String
  /// The rules that decide the verdict of a run.
  public let grade: ConformanceGrade

  /// Creates a vector of a corpus.
  public init(
    _ vector: Vector, clauses: [Clause], file: String, grade: ConformanceGrade = .contract
  ) {
    self.vector = vector
    self.clauses = clauses
    self.file = file
    self.grade = grade
  }

  func graded(_ grade: ConformanceGrade) -> CorpusVector {
    CorpusVector(vector, clauses: clauses, file: file, grade: grade)
  }

  public var id: VectorID { vector.id }

  /// The family of its first clause, such as `TREE`.
  public var family: JSONString { clauses.first?.family ?? "" }

  /// True if a failure breaks a rule of the grade: see `weight`.
  public var isRequired: Bool { weight == .required }

  /// The weight of a failure.
  ///
  /// A failing step cannot be attributed to one of several clauses. So a vector with a SHOULD clause
  /// is required only if the clause is ambiguous: then the vector accepts every outcome of it. And a
  /// vector is required at the grade `family` only if none of its MUST clauses binds the contract
  /// alone, or if one binds a layer.
  public var weight: Weight {
    let rules = clauses.filter { $0.level == .must }
    if rules.isEmpty || clauses.contains(where: { $0.level == .should && $0.status == .agreed }) {
      return .recommended
    }
    let isOfLayer = rules.contains { $0.binds == .layer }
    if grade == .contract || isOfLayer { return .required }
    return rules.contains { $0.binds == .contract } ? .contractOnly : .required
  }

  /// The weight of a failure of a vector for the verdict.
  public enum Weight: String, Sendable {
    /// It breaks a rule of the grade.
    case required
    /// It breaks a rule of the contract, which the grade `family` does not require.
    case contractOnly
    /// It deviates from a recommendation.
    case recommended
  }
}

extension CorpusVector: CustomStringConvertible {
  public var description: String { id.description }
}

extension CorpusVector {
  /// Returns why an implementation with this description does not run the vector; nil if it does.
  public func skip(for description: ImplementationDescription) -> Skip? {
    let isOffered = description.capabilities.isSuperset(of: vector.capabilities)
    let missing =
      isOffered
      ? []
      : Capability.allCases.filter {
        vector.capabilities.contains($0) && !description.capabilities.contains($0)
      }
    let offersProfile = vector.profile == .core || description.profiles.contains(vector.profile)
    let defaults = description.defaults
    var unsuited: [String] = []
    if let needed = vector.needs.revisionIDs, !needed.contains(defaults.revisionIDs) {
      unsuited.append("default revision ids \(defaults.revisionIDs.rawValue)")
    }
    if let needed = vector.needs.collation, !needed.contains(defaults.collation) {
      unsuited.append("default collation \(defaults.collation.rawValue)")
    }
    // Restrictions and limits matter only for vectors that are offered and apply.
    let applies = missing.isEmpty && offersProfile && unsuited.isEmpty
    let restrictions = applies ? description.restrictions(preventing: vector) : []
    let limits =
      applies && restrictions.isEmpty ? vector.limits(beyond: description.limits) : []
    guard !applies || !restrictions.isEmpty || !limits.isEmpty else { return nil }
    return Skip(
      capabilities: missing, profile: offersProfile ? nil : vector.profile, defaults: unsuited,
      limits: limits, restrictions: restrictions)
  }
}

extension Vector {
  /// The limits because of which the vector is skipped: too low, not declared, or too large to
  /// test.
  fileprivate func limits(
    beyond limits: ImplementationDescription.Limits
  ) -> [LimitName] {
    LimitName.allCases.filter { name in
      if let needed = needs.limits[name], Int64(limits[name]) < needed { return true }
      guard testedLimits.contains(name) else { return false }
      return !limits.declared.contains(name) || Int64(limits[name]) > name.testedMax
    }
  }
}

extension LimitName {
  /// The largest declared limit that vectors reach and exceed.
  var testedMax: Int64 { self == .depth ? Fill.depthMax - 1 : Fill.sizeMax - 1 }
}
