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
  /// Whether time and randomness come from the `RunEnvironment` alone, so that reruns are byte-equal.
  public var isDeterministic: Bool
  /// The crashes that `crash` can carry out.
  public var crashes: Set<CrashKind>
  /// What a new store has when `open` names no revision ids and no collation.
  public var defaults: Defaults
  /// Capabilities that Touchstone's own layers add to the store.
  ///
  /// They run the same code over every store, so they say nothing about what stores do differently.
  public var sharedLayers: Set<Capability> = []

  public init(
    name: String, version: String, language: String? = nil, homepage: String? = nil,
    capabilities: Set<Capability> = [],
    profiles: Set<Profile> = [], limits: Limits = .minimum, isDeterministic: Bool = false,
    crashes: Set<CrashKind> = [], defaults: Defaults = Defaults()
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
    self.defaults = defaults
  }

  /// The revision ids and the collation of a store that is opened without arguments.
  ///
  /// A server that knows one kind of ids and one order declares these; vectors that need others are
  /// then skipped. A default other than `own` and `bytes` needs the profile that promises it.
  public struct Defaults: Hashable, Sendable {
    public var revisionIDs: RevisionIDProfile
    public var collation: CollationName

    public init(revisionIDs: RevisionIDProfile = .own, collation: CollationName = .bytes) {
      self.revisionIDs = revisionIDs
      self.collation = collation
    }
  }
}

extension ImplementationDescription {
  /// Declared defaults of `open` without the profile that promises them, each in a sentence.
  public var defaultFaults: [String] {
    let idProfile: Profile? =
      switch defaults.revisionIDs {
      case .own: nil
      case .cdtDigest, .cdtDigest2: .cdtDigest
      case .couchdb: .couchdb
      }
    let orderProfile: Profile? =
      switch defaults.collation {
      case .bytes: nil
      case .cdt: .cdtCollation
      case .couchdb: .couchdb
      }
    let declared = [
      ("default revisionIDs \(defaults.revisionIDs.rawValue)", idProfile),
      ("default collation \(defaults.collation.rawValue)", orderProfile),
    ]
    return declared.compactMap { name, profile in
      guard let profile, !profiles.contains(profile) else { return nil }
      return "the declared \(name) needs the profile \(profile.rawValue), which is not declared"
    }
  }

  /// Fails unless the profiles promise the declared defaults of `open`.
  package func requireDefaults() throws(HarnessError) {
    guard let fault = defaultFaults.first else { return }
    throw HarnessError(fault)
  }
}
