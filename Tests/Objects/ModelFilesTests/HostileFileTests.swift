import JSON
import ModelFiles
import ObjectMapping
import Testing

/// Files that are made to harm the reader.
@Suite struct HostileFileTests {
  private static func error(_ text: String) -> ModelFileError? {
    do throws(ModelFileError) {
      _ = try ModelFile(Array(text.utf8), path: "contents")
      return nil
    } catch { return error }
  }

  @Test(
    arguments: [
      // Entities that contain each other.
      """
      <!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <model><entity name="&b;"/></model>
      """,
      // A file as an entity.
      "<!DOCTYPE model [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><model><entity name=\"E\">&e;</entity></model>",
      "<!DOCTYPE model [<!ENTITY % e SYSTEM \"file:///etc/passwd\"> %e;]><model/>",
      // Attributes with defaults of any length.
      "<!DOCTYPE model [<!ATTLIST entity name CDATA \"aaaaaaaa\">]><model><entity/></model>",
    ])
  func declarationsAreRefused(_ text: String) {
    #expect(Self.error(text)?.what == "the file has an internal DTD")
  }

  /// An external DTD is not read, so it cannot declare anything.
  @Test func anExternalDTDIsNotRead() {
    let head = "<!DOCTYPE model SYSTEM \"file:///dev/zero\">"
    #expect(Self.error(head + "<model><entity name=\"E\"/></model>") == nil)
    #expect(
      Self.error(head + "<model><entity name=\"E\">&e;</entity></model>")?.what
        == "undeclared entity")
    #expect(
      Self.error("<model><entity name=\"&e;\"/></model>")?.what
        == "invalid XML: undefined entity")
  }

  @Test func depthIsLimited() {
    func nested(_ depth: Int) -> String {
      "<model>" + String(repeating: "<a>", count: depth - 1)
        + String(repeating: "</a>", count: depth - 1) + "</model>"
    }
    #expect(Self.error(nested(32)) == nil)
    #expect(Self.error(nested(33))?.what == "too deep")
    #expect(Self.error(String(repeating: "<a>", count: 1_000_000))?.what == "too deep")
  }

  @Test func theNumberOfElementsIsLimited() {
    func wide(_ count: Int) -> String {
      "<model><elements>" + String(repeating: "<e/>", count: count - 2) + "</elements></model>"
    }
    #expect(Self.error(wide(50_000)) == nil)
    #expect(Self.error(wide(50_001))?.what == "too many elements")
  }

  @Test(
    arguments: [
      ("<model>\n<entity>\n</model>", 3, "invalid XML: mismatched tag"),
      ("<model a=\"1\" a=\"2\"/>", 1, "invalid XML: duplicate attribute"),
      ("<model/>\n<model/>", 2, "invalid XML: junk after document element"),
      ("<model name=\"\u{1}\"/>", 1, "invalid XML: not well-formed (invalid token)"),
      ("<?xml version=\"1.0\" encoding=\"EBCDIC\"?><model/>", 1, "invalid XML: unknown encoding"),
    ])
  func brokenXMLIsRefusedWithItsLine(_ text: String, _ line: Int, _ what: String) {
    let error = Self.error(text)
    #expect(error?.what == what)
    #expect(error?.line == line)
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    let error = #expect(throws: ModelFileError.self) {
      try ModelFile(Array("<model name=\"".utf8) + [0xFF] + Array("\"/>".utf8), path: "contents")
    }
    #expect(error?.what == "invalid XML: not well-formed (invalid token)")
  }

  @Test func otherEncodingsOfXMLAreRead() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><model><entity name=\"Übung\"/></model>"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let file = try ModelFile(bytes, path: "contents")
    #expect(file.model.entities.map(\.name) == ["Übung"])
  }
}
