/// The frame of every page: one file that carries its style and loads nothing.
package enum Page {
  /// A page with the shared style and its own style.
  ///
  /// A page without a script cannot run one: texts of stores and vectors are escaped, and the
  /// policy of the page forbids scripts.
  package static func html(
    title: String, style: String, runsScript: Bool, _ addBody: (inout Markup) -> Void
  ) -> String {
    var markup = Markup()
    markup.line("<!doctype html>")
    markup.line("<html lang=\"en\"><head><meta charset=\"utf-8\">")
    let script = runsScript ? "script-src 'unsafe-inline'; " : ""
    markup.line(
      "<meta http-equiv=\"Content-Security-Policy\" "
        + "content=\"default-src 'none'; style-src 'unsafe-inline'; \(script)base-uri 'none'; "
        + "form-action 'none'\">")
    markup.line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
    markup.line("<meta name=\"color-scheme\" content=\"light dark\">")
    markup.element("title", "", content: "\(title) · Touchstone")
    markup.line("<style>\n\(PageStyle.shared)\n\(style)\n</style></head><body>")
    addBody(&markup)
    markup.line("</body></html>")
    return markup.text
  }
}
