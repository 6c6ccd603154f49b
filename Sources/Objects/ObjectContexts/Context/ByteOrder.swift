internal import Datastore
internal import JSON
internal import ObjectMapping

extension Sequence where Element == ObjectID {
  /// The ids in byte order, as everything that is seen.
  var inByteOrder: [ObjectID] {
    sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }
}
