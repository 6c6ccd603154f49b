public import Datastore
public import JSON

/// The id of an object, which is that of its document.
public typealias ObjectID = DocumentID

extension ObjectID {
  /// The id of a new object, from 16 random bytes.
  ///
  /// Source: CDTIncrementalStore, `CDTIS-ENTITY-UUID` with capital digits.
  public static func new(of entity: JSONString, _ environment: RunEnvironment) -> ObjectID {
    ObjectID(JSONString("CDTIS-\(entity)-\(UUIDText.new(environment))"))
  }
}

/// The text of a random UUID (RFC 9562, version 4) with capital digits.
enum UUIDText {
  static func new(_ environment: RunEnvironment) -> String {
    var bytes = environment.randomBytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text += "-" }
      let digits = String(byte, radix: 16, uppercase: true)
      text += byte < 16 ? "0" + digits : digits
    }
    return text
  }
}
