internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

extension ReportPage {
  /// The filter, which the script shows, and the table of contents.
  func addContents(_ markup: inout Markup) {
    markup.line("<nav>")
    markup.card("Contents") { markup in
      markup.line(
        "<div class=\"filter\" id=\"filter-box\" hidden>"
          + "<input type=\"search\" id=\"filter\" placeholder=\"Filter: words or ids\" "
          + "aria-label=\"Filter rules, vectors and failures\" autocomplete=\"off\">"
          + "<output id=\"found\"></output></div>")
      markup.contents(entries)
    }
    markup.line("</nav>")
  }

  private var entries: [Markup.Entry] {
    var entries: [Markup.Entry] = []
    func add(_ title: String, _ id: String, count: Int) {
      if count > 0 { entries.append(Markup.Entry(title, id: id, count: Self.grouped(count))) }
    }
    if let single {
      let results = single.report.results
      if !Self.offers(single.summary).isEmpty {
        entries.append(Markup.Entry("Core, capabilities and profiles", id: "offers"))
      }
      add("Failures", "failures", count: failures.count)
      add("Known failures", "known", count: results.count { $0.knownFailure != nil })
      add("No verdict", "no-verdict", count: single.summary.total.harnessErrors)
    } else {
      entries.append(Markup.Entry("Core, capabilities and profiles", id: "offers"))
      add("Differences", "failures", count: matrix.differences.count)
      add("Failed by all", "failed-by-all", count: Set(matrix.failedByAll).count)
      entries.append(Markup.Entry("Families of clauses", id: "families"))
    }
    let families = families
    if !families.isEmpty {
      entries.append(
        Markup.Entry(
          "Rules", id: "rules", count: Self.grouped(rules.count),
          entries: families.map {
            Markup.Entry($0.name.printable, id: anchor("family", $0.name.string))
          }))
    }
    add("Vectors", "vectors", count: rows.count)
    if let single {
      let total = single.summary.total
      add("Not run", "skipped", count: total.skipped + total.notTested)
    }
    return entries
  }

  /// The filter: it shows the rules, vectors and failures that contain every word.
  static let script = #"""
    const box = byId("filter");
    byId("filter-box").hidden = false;
    const items = [
      ["rule", ".clauses > li"], ["vector", ".vectors > li"],
      ["failure", ".failure, .rest > li[id]"],
    ].flatMap(([kind, query]) => [...document.querySelectorAll(query)].map(
      (element) => ({ kind, element, text: "" })));
    const groups = [...document.querySelectorAll(".family, .file, .more")];
    const cards = new Set(items.map((item) => item.element.closest("section")));
    const opened = new Map();
    const counted = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");
    const filter = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter((word) => word);
      const counts = { rule: 0, vector: 0, failure: 0 };
      const shownCards = new Set();
      for (const item of items) {
        if (words.length && !item.text) item.text = item.element.textContent.toLowerCase();
        const isShown = words.every((word) => item.text.includes(word));
        item.element.hidden = !isShown;
        if (!isShown) continue;
        counts[item.kind] += 1;
        shownCards.add(item.element.closest("section"));
      }
      for (const group of groups) {
        if (words.length && !opened.has(group)) opened.set(group, group.open);
        const isEmpty = words.length > 0 && !group.querySelector("li:not([hidden])");
        group.hidden = isEmpty;
        group.open = words.length ? !isEmpty : opened.get(group) ?? group.open;
      }
      if (!words.length) opened.clear();
      for (const card of cards) card.hidden = words.length > 0 && !shownCards.has(card);
      byId("found").textContent = words.length
        ? Object.entries(counts).map(([kind, count]) => counted(count, kind)).join(", ") : "";
    };
    box.addEventListener("input", filter);
    document.addEventListener("reveal", (event) => {
      if (!box.value || !event.detail.closest("[hidden]")) return;
      box.value = "";
      filter();
    });
    for (const link of document.querySelectorAll("[data-filter]")) {
      link.addEventListener("click", () => {
        box.value = link.dataset.filter;
        filter();
      });
    }
    """#
}
