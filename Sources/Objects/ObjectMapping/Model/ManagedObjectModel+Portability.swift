internal import JSON

/// A warning about a part of a model that is not portable to other platforms.
///
/// Source: "Portability Issues" of CDTIncrementalStore's guide.
public struct PortabilityWarning: Hashable, Sendable, CustomStringConvertible {
  /// The reasons for a warning.
  public enum Reason: String, CaseIterable, Sendable {
    /// Other clients read decimals as texts, which do not compare as numbers.
    case decimal
    /// The type of the bytes is unknown.
    case transformableWithoutType
    /// A predicate compares a number for equality, and JSON may have lost some digits.
    case floatingPointCompared
    /// The printed schema permits only letters and digits in such names.
    case nameBeyondSymbols
  }

  /// The path of the part, such as `Recipe.price`.
  public let path: String
  /// The reason.
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
  /// Whether the name is a letter followed by letters and digits, as in the printed schema.
  fileprivate var isSymbol: Bool {
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    guard let first = utf8.first, isLetter(first) else { return false }
    return utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
  }
}
