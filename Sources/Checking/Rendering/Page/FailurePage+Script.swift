extension FailurePage {
  /// The script of the page: the slider, the two timelines and the trees.
  static let script = #"""
    const data = JSON.parse(document.getElementById("data").textContent);
    const slider = byId("slider"), now = byId("now"), tip = byId("tip");
    let view = "short", at = 0;

    const rowsOf = (name) => data.views[name];
    const element = (name, text, kind) => {
      const made = document.createElement(name);
      made.textContent = text;
      if (kind) made.className = kind;
      return made;
    };
    const tell = (row) => {
      const place = row.replica ? " at " + row.replica : "";
      const parts = [
        element("div", row.time + " s" + place + (row.step ? ", step " + row.step : ""), "faint"),
        element("b", row.words)];
      if (row.asked) parts.push(element("div", row.asked, "mono"));
      if (row.answered) parts.push(element("div", "→ " + row.answered, "mono"));
      return parts;
    };
    const show = (place, moves) => {
      const rows = rowsOf(view);
      at = Math.max(0, Math.min(place, rows.length - 1));
      const number = rows[at], row = data.rows[number];
      slider.max = rows.length - 1;
      slider.value = at;
      byId("count").textContent = rows.length ? at + 1 + " / " + rows.length : "";
      if (!row) return;
      now.replaceChildren(...tell(row));
      for (const old of document.querySelectorAll(".row.here")) old.classList.remove("here");
      const line = document.querySelector('[data-view="' + view + '"] [data-i="' + number + '"]');
      if (line) {
        line.classList.add("here");
        const box = line.closest(".timelines");
        const there = line.getBoundingClientRect(), frame = box.getBoundingClientRect();
        if (moves && (there.top < frame.top + 60 || there.bottom > frame.bottom - 30)) {
          box.scrollTop += there.top - frame.top - frame.height / 2;
        }
      }
      for (const figure of document.querySelectorAll("figure[data-lane]")) {
        let last = null;
        for (const version of figure.querySelectorAll("[data-from]")) {
          version.hidden = true;
          if (Number(version.dataset.from) <= number) last = version;
        }
        if (last) last.hidden = false;
        figure.dataset.state = last ? last.dataset.state : "";
        figure.classList.toggle("fresh", last !== null && Number(last.dataset.from) === number);
        figure.classList.toggle("down", row.up[Number(figure.dataset.lane)] === "0");
      }
      for (const section of document.querySelectorAll(".doc")) {
        const states = new Set();
        for (const figure of section.querySelectorAll("figure")) states.add(figure.dataset.state);
        section.querySelector(".differs").textContent =
          states.size > 1 ? "replicas differ" : "";
      }
    };
    const turn = (name) => {
      const number = rowsOf(view)[at] ?? 0;
      view = name;
      for (const part of document.querySelectorAll("[data-view]")) {
        part.hidden = part.dataset.view !== name;
      }
      for (const button of document.querySelectorAll("[data-turn]")) {
        button.setAttribute("aria-pressed", String(button.dataset.turn === name));
      }
      const rows = rowsOf(view);
      let place = rows.findIndex((row) => row >= number);
      show(place < 0 ? rows.length - 1 : place, true);
    };

    slider.addEventListener("input", () => show(Number(slider.value), true));
    byId("back").addEventListener("click", () => show(at - 1, true));
    byId("forth").addEventListener("click", () => show(at + 1, true));
    for (const button of document.querySelectorAll("[data-turn]")) {
      button.addEventListener("click", () => turn(button.dataset.turn));
    }
    document.addEventListener("keydown", (event) => {
      if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "ArrowLeft") show(at - 1, true);
      else if (event.key === "ArrowRight") show(at + 1, true);
      else return;
      event.preventDefault();
    });
    for (const line of document.querySelectorAll(".row")) {
      const number = Number(line.dataset.i);
      line.addEventListener("click", () => show(rowsOf(view).indexOf(number), false));
      line.addEventListener("mousemove", (event) => {
        tip.replaceChildren(...tell(data.rows[number]));
        tip.hidden = false;
        const box = tip.getBoundingClientRect();
        tip.style.left = Math.min(event.clientX + 16, innerWidth - box.width - 12) + "px";
        tip.style.top = Math.min(event.clientY + 18, innerHeight - box.height - 12) + "px";
      });
      line.addEventListener("mouseleave", () => { tip.hidden = true; });
    }
    show(rowsOf(view).length - 1, true);
    """#
}
