internal import Datastore
package import JSON
internal import ObjectMapping

// Everything that somebody can see is in the order of bytes.

extension Sequence where Element == JSONString {
  package var inByteOrder: [JSONString] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

extension Sequence where Element == ObjectID {
  var inByteOrder: [ObjectID] {
    sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }
}
