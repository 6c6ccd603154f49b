/// What an implementation says about itself before anything is asked of it.
public struct ImplementationDescription: Hashable, Sendable {
  public var name: String
  public var version: String
  /// The programming language, for reports; nil when nothing is said.
  public var language: String?
  /// Where people read about the store, for reports; nil when nothing is said.
  public var homepage: String?
  public var capabilities: Set<Capability>
  public var profiles: Set<Profile>
  public var limits: Limits
  /// Whether time and randomness come from the `Environment` alone, so that reruns are byte-equal.
  public var isDeterministic: Bool
  /// The crashes that `crash` can carry out.
  public var crashes: Set<CrashKind>

  public init(
    name: String, version: String, language: String? = nil, homepage: String? = nil,
    capabilities: Set<Capability> = [],
    profiles: Set<Profile> = [], limits: Limits = .minimum, isDeterministic: Bool = false,
    crashes: Set<CrashKind> = []
  ) {
    self.name = name
    self.version = version
    self.language = language
    self.homepage = homepage
    self.capabilities = capabilities
    self.profiles = profiles
    self.limits = limits
    self.isDeterministic = isDeterministic
    self.crashes = crashes
  }
}
