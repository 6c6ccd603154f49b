public import Datastore
public import JSON
public import Scenarios

/// A vector of a corpus: what it asks, which rules it shows, and where it stands.
public struct CorpusVector: Hashable, Sendable, Identifiable {
  public let vector: Vector
  /// The rules that it shows, the most important one first.
  public let clauses: [Clause]
  /// Its file, relative to the folder of the corpus.
  public let file: String

  public init(_ vector: Vector, clauses: [Clause], file: String) {
    self.vector = vector
    self.clauses = clauses
    self.file = file
  }

  public var id: VectorID { vector.id }

  /// What its first clause is about, such as `TREE`.
  public var family: Text { clauses.first?.family ?? "" }

  /// Whether failing it breaks a rule; otherwise it deviates from a recommendation.
  public var isRequired: Bool { clauses.contains { $0.level == .must } }
}

extension CorpusVector: CustomStringConvertible {
  public var description: String { id.description }
}

extension CorpusVector {
  /// Why an implementation that describes itself so is not asked, or nil when it is.
  public func skip(for description: ImplementationDescription) -> Skip? {
    let missing = Capability.allCases.filter {
      vector.capabilities.contains($0) && !description.capabilities.contains($0)
    }
    let offersProfile = vector.profile == .core || description.profiles.contains(vector.profile)
    if !missing.isEmpty || !offersProfile {
      return Skip(capabilities: missing, profile: offersProfile ? nil : vector.profile)
    }
    let limits = vector.limits(beyond: description.limits)
    return limits.isEmpty ? nil : Skip(capabilities: [], limits: limits)
  }
}

extension Vector {
  /// The limits for which an implementation is not asked: too low, not declared, or too large to test.
  fileprivate func limits(
    beyond limits: ImplementationDescription.Limits
  ) -> [LimitName] {
    LimitName.allCases.filter { name in
      if let needed = needs[name], Int64(limits[name]) < needed { return true }
      guard testedLimits.contains(name) else { return false }
      let bound = name == .depth ? Fill.depthMax - 1 : Fill.sizeMax - 1
      return !limits.declared.contains(name) || Int64(limits[name]) > bound
    }
  }
}

/// Why a vector was not asked of an implementation: what it does not offer.
public struct Skip: Hashable, Sendable, CustomStringConvertible {
  public let capabilities: [Capability]
  public let profile: Profile?
  /// Limits that are too low or not declared for the vector, or too large for any vector.
  public let limits: [LimitName]

  public init(
    capabilities: [Capability], profile: Profile? = nil, limits: [LimitName] = []
  ) {
    self.capabilities = capabilities
    self.profile = profile
    self.limits = limits
  }

  /// Whether the vector is about sizes that the implementation need not have.
  ///
  /// Such a vector has no effect on a grade: a store may declare the minimum, or no limit at all.
  public var isOutOfReach: Bool { !limits.isEmpty }

  public var description: String {
    let parts =
      capabilities.map { "capability \($0.rawValue)" }
      + (profile.map { ["profile \($0.rawValue)"] } ?? [])
    guard !isOutOfReach else {
      let names = limits.map(\.rawValue).joined(separator: ", ")
      return "outside of the declared limits: \(names)"
    }
    return parts.joined(separator: ", ") + " not offered"
  }
}
