public import Datastore
internal import JSON

/// The declarations and the deviations of a product, for checks of an adapter for it.
extension Doctor {
  /// What is declared about the store behind the adapter.
  public struct Product {
    /// The declarations, as the adapter should answer `hello`. Name and version are not compared:
    /// the adapter has its own.
    public let store: ImplementationDescription
    /// Returns the declared deviations that explain every outcome exactly; empty if they do not, or
    /// if the rules permit every outcome.
    let explain: (_ exchanges: [(StoreOperation, Outcome)], ImplementationDescription) -> [String]

    /// Creates the declarations of a product.
    ///
    /// - Parameter explain: returns the ids of the declared deviations that explain every outcome
    ///   exactly.
    public init(
      _ store: ImplementationDescription,
      explain:
        @escaping (_ exchanges: [(StoreOperation, Outcome)], ImplementationDescription) -> [String]
    ) {
      self.store = store
      self.explain = explain
    }
  }

  /// The operations of a check with their outcomes, since the last reset.
  final class Transcript {
    private(set) var exchanges: [(StoreOperation, Outcome)] = []

    func begin() { exchanges = [] }

    func record(_ operation: StoreOperation, _ outcome: Outcome) {
      exchanges.append((operation, outcome))
    }
  }

  /// Compares the response to `hello` with the product file.
  func compareDeclarations(_ found: ImplementationDescription) -> Check.Finding? {
    guard let declared = product?.store else { return nil }
    let differences =
      Self.differences("capability", declared.capabilities, found: found.capabilities)
      + Self.differences("profile", declared.profiles, found: found.profiles)
      + Self.differences("restriction", declared.restrictions, found: found.restrictions)
      + LimitName.allCases.compactMap { Self.difference($0, declared.limits, found: found.limits) }
      + Self.difference(declared.defaults, found: found.defaults)
    guard !differences.isEmpty else { return .pass("equal to the product file") }
    return .fail(
      "hello differs from the product file: \(differences.map(\.fact).joined(separator: "; "))",
      request: nil,
      advice: differences.map(\.fix).joined(separator: " "))
  }

  private typealias Difference = (fact: String, fix: String)

  private static func differences<Choice: RawRepresentable & CaseIterable & Hashable>(
    _ noun: String, _ declared: Set<Choice>, found: Set<Choice>
  ) -> [Difference] where Choice.RawValue == String {
    Choice.allCases.compactMap { choice in
      let name = "\(noun) \(choice.rawValue)"
      switch (declared.contains(choice), found.contains(choice)) {
      case (true, false):
        return (
          "the file declares the \(name), and hello does not",
          "Declare the \(name) in the response to hello, or remove it from the file."
        )
      case (false, true):
        return (
          "hello declares the \(name), and the file does not",
          "Add the \(name) to the file, or remove it from the response to hello."
        )
      default: return nil
      }
    }
  }

  private static func difference(
    _ name: LimitName, _ declared: ImplementationDescription.Limits,
    found: ImplementationDescription.Limits
  ) -> Difference? {
    // A file without the limit makes no statement about it.
    guard declared.declared.contains(name) else { return nil }
    let size = found.declared.contains(name) ? "\(found[name])" : "none"
    guard size != "\(declared[name])" else { return nil }
    return (
      "limit \(name.rawValue): \(declared[name]) in the file, \(size) in hello",
      "Use the same limit \(name.rawValue) in both."
    )
  }

  private static func difference(
    _ declared: ImplementationDescription.Defaults, found: ImplementationDescription.Defaults
  ) -> [Difference] {
    func text(_ defaults: ImplementationDescription.Defaults) -> String {
      "revisionIDs \(defaults.revisionIDs.rawValue) and collation \(defaults.collation.rawValue)"
    }
    guard declared != found else { return [] }
    return [
      (
        "defaults: \(text(declared)) in the file, \(text(found)) in hello",
        "Use the same defaults in both."
      )
    ]
  }

  /// The declared deviations that explain a failed check; empty without an explanation.
  ///
  /// Only a failure in a response can be explained: no deviation is about leaks or speed.
  func explanation(
    of complaint: Complaint, _ description: ImplementationDescription
  ) -> [String] {
    guard let product, complaint.request != nil, !transcript.exchanges.isEmpty else { return [] }
    return product.explain(transcript.exchanges, description)
  }
}
