#if HTTP
  import CouchDBInterface
  import Foundation
  import Testing

  /// The documentation has the table of the router.
  struct EndpointTableTests {
    @Test func theDocumentationHasTheTable() throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/serve.md").standardized
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(
        text.contains("<!-- endpoints -->\n\(CouchDBService.endpointTable)<!-- end -->"),
        "docs/serve.md needs the output of touchstone serve --http --endpoints")
    }
  }
#endif
