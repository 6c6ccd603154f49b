internal import JSON

/// What other platforms will find hard about a model.
///
/// Source: "Portability Issues" of CDTIncrementalStore's guide.
public struct PortabilityWarning: Hashable, Sendable, CustomStringConvertible {
  public enum Reason: String, CaseIterable, Sendable {
    /// Decimals are texts to everyone else, and do not compare as numbers.
    case decimal
    /// Nobody can tell what the bytes are.
    case transformableWithoutType
    /// A predicate asks whether a number is the very same, and JSON may have cost it some digits.
    case floatingPointCompared
    /// The printed schema lets only letters and digits stand in such names.
    case nameBeyondSymbols
  }

  public let path: String
  public let reason: Reason

  public var description: String { "\(path): \(reason.rawValue)" }
}

extension ManagedObjectModel {
  /// All warnings in the order of the model.
  public func portabilityWarnings(_ transformers: TransformerRegistry) -> [PortabilityWarning] {
    var warnings: [PortabilityWarning] = []
    func note(_ path: String, _ reason: PortabilityWarning.Reason, if isSo: Bool) {
      if isSo { warnings.append(PortabilityWarning(path: path, reason: reason)) }
    }
    for entity in entities {
      note(entity.name.string, .nameBeyondSymbols, if: !entity.name.isSymbol)
      for attribute in entity.attributes where !attribute.isTransient {
        let path = "\(entity.name).\(attribute.name)"
        note(path, .nameBeyondSymbols, if: !attribute.name.isSymbol)
        note(path, .decimal, if: attribute.type == .decimal)
        let transformer = attribute.transformer
        note(path, .nameBeyondSymbols, if: transformer?.isSymbol == false)
        note(
          path, .transformableWithoutType,
          if: attribute.type == .xform
            && transformer.flatMap { transformers[$0]?.mimeType } == nil)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        note(
          "\(entity.name).\(relationship.name)", .nameBeyondSymbols,
          if: !relationship.name.isSymbol)
      }
    }
    return warnings
  }
}

extension JSONString {
  /// Whether it is a letter and then letters and digits, as the printed schema says.
  fileprivate var isSymbol: Bool {
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    guard let first = utf8.first, isLetter(first) else { return false }
    return utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
  }
}
