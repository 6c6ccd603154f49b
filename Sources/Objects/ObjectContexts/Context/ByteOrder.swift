internal import Datastore
internal import JSON
internal import ObjectMapping

extension Sequence where Element == ObjectID {
  /// The ids in byte order, the order of all visible lists.
  var inByteOrder: [ObjectID] {
    sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }
}
