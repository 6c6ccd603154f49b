/// The script of all pages.
///
/// Text from a run only ever becomes text content.
enum PageScript {
  /// Copies commands, and opens what a link leads to.
  ///
  /// `reveal` is an event that the page of a report handles: it clears its filter.
  static let shared = #"""
    "use strict";
    const byId = (id) => document.getElementById(id);
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", async () => {
        const source = byId(button.dataset.copy) ?? button.previousElementSibling;
        try {
          await navigator.clipboard.writeText(source.textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(source);
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
    }
    const reveal = () => {
      const target = byId(location.hash.slice(1));
      if (!target) return;
      document.dispatchEvent(new CustomEvent("reveal", { detail: target }));
      for (let part = target; part; part = part.parentElement) {
        if (part.tagName === "DETAILS") part.open = true;
      }
      target.scrollIntoView();
    };
    addEventListener("hashchange", reveal);
    reveal();
    """#
}
