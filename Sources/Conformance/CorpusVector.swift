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
    guard !missing.isEmpty || !offersProfile else { return nil }
    return Skip(capabilities: missing, profile: offersProfile ? nil : vector.profile)
  }
}

/// Why a vector was not asked of an implementation: what it does not offer.
public struct Skip: Hashable, Sendable, CustomStringConvertible {
  public let capabilities: [Capability]
  public let profile: Profile?

  public init(capabilities: [Capability], profile: Profile? = nil) {
    self.capabilities = capabilities
    self.profile = profile
  }

  public var description: String {
    let parts =
      capabilities.map { "capability \($0.rawValue)" }
      + (profile.map { ["profile \($0.rawValue)"] } ?? [])
    return parts.joined(separator: ", ") + " not offered"
  }
}
