"""The page of the mutant catalogue: a survival curve, and a table that can be sorted without a network."""

import html as markup
import math
import re

import catalogue_figures as figures
import detection

STYLE = """
:root { --paper: #f7f7f4; --card: #fff; --ink: #22262b; --faint: #5d656e; --line: #dcdfe3; --accent: #1f5fa8; --bad: #a3352b; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --card: #1d2126; --ink: #e4e7ea; --faint: #9aa3ad;
  --line: #333a42; --accent: #7db2ee; --bad: #f08a7e; } }
body { margin: 0 auto; max-width: 1180px; padding: 28px 22px 60px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 34px 0 8px; }
p { max-width: 78ch; } .faint { color: var(--faint); } code { font: 13px ui-monospace, monospace; }
.figures { display: flex; flex-wrap: wrap; gap: 10px; margin: 18px 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 16px; }
.figures b { display: block; font-size: 22px; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th, td { text-align: left; padding: 5px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
th { position: sticky; top: 0; background: var(--card); white-space: nowrap; }
th button { all: unset; cursor: pointer; font-weight: 600; } th button:focus-visible { outline: 2px solid var(--accent); }
th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td .faint { display: block; font-size: 12.5px; } .bad { color: var(--bad); }
svg { display: block; width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--faint); } svg .grid { stroke: var(--line); }
svg path { fill: none; stroke-width: 2; }
input { font: inherit; padding: 6px 10px; width: 22em; max-width: 100%; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); color: var(--ink); margin: 0 0 10px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0; font-size: 13.5px; }
.legend i { display: inline-block; width: 18px; height: 3px; vertical-align: middle; margin-right: 6px; }
"""

SCRIPT = """
const table = document.querySelector('#rows'), body = table.tBodies[0];
table.querySelectorAll('th button').forEach((button, column) => button.addEventListener('click', () => {
  const head = button.parentElement, down = head.getAttribute('aria-sort') === 'ascending';
  table.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const value = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const order = (a, b) => {
    const [x, y] = [value(a), value(b)];
    return x !== '' && y !== '' && !isNaN(x) && !isNaN(y) ? x - y : x < y ? -1 : x > y ? 1 : 0;
  };
  const rows = [...body.rows].sort((a, b) => down ? order(b, a) : order(a, b));
  body.append(...rows);
}));
document.querySelector('#search').addEventListener('input', event => {
  const words = event.target.value.toLowerCase().split(/\\s+/);
  for (const row of body.rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
});
"""

COLOURS = ("#1f78b4", "#e07b00", "#2f8f4e", "#b03a8c", "#8a6d1f", "#5b5bd6", "#c23b3b", "#1a9a9a", "#777777")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 1000, 330, 56, 40, 16
# The time axis, in centiseconds, logarithmic.
FIRST, LAST = 5, 6000


def place(centiseconds):
    share = math.log(max(FIRST, centiseconds) / FIRST) / math.log(LAST / FIRST)
    return LEFT + min(1, share) * (WIDTH - LEFT - 16)


def height(share):
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def curve(times):
    """The share of detections that are still open, as a path of steps."""
    found = sorted(time for time in times if time is not None)
    parts = [f"M{place(FIRST):.1f} {height(1):.1f}"]
    for number, time in enumerate(found, 1):
        parts.append(f"H{place(time):.1f}V{height(1 - number / len(times)):.1f}")
    return "".join(parts) + f"H{place(LAST):.1f}"


def chart(groups):
    lines = []
    for share in (0, 25, 50, 75, 100):
        y = height(share / 100)
        lines.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 16}" y1="{y:.1f}" y2="{y:.1f}"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share} %</text>')
    for seconds in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60):
        x = place(seconds * 100)
        lines.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
                     f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{seconds:g} s</text>')
    for (name, times), colour in zip(groups, COLOURS):
        wide = ' style="stroke-width:3.5"' if name == "all" else ""
        lines.append(f'<path d="{curve(times)}" stroke="{colour}"{wide}><title>{markup.escape(name)}</title></path>')
    legend = "".join(f'<span><i style="background:{colour}"></i>{markup.escape(name)} ({len(times)})</span>'
                     for (name, times), colour in zip(groups, COLOURS))
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Share of detections that are still open, over '
            f'processor time">{"".join(lines)}</svg><div class="legend">{legend}</div>')


def cell(text, value=None, kind=""):
    sort = "" if value is None else f' data-value="{markup.escape(str(value))}"'
    return f"<td{sort}{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{text}</td>"


def duration(time, is_found=True):
    text = figures.seconds(time)
    return cell(text if time is not None else '<span class="bad">not found</span>',
                10**9 if time is None else time, "number")


