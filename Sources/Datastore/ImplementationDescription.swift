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

  /// Sizes up to which an implementation answers; beyond them it says `tooLarge` or `badBody`.
  public struct Limits: Hashable, Sendable {
    /// The longest body, in bytes of compact JSON.
    public var bodyBytesMax: Int
    /// The longest document id, in bytes of UTF-8.
    public var idBytesMax: Int
    /// The deepest body; `{}` has depth 1.
    public var depthMax: Int
    /// The longest content that stands in an operation or an answer, in bytes as stored; counts only
    /// with the capability `attachment`.
    public var inlineBytesMax: Int
    /// The longest content of all, in bytes as stored; counts only with the capability `attachment`.
    public var attachmentBytesMax: Int

    public init(
      bodyBytesMax: Int, idBytesMax: Int, depthMax: Int, inlineBytesMax: Int = 65_536,
      attachmentBytesMax: Int = 16_777_216
    ) {
      self.bodyBytesMax = bodyBytesMax
      self.idBytesMax = idBytesMax
      self.depthMax = depthMax
      self.inlineBytesMax = inlineBytesMax
      self.attachmentBytesMax = attachmentBytesMax
    }

    /// What the core asks of every implementation.
    public static let minimum = Limits(bodyBytesMax: 1_000_000, idBytesMax: 240, depthMax: 64)

    /// Whether every limit reaches the given one.
    public func reaches(_ other: Limits) -> Bool {
      bodyBytesMax >= other.bodyBytesMax && idBytesMax >= other.idBytesMax
        && depthMax >= other.depthMax && inlineBytesMax >= other.inlineBytesMax
        && attachmentBytesMax >= other.attachmentBytesMax
    }
  }
}
