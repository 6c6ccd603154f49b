package import JSON
internal import Synchronization

/// Operations beyond the core of the contract, defined by the module that implements them.
///
/// The contract carries them without knowing them: an `StoreAction` and an `OperationResult` each have one
/// case for a value of any family. A family that is not registered does not exist: its operations are
/// unknown when JSON is read, and its capabilities are not listed.
package struct OperationFamily: Sendable {
  /// The name, unique among the families.
  package let name: String
  /// The capabilities that the family adds, in the order in which reports list them.
  package let capabilities: [Capability]
  /// The capability of the core in front of which reports list them; nil for behind all others.
  package let isListedBefore: Capability?
  /// The operations with their arguments, results and errors.
  package let table: OperationTable
  /// Reads an operation with its arguments; nil when no operation of the family has the name.
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

  /// Adds a family; one with a registered name changes nothing.
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

  /// The operation with a name, of whichever family has it; nil when none does.
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
