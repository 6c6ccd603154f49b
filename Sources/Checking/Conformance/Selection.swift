public import Datastore
public import Scenarios

/// The vectors of a corpus that a run selects.
///
/// A vector is selected if it is in one of the offers (any, if none is given) and one of the globs
/// matches its id or a clause of it (any, if none is given).
public struct Selection: Hashable, Sendable {
  /// The offers; empty selects all.
  public var offers: [Offer]
  /// The patterns for ids of vectors and clauses; empty selects all.
  public var globs: [Glob]

  /// All vectors.
  public static let all = Selection()

  /// Creates a selection; by default of all vectors.
  public init(offers: [Offer] = [], globs: [Glob] = []) {
    self.offers = offers
    self.globs = globs
  }

  /// Returns whether a vector is selected.
  public func contains(_ vector: CorpusVector) -> Bool {
    guard offers.isEmpty || offers.contains(where: { $0.includes(vector.vector) }) else {
      return false
    }
    if globs.isEmpty { return true }
    let names = [vector.id.text] + vector.vector.clauses.map(\.text)
    return globs.contains { glob in names.contains { glob.matches($0) } }
  }
}

/// A part that an implementation offers as a whole: the core, a capability or a profile.
public enum Offer: Hashable, Sendable {
  /// The rules without a capability and a profile.
  case core
  /// An optional part of the contract.
  case capability(Capability)
  /// A guarantee beyond the core.
  case profile(Profile)

  /// All offers, in the order of reports.
  public static var all: [Offer] {
    [.core] + Capability.allCases.map { .capability($0) }
      + Profile.allCases.filter { $0 != .core }.map { .profile($0) }
  }

  /// The name of the offer, such as `core` or `atomicBatch`.
  public var name: String {
    switch self {
    case .core: Profile.core.rawValue
    case .capability(let capability): capability.rawValue
    case .profile(let profile): profile.rawValue
    }
  }

  /// Whether a vector belongs to this offer; one that needs two belongs to both.
  public func includes(_ vector: Vector) -> Bool {
    switch self {
    case .core: vector.isCore
    case .capability(let capability): vector.capabilities.contains(capability)
    case .profile(let profile): vector.profile == profile
    }
  }

  /// Whether the implementation declares this offer.
  public func isMade(by description: ImplementationDescription) -> Bool {
    switch self {
    case .core: true
    case .capability(let capability): description.capabilities.contains(capability)
    case .profile(let profile): description.profiles.contains(profile)
    }
  }
}
