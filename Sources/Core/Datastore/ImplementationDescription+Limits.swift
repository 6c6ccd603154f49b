/// The name of a size limit in the response to `hello`.
public enum LimitName: String, CaseIterable, Hashable, Sendable {
  /// The maximum length of a body, in bytes.
  case bodyBytes
  /// The maximum length of a document id, in bytes.
  case idBytes
  /// The maximum nesting depth of a body.
  case depth
  /// The maximum length of content inside an operation or a response, in bytes.
  case inlineBytes
  /// The maximum length of the content of an attachment, in bytes.
  case attachmentBytes
}

extension ImplementationDescription {
  /// Sizes up to which an implementation accepts data; a larger size is `tooLarge`.
  ///
  /// An undeclared limit counts as the minimum of the contract, and the behavior for larger sizes
  /// is unspecified.
  public struct Limits: Hashable, Sendable {
    /// The maximum length of a body, in bytes of compact JSON.
    public var bodyBytesMax: Int
    /// The maximum length of a document id, in bytes of UTF-8.
    public var idBytesMax: Int
    /// The maximum nesting depth of a body; `{}` has depth 1.
    public var depthMax: Int
    /// The maximum length of content inside an operation or a response, in bytes as stored; used
    /// only with the capability `attachment`.
    public var inlineBytesMax: Int
    /// The maximum length of any content, in bytes as stored; used only with the capability
    /// `attachment`.
    public var attachmentBytesMax: Int
    /// The limits that the implementation enforces: a larger size is `tooLarge`.
    public var declared: Set<LimitName>

    /// Creates limits.
    ///
    /// - Parameter declared: the limits that the implementation enforces; if nil, all except
    ///   attachment limits that equal their minimum.
    public init(
      bodyBytesMax: Int, idBytesMax: Int, depthMax: Int, inlineBytesMax: Int = 65_536,
      attachmentBytesMax: Int = 16_777_216, declared: Set<LimitName>? = nil
    ) {
      self.bodyBytesMax = bodyBytesMax
      self.idBytesMax = idBytesMax
      self.depthMax = depthMax
      self.inlineBytesMax = inlineBytesMax
      self.attachmentBytesMax = attachmentBytesMax
      self.declared = declared ?? [.bodyBytes, .idBytes, .depth]
      guard declared == nil else { return }
      if inlineBytesMax > 65_536 { self.declared.insert(.inlineBytes) }
      if attachmentBytesMax > 16_777_216 { self.declared.insert(.attachmentBytes) }
    }

    /// The minimum of every limit, with no limit declared.
    public static let minimum = Limits(
      bodyBytesMax: 1_000_000, idBytesMax: 240, depthMax: 64, declared: [])

    /// The size up to which the implementation accepts data.
    public subscript(name: LimitName) -> Int {
      get {
        switch name {
        case .bodyBytes: bodyBytesMax
        case .idBytes: idBytesMax
        case .depth: depthMax
        case .inlineBytes: inlineBytesMax
        case .attachmentBytes: attachmentBytesMax
        }
      }
      set {
        switch name {
        case .bodyBytes: bodyBytesMax = newValue
        case .idBytes: idBytesMax = newValue
        case .depth: depthMax = newValue
        case .inlineBytes: inlineBytesMax = newValue
        case .attachmentBytes: attachmentBytesMax = newValue
        }
      }
    }

    /// Whether every limit is at least as large as the given one.
    public func reaches(_ other: Limits) -> Bool {
      LimitName.allCases.allSatisfy { self[$0] >= other[$0] }
    }
  }
}
