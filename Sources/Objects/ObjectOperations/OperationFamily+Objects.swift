package import Datastore

extension OperationFamily {
  /// Registers objects, contexts, stacks and collections; has no effect when they are registered.
  ///
  /// The capabilities, the operations and the stores of this module do so by themselves; a program that
  /// reads operations as JSON does so at its start.
  package static func registerObjects() { _ = objectsAreRegistered }

  private static let objectsAreRegistered: Void = {
    for family in [OperationFamily.objects, .contexts, .stacks, .collections] { register(family) }
  }()
}

/// The operations on objects, contexts, stacks and collections.
public enum ObjectOperationFamilies {
  /// Registers the families, so that their operations can be read as JSON; has no effect when they are
  /// registered.
  ///
  /// Naming a capability of a family, one of its operations or one of its stores registers them, too.
  public static func register() { OperationFamily.registerObjects() }
}

extension Capability {
  /// A capability of this module; to name it registers the families.
  static func ofRegisteredFamily(_ name: String) -> Capability {
    OperationFamily.registerObjects()
    return Capability(name)
  }
}
