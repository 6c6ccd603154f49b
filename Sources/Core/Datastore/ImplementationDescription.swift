/// The properties that an implementation declares before the first operation.
public struct ImplementationDescription: Hashable, Sendable {
  /// The name of the store.
  public var name: String
  /// The version of the store, as its authors write it.
  public var version: String
  /// The programming language, for reports; nil if not declared.
  public var language: String?
  /// The home page of the store, for reports; nil if not declared.
  public var homepage: String?
  /// The optional parts of the contract that the store offers.
  public var capabilities: Set<Capability>
  /// The guarantees beyond the core that the store gives.
  public var profiles: Set<Profile>
  /// The sizes up to which the store accepts data.
  public var limits: Limits
  /// Whether time and randomness come only from the `RunEnvironment`, so that repeated runs are
  /// equal byte by byte.
  public var isDeterministic: Bool
  /// The kinds of crashes that `crash` supports.
  public var crashes: Set<CrashKind>
  /// The properties of a new store if `open` specifies no revision ids and no collation.
  public var defaults: Defaults
  /// The parts of the offer that the store cannot perform.
  public var restrictions: Set<Restriction>
  /// Capabilities that Touchstone's own layers add to the store.
  ///
  /// The layers run the same code over every store, so these capabilities show no difference
  /// between stores.
  public var sharedLayers: Set<Capability> = []

  /// Creates a description; by default of a store that offers the core alone and supports no crash.
  public init(
    name: String, version: String, language: String? = nil, homepage: String? = nil,
    capabilities: Set<Capability> = [],
    profiles: Set<Profile> = [], limits: Limits = .minimum, isDeterministic: Bool = false,
    crashes: Set<CrashKind> = [], defaults: Defaults = Defaults(),
    restrictions: Set<Restriction> = []
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
    self.restrictions = restrictions
  }

  /// The revision ids and the collation of a store that is opened without arguments.
  ///
  /// A server with one kind of ids and one order declares these; vectors that need others are then
  /// skipped. A default other than `own` and `bytes` needs the profile that guarantees it.
  public struct Defaults: Hashable, Sendable {
    /// The digest that names new revisions.
    public var revisionIDs: RevisionIDProfile
    /// The order of revision ids.
    public var collation: CollationName

    /// Creates defaults; without arguments those of a store that declares none.
    public init(revisionIDs: RevisionIDProfile = .own, collation: CollationName = .bytes) {
      self.revisionIDs = revisionIDs
      self.collation = collation
    }
  }
}

extension ImplementationDescription {
  /// Declared defaults of `open` without the profile that guarantees them, each as a sentence.
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

  /// Throws unless the declared profiles guarantee the declared defaults of `open`.
  package func requireDefaults() throws(HarnessError) {
    guard let fault = defaultFaults.first else { return }
    throw HarnessError(fault)
  }
}
