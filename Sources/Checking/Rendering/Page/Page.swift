internal import Digest

/// The frame of every page: one file with its style and its script, which loads nothing.
///
/// Every page begins with a header that states what the page is and what happened, and ends with a
/// footer. All pages share one style sheet (`PageStyle`) and one script (`PageScript`); a page adds
/// only what no other page has.
package struct Page {
  /// The title of the window.
  let title: String
  /// The kind of the page in a few words, above the heading.
  let kind: String
  /// What the page is, in one sentence.
  let purpose: String
  /// What happened, in one sentence, or the name of the subject.
  let heading: String
  /// The name and version of the program; nil for none.
  let program: String?

  /// The styles of this kind of page.
  package var style = ""
  /// The script of this kind of page, which runs after the shared one.
  package var script = ""
  /// True if the page uses the whole window, for diagrams; text has lines of readable length.
  package var isWide = false
  /// The sentence in the footer after the name of the program.
  package var remark = ""

  package init(
    _ title: String, kind: String, purpose: String, heading: String, program: String?
  ) {
    self.title = title.printable
    self.kind = kind
    self.purpose = purpose.printable
    self.heading = heading.printable
    self.program = program?.printable
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - addHeader: adds what stands below the heading.
  ///   - addBody: adds the content, a `main` element.
  package func html(
    header addHeader: (inout Markup) -> Void, body addBody: (inout Markup) -> Void
  ) -> String {
    let script = "\n\(PageScript.shared)\n\(script)\n"
    var markup = Markup()
    markup.line("<!doctype html>")
    markup.line("<html lang=\"en\"><head><meta charset=\"utf-8\">")
    markup.line(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy(for: script))\">")
    markup.line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
    markup.line("<meta name=\"color-scheme\" content=\"light dark\">")
    markup.element("title", "", content: "\(title) · Touchstone")
    markup.line("<style>\n\(PageStyle.shared)\n\(style)\n</style></head>")
    markup.line(isWide ? "<body class=\"wide\">" : "<body>")
    markup.line("<header>")
    markup.element("p", "class=\"kicker\"", content: "Touchstone · \(kind)")
    markup.element("p", "class=\"purpose\"", content: purpose)
    markup.element("h1", "", content: heading)
    addHeader(&markup)
    markup.line("</header>")
    addBody(&markup)
    let end = [program ?? "Touchstone", remark].filter { !$0.isEmpty }.joined(separator: ". ")
    markup.element("footer", "", content: "\(end)\(end.hasSuffix(".") ? "" : ".")")
    markup.line("<script>\(script)</script>")
    markup.line("</body></html>")
    return markup.text
  }

  /// The policy of a page: nothing is loaded, and only this script runs.
  ///
  /// Texts of stores and vectors are escaped. If one became a script nevertheless, its digest would
  /// be another one, and browsers would not run it.
  private static func policy(for script: String) -> String {
    let digest = Base64.encode(DigestAlgorithm.sha256.digest(of: Array(script.utf8)))
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(digest)'; "
      + "base-uri 'none'; form-action 'none'"
  }
}
