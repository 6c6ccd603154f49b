package import Datastore

extension OperationFamily {
  /// Registers objects, contexts, stacks and collections; has no effect if they are registered.
  ///
  /// The capabilities, operations and stores of this module register the families automatically; a
  /// program that reads operations as JSON calls this at its start.
  package static func registerObjects() { _ = objectsAreRegistered }

  private static let objectsAreRegistered: Void = {
    for family in [OperationFamily.objects, .contexts, .stacks, .collections] {
      do throws(Conflict) {
        try register(family)
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }()
}

/// The operations on objects, contexts, stacks and collections.
public enum ObjectOperationFamilies {
  /// Registers the families, so that their operations can be read as JSON; has no effect if they
  /// are registered.
  ///
  /// The first use of a capability, an operation or a store of a family registers them, too.
  public static func register() { OperationFamily.registerObjects() }
}

extension Capability {
  /// A capability of this module; its use registers the families.
  static func ofRegisteredFamily(_ name: String) -> Capability {
    OperationFamily.registerObjects()
    return Capability(name)
  }
}
