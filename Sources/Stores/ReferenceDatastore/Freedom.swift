internal import Datastore
internal import Digest
internal import JSON

/// The choices of a store where the rules permit alternatives.
///
/// The model takes the first alternative everywhere. A model with other choices is another correct
/// store, which every check must accept.
package struct Freedom: Hashable, Sendable {
  /// The alternative at each choice point; the last one if there are fewer. The first one at other
  /// points.
  package var choices: [ChoicePoint: Int] = [:]
  /// The suffixes of the revisions of edits in stores with `own` ids.
  package var revisions = Names.derived
  /// The ids of documents that are created without one.
  package var documents = Names.derived
  /// The incarnations of new stores.
  package var incarnations = Names.derived

  /// The form of names that a store chooses.
  package enum Names: String, Hashable, Sendable {
    /// As the model chooses them.
    case derived
    /// 32 random hexadecimal digits.
    case random
    /// 8 random hexadecimal digits.
    case short
    /// Random hexadecimal digits between other characters.
    case unicode
    /// 150 characters.
    case long

    /// A new name; nil for one that the model chooses.
    func name(_ random: inout RandomGenerator) -> JSONString? {
      switch self {
      case .derived: nil
      case .random: JSONString(random.bytes(16).hexadecimal)
      case .short: JSONString(random.bytes(4).hexadecimal)
      case .unicode: JSONString("é+\(random.bytes(8).hexadecimal) \u{1f600}")
      case .long:
        JSONString(String(repeating: "x", count: 118) + random.bytes(16).hexadecimal)
      }
    }
  }

  /// The choices of the model.
  package init() {}
}
