import Conformance
import Foundation
import Testing

@testable import touchstone

/// What only a browser can say about the page.
@Suite struct ReportPageBrowserTests {
  static let browser = [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
  ].flatMap { name in ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Unfolded, at the width of a phone and of a desk, nothing has to be scrolled sideways. The policy
  /// permits the script, and the filter hides what does not contain its words.
  @Test(
    .enabled(if: browser != nil, "not run: there is no Chromium here"),
    arguments: [320, 390, 1280])
  func fitsItsWindow(width: Int) throws {
    let browser = try #require(Self.browser)
    let corpus = try TemporaryFolder.corpus()
    let world = RunCommandTests.world(RunCommandTests.forgetful)
    let run = ["run", "--implementation", "parrot", "--vectors", corpus.path, "--report", "html=-"]
    #expect(CommandTable.run(run, world.context) == .failure)
    // In a frame the window may be narrower than a browser lets it be.
    let page = world.output.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let frame = try TemporaryFolder([
      (
        "frame.html",
        """
        <!doctype html><iframe id="f" style="width:\(width)px;height:800px;border:0"
        srcdoc="\(page)"></iframe><script>
        const filtered = (d, words) => {
          const box = d.getElementById("filter");
          if (!box.checkVisibility()) return "unusable";
          box.value = words;
          box.dispatchEvent(new Event("input"));
          return [...d.querySelectorAll(".failure")].filter((e) => e.checkVisibility()).length;
        };
        onload = () => {
          const d = document.getElementById("f").contentDocument;
          for (const e of d.querySelectorAll("details")) e.open = true;
          const w = d.documentElement.scrollWidth;
          document.body.textContent = "failures " + d.querySelectorAll(".failure").length
            + ", " + (w <= \(width) ? "fits" : "is " + w + " wide")
            + ", filter " + filtered(d, "edit") + filtered(d, "no such words") + filtered(d, "");
        };
        </script>
        """
      )
    ])
    let process = try Subprocess(
      browser,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900",
        "--virtual-time-budget=3000", "--dump-dom", "file://\(frame.path)/frame.html",
      ], variables: ["HOME=\(frame.path)"])
    while !process.advance(milliseconds: 20) {}
    let said = String(decoding: process.output, as: UTF8.self)
    #expect(said.contains("failures 1, fits, filter 101"), "\(said.prefix(500))")
  }
}
