internal import Datastore
package import JSON
internal import Scenarios

/// A mutant that was removed from the catalogue. Its name is never used again.
package struct RetiredMutant: Hashable, Sendable {
  package let name: JSONString
  /// The error of such a store.
  package let sentence: JSONString
  /// The reason for its removal.
  package let reason: JSONString

  package init(name: JSONString, sentence: JSONString, reason: JSONString) {
    self.name = name
    self.sentence = sentence
    self.reason = reason
  }

  package var json: JSONValue {
    ["name": .string(name), "sentence": .string(sentence), "reason": .string(reason)]
  }

  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    name = try reader.text("name")
    sentence = try reader.text("sentence")
    reason = try reader.text("reason")
    try reader.finish()
  }
}
