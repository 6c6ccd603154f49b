import JSON
import Testing

@testable import WireConformance

@Suite struct WireMultipartTests {
  private static let type: JSONString = "multipart/mixed; boundary=\"b\""

  @Test func partsAreRead() {
    let body = """
      --b\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n\
      --b\r\nContent-Type: text/plain\r\n\r\none\r\ntwo\r\n\
      --b\r\nContent-Type: multipart/related; boundary="c"\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n\
      --b\r\nX: y\r\n\r\n\r\n--b--
      """
    #expect(
      WireMultipart.json(Array(body.utf8), type: Self.type) == [
        "type": "mixed",
        "parts": [
          ["headers": ["content-type": "application/json"], "body": ["n": 1]],
          ["headers": ["content-type": "text/plain"], "text": "one\r\ntwo"],
          [
            "headers": ["content-type": "multipart/related; boundary=\"c\""],
            "multipart": ["type": "related", "parts": [["headers": [:], "text": "x"]]],
          ],
          ["headers": ["x": "y"], "text": ""],
        ],
      ])
  }

  @Test func bytesAreNotText() {
    let body = Array("--b\r\n\r\n".utf8) + [0xFF, 0x00] + Array("\r\n--b--".utf8)
    #expect(
      WireMultipart.json(body, type: Self.type)?.objectValue?["parts"] == [
        ["headers": [:], "base64": "/wA="]
      ])
  }

  @Test(arguments: [
    "", "--b", "--b\r\n", "--b\r\n\r\nx", "--b\r\n\r\nx\r\n--c--", "--c\r\n\r\nx\r\n--c--",
    "--b\r\nContent-Type: application/json\r\n\r\n{\r\n--b--",
  ])
  func aBrokenBodyIsInvalid(body: String) {
    #expect(WireMultipart.json(Array(body.utf8), type: Self.type) == nil)
  }

  @Test(arguments: ["text/plain", "multipart/mixed", "multipart/mixed; boundary="])
  func aTypeWithoutBoundaryIsInvalid(type: String) {
    let body = Array("--b\r\n\r\nx\r\n--b--".utf8)
    #expect(WireMultipart.json(body, type: JSONString(type)) == nil)
  }

  @Test func writtenPartsAreRead() {
    let parts = [
      WireMultipart.Part(headers: [WireHeader("X", "y")], content: Array("a\r\nb".utf8)),
      WireMultipart.Part(headers: [], content: []),
    ]
    let type = JSONString("multipart/related; boundary=\(WireMultipart.boundary)")
    #expect(
      WireMultipart.json(WireMultipart.bytes(parts), type: type)?.objectValue?["parts"] == [
        ["headers": ["x": "y"], "text": "a\r\nb"], ["headers": [:], "text": ""],
      ])
  }
}
