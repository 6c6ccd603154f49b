public import Datastore

/// The reason why a vector was skipped.
public struct Skip: Hashable, Sendable, CustomStringConvertible {
  /// The capabilities of the vector that the implementation does not declare.
  public let capabilities: [Capability]
  /// The profile of the vector that the implementation does not declare; nil if it declares the profile.
  public let profile: Profile?
  /// The declared defaults of `open` to which the vector does not apply.
  public let defaults: [String]
  /// Limits that are too low or not declared for the vector, or too large for any vector.
  public let limits: [LimitName]
  /// The declared restrictions because of which the vector cannot be tested.
  public let restrictions: [Restriction]

  /// Creates a reason; at least one part is not empty.
  public init(
    capabilities: [Capability], profile: Profile? = nil, defaults: [String] = [],
    limits: [LimitName] = [], restrictions: [Restriction] = []
  ) {
    self.capabilities = capabilities
    self.profile = profile
    self.defaults = defaults
    self.limits = limits
    self.restrictions = restrictions
  }

  /// True if the vector is skipped only because of the defaults of `open`.
  ///
  /// Such a vector tests stores of another kind, so all offers are still covered.
  public var isOfAnotherKind: Bool {
    capabilities.isEmpty && profile == nil && limits.isEmpty && restrictions.isEmpty
  }

  /// Whether the vector tests sizes that the implementation need not support.
  ///
  /// Such a vector has no effect on a grade: a store may declare the minimum, or no limit.
  public var isOutOfReach: Bool { !limits.isEmpty }

  /// Whether the vector is not tested because of a declared restriction.
  public var isRestricted: Bool { !restrictions.isEmpty }

  public var description: String {
    var offers = capabilities.map { "capability \($0.rawValue)" }
    if let profile { offers.append("profile \(profile.rawValue)") }
    var parts: [String] = []
    if !offers.isEmpty { parts.append("\(offers.joined(separator: ", ")) not offered") }
    if !defaults.isEmpty { parts.append("does not apply to \(defaults.joined(separator: ", "))") }
    if !limits.isEmpty {
      let names = limits.map(\.rawValue).joined(separator: ", ")
      parts.append("outside of the declared limits: \(names)")
    }
    if !restrictions.isEmpty {
      parts.append("not testable: \(restrictions.map(\.rawValue).joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }
}
