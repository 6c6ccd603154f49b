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

  /// A family uses names that the core or another family defines, or lacks a definition.
  package struct Conflict: Error, Hashable, CustomStringConvertible {
    package let family: String
    package let problem: String

    package var description: String { "family '\(family)': \(problem)" }
  }

  /// Adds a family; has no effect if the same family is registered.
  package static func register(_ family: OperationFamily) throws(Conflict) {
    let problem: String? = registry.withLock { registry in
      if let other = registry.families.first(where: { $0.name == family.name }) {
        return family.hasContent(of: other) ? nil : "another family has this name"
      }
      if let problem = registry.problem(with: family) { return problem }
      registry.add(family)
      return nil
    }
    if let problem { throw Conflict(family: family.name, problem: problem) }
  }

  private func hasContent(of other: OperationFamily) -> Bool {
    capabilities == other.capabilities && table.rows.map(\.name) == other.table.rows.map(\.name)
      && table.notations == other.table.notations
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

    /// The reason that a family cannot be added; nil if it can.
    func problem(with family: OperationFamily) -> String? {
      var names = Set(table.rows.map(\.name))
      for row in family.table.rows where !names.insert(row.name).inserted {
        return "the operation '\(row.name)' is defined already"
      }
      // A family may list the words of a text that the core leaves open.
      for name in family.table.names
      where table.definitions[name] != nil && table.notations[name] != "text" {
        return "the definition '\(name)' exists already"
      }
      var kinds = Set(table.errors.map(\.kind))
      for error in family.table.errors where !kinds.insert(error.kind).inserted {
        return "the error '\(error.kind)' is defined already"
      }
      var listed = Set(capabilities)
      for capability in family.capabilities where !listed.insert(capability).inserted {
        return "the capability '\(capability.rawValue)' exists already"
      }
      for row in family.table.rows {
        for name in [row.result] + row.variants.map(\.result)
        where table.definitions[name] == nil && family.table.definitions[name] == nil {
          return "the result '\(name)' of '\(row.name)' has no definition"
        }
      }
      return nil
    }

    mutating func add(_ family: OperationFamily) {
      families.append(family)
      let place = family.isListedBefore.flatMap { capabilities.firstIndex(of: $0) }
      capabilities.insert(contentsOf: family.capabilities, at: place ?? capabilities.count)
      table.join(family.table)
    }
  }

  private static let registry = Mutex(Registry())
}
