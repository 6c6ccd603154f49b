/// An implementation on top of another one, such as objects over documents.
///
/// Requirements that the layer does not implement are forwarded to the implementation below, so no
/// layer can omit a part of `ImplementationUnderTest`.
public protocol ImplementationLayer: ImplementationUnderTest {
  /// The implementation below.
  var base: any ImplementationUnderTest { get }

  /// Discards the cached state of all stores before they are deleted or closed by a crash.
  func forget()
}

extension ImplementationLayer {
  public var description: ImplementationDescription { base.description }

  public func forget() {}

  public func reset() throws(HarnessError) {
    forget()
    try base.reset()
  }

  public func crash(_ kind: CrashKind) throws(HarnessError) {
    forget()
    try base.crash(kind)
  }

  public func begin(_ undertaking: Undertaking) throws(HarnessError) {
    forget()
    try base.begin(undertaking)
  }

  public func end() throws(HarnessError) { try base.end() }

  public func takeLog() -> String { base.takeLog() }

  public func shutdown() throws(HarnessError) { try base.shutdown() }
}
