/// An implementation over another one, such as objects over documents.
///
/// What the layer does not implement itself goes to the implementation below, so that no layer can
/// forget a part of `ImplementationUnderTest`.
public protocol ImplementationLayer: ImplementationUnderTest {
  /// The implementation below.
  var base: any ImplementationUnderTest { get }

  /// Drops what the layer remembers of stores: they are about to disappear, or to be closed by a crash.
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