def sentence(mutant):
    """The sentence of a mutant, with its code in `code` elements."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", markup.escape(mutant["sentence"]))


def row_html(row, mutant):
    times = figures.times(row)
    found = sum(1 for time in times if time is not None)
    vectors = len(mutant["vectors"]) + mutant["observed"] + mutant["generated"]
    shrunk = row.get("shrunk")
    return "<tr>" + "".join([
        cell(f'<code>{markup.escape(row["name"])}</code><span class="faint">{sentence(mutant)}</span>',
             row["name"]),
        cell(markup.escape(mutant["clause"])), cell(markup.escape(row["campaign"])),
        cell(markup.escape(", ".join(figures.oracles(row)))),
        duration(figures.quantile(times, 50)), duration(figures.quantile(times, 95)),
        cell(f"{found} of {len(times)}", found / len(times), "number"),
        cell("" if not shrunk else f"{shrunk[0]}" + (f" / {shrunk[1]}" if shrunk[1] else ""),
             shrunk[0] if shrunk else 10**9, "number"),
        cell(str(vectors), vectors, "number"),
        cell(f'{row["date"]} <code>{row["commit"]}</code>', row["date"]),
    ]) + "</tr>"


def rest_html(mutant, reason):
    """A mutant without a measurement."""
    vectors = ", ".join(f"<code>{markup.escape(name)}</code>" for name in mutant["vectors"][:4])
    name = f'<code>{markup.escape(mutant["name"])}</code>'
    return ("<tr>" + cell(name) + cell(markup.escape(mutant["clause"]))
            + cell(markup.escape(reason or "not measured yet")) + cell(vectors) + "</tr>")


HEADS = ("mutant", "clause", "campaign", "oracle", "median", "95th percentile", "found", "shortest", "vectors", "measured")


def html(document, corpus, files):
    """The page; a function of the figures, of `mutants.json` and of the files of the vectors."""
    mutants = {mutant["name"]: mutant for mutant in corpus["mutants"]}
    rows = [row for row in document["rows"] if row["name"] in mutants]
    everything = [time for row in rows for time in figures.times(row)]
    groups = [("all", everything)]
    for campaign in sorted({row["campaign"] for row in rows}):
        groups.append((campaign, [time for row in rows if row["campaign"] == campaign for time in figures.times(row)]))
    measured = {row["name"] for row in rows}
    rest = [mutant for mutant in corpus["mutants"] if mutant["name"] not in measured]
    out_of_reach = [(mutant, detection.out_of_reach(mutant, files)) for mutant in rest]
    early = sum(1 for time in everything if time is not None and time <= 2000)
    boxes = [
        (len(rows), "mutants"), (len(everything), "detections"),
        (f"{100 * early / max(1, len(everything)):.1f} %", "of detections within 20 s"),
        (f"{100 * figures.equal_share(rows):.1f} %", "with equal weight per mutant"),
        (figures.seconds(figures.quantile(everything, 50)), "median"),
        (figures.seconds(figures.quantile(everything, 95)), "95th percentile"),
        (sum(1 for row in rows if not figures.is_found(row)), "mutants not found"),
    ]
    dates = sorted(row["date"] for row in rows) or ["–"]
    head = "".join(f'<th><button type="button">{name}</button></th>' for name in HEADS)
    lines = "\n".join(row_html(row, mutants[row["name"]]) for row in rows)
    others = "\n".join(rest_html(mutant, reason) for mutant, reason in out_of_reach)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mutant catalogue</title><style>{STYLE}</style></head><body>
<h1>Mutant catalogue</h1>
<p class="faint">{" to ".join(sorted(set((dates[0], dates[-1]))))} · {markup.escape("; ".join(document["machines"]))}</p>
<p>A mutant is a store with one bug. A detection is one mutant and one base seed: a campaign runs new seeds until it finds
the bug. Times are processor time of one core, with the start of the program. The limit is 20 s for the first 3 base seeds.
Mutants that were found get up to 17 more, with a limit of 60 s; the column “found” states how many were run.
Mutants with more base seeds have more detections, so the share with equal weight is stated, too.</p>
<div class="figures">{"".join(f"<div><b>{value}</b>{label}</div>" for value, label in boxes)}</div>
<h2>Share of detections still open</h2>
{chart(groups)}
<h2>Mutants</h2>
<p class="faint">“Shortest” is the length of the shrunk sequence or schedule of the first base seed, and after the slash
the smallest length that a complete search of its parts finds, where it was possible.</p>
<input id="search" type="search" placeholder="Search: a name, a clause, a campaign" aria-label="Search">
<div class="scroll"><table id="rows"><thead><tr>{head}</tr></thead><tbody>
{lines}
</tbody></table></div>
<h2>Not in the figures</h2>
<div class="scroll"><table><thead><tr><th>mutant</th><th>clause</th><th>reason</th><th>vectors</th></tr></thead><tbody>
{others}
</tbody></table></div>
<script>{SCRIPT}</script></body></html>
"""
