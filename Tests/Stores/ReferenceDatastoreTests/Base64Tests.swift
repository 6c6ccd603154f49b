import Datastore
import JSON
import Testing

@testable import ReferenceDatastore

struct Base64Tests {
  /// RFC 4648 §10, and bytes that use the last two characters of the alphabet.
  @Test(
    arguments: [
      ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
      (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="),
      (Array("foobar".utf8), "Zm9vYmFy"), ([0xfb, 0xff, 0xfe], "+//+"), ([0, 0], "AAA="),
    ] as [([UInt8], String)])
  func spellings(bytes: [UInt8], text: String) {
    #expect(Base64.encode(bytes) == JSONString(text))
    #expect(Base64.encode(([9] + bytes).dropFirst()) == JSONString(text))
    #expect(Base64.decode(JSONString(text)) == bytes)
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zm9v=", "Zm9v====", "Zh==", "Zm9=", "Zm8=Zm8=",
    "Zg==\n", " Zg==", "Zm 9", "Zm-_", "Zm9vZ", "é===", "Zg=v", "=Zg=",
  ])
  func isNoBase64(text: String) {
    #expect(Base64.decode(JSONString(text)) == nil)
  }
}
