package import JSON
internal import Synchronization

/// Operations beyond the core of the contract, defined by the module that implements them.
///
/// The core carries them as opaque values: `StoreAction` and `OperationResult` each have one case
/// for a value of any family. Without registration, the operations of a family are unknown to the
/// JSON reader, and its capabilities are not listed.
package struct OperationFamily: Sendable {
  /// The name, unique among the families.
  package let name: String
  /// The capabilities that the family adds, in the order in which reports list them.
  package let capabilities: [Capability]
  /// The capability of the core before which reports list them; nil for the end of the list.
  package let isListedBefore: Capability?
  /// The operations with their arguments, results and errors.
  package let table: OperationTable
  /// Reads an operation with its arguments; nil if no operation of the family has the name.
  package let read: Reader

  package typealias Reader =
    @Sendable (_ name: String, _ reader: inout ObjectReader) throws(DecodingFailure) -> (
      any FamilyOperation
    )?

  package init(
    _ name: String, capabilities: [Capability], isListedBefore: Capability? = nil,
    table: OperationTable, read: @escaping Reader
  ) {
    self.name = name
    self.capabilities = capabilities
    self.isListedBefore = isListedBefore
    self.table = table
    self.read = read
  }

  /// Adds a family; a second registration of a name has no effect.
  package static func register(_ family: OperationFamily) {
    registry.withLock { registry in
      guard !registry.families.contains(where: { $0.name == family.name }) else { return }
      registry.add(family)
    }
  }

  /// The registered families, in the order in which they were registered.
  package static var registered: [OperationFamily] { registry.withLock { $0.families } }

  /// The table of the core, joined with those of the registered families.
  static var table: OperationTable { registry.withLock { $0.table } }

  /// All capabilities, in the order of reports.
  static var capabilities: [Capability] { registry.withLock { $0.capabilities } }

  /// The operation with a name, from any family; nil if none defines it.
  static func read(
    _ name: String, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> (any FamilyOperation)? {
    for family in registered {
      if let operation = try family.read(name, &reader) { return operation }
    }
    return nil
  }

  private struct Registry {
    var families: [OperationFamily] = []
    var capabilities = Capability.core
    var table = OperationTable.core

    mutating func add(_ family: OperationFamily) {
      families.append(family)
      let place = family.isListedBefore.flatMap { capabilities.firstIndex(of: $0) }
      capabilities.insert(contentsOf: family.capabilities, at: place ?? capabilities.count)
      table.join(family.table)
    }
  }

  private static let registry = Mutex(Registry())
}
