"""The figures of the mutant catalogue: their file, and the numbers that follow from them.

    {"format": "touchstone-mutant-catalogue", "version": 2, "machines": […], "rows": [{"name", "campaign", "tried", "date",
    "commit", "machine", "runs": [[centiseconds, seed, oracle], …], "shrunk": [length, smallest]}]}

`machine` is the place of the machine in `machines`; `read` returns its text in each row.
`runs` has one element for each base seed, in their order. `seed` and `oracle` are null if the campaign found nothing in
its time. `tried` names the campaigns that did not find the mutant before. `shrunk` has the number of operations, or of
steps and message faults, of the first finding after shrinking, and of its smallest failing part, null if that was not
searched.
"""

import json

FORMAT, VERSION = "touchstone-mutant-catalogue", 2
MEMBERS = ("name", "campaign", "tried", "date", "commit", "machine", "runs", "shrunk")


def read(path):
    document = json.loads(path.read_text())
    if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise SystemExit(f"{path.name}: expected format {FORMAT}, version {VERSION}")
    for row in document["rows"]:
        row["machine"] = document["machines"][row["machine"]]
    return document


def document(rows):
    """The document of these rows, as `read` returns it."""
    rows = sorted(rows, key=lambda row: row["name"].encode())
    return {"format": FORMAT, "version": VERSION, "machines": sorted({row["machine"] for row in rows}),
            "rows": [{member: row[member] for member in MEMBERS if member in row} for row in rows]}


def text(document):
    """The document with one row on a line, so that a changed row is a changed line."""
    machines = document["machines"]
    rows = [row | {"machine": machines.index(row["machine"])} for row in document["rows"]]
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    head = json.dumps({member: document[member] for member in ("format", "version", "machines")}, ensure_ascii=False)
    return head[:-1] + ', "rows": [\n' + ",\n".join(lines) + "\n]}\n"


def quantile(values, hundredths):
    """The smallest value that at least this share of all values does not exceed; None (not found) is the greatest."""
    ordered = sorted(values, key=lambda value: (value is None, value or 0))
    return ordered[max(0, -(-len(ordered) * hundredths // 100) - 1)] if ordered else None


def times(row):
    """The centiseconds of each base seed; None where nothing was found."""
    return [run[0] if run[2] else None for run in row["runs"]]


def is_found(row):
    return any(run[2] for run in row["runs"])


def oracles(row):
    """The oracles that found the mutant, the most frequent first."""
    counts = {}
    for _, _, oracle in row["runs"]:
        if oracle:
            counts[oracle] = counts.get(oracle, 0) + 1
    return sorted(counts, key=lambda oracle: (-counts[oracle], oracle))


def seconds(centiseconds):
    return "not found" if centiseconds is None else f"{centiseconds / 100:.2f} s"


def equal_share(rows):
    """The share of detections within 20 s if each mutant counts as much as any other, whatever its number of base seeds."""
    shares = [sum(1 for time in times(row) if time is not None and time <= 2000) / len(row["runs"]) for row in rows]
    return sum(shares) / max(1, len(shares))


def shrinking(rows):
    """The ratio of shrunk findings to their smallest failing parts, as a line."""
    pairs = [row["shrunk"] for row in rows if row.get("shrunk") and row["shrunk"][1]]
    if not pairs:
        return "no shrunk finding was compared with its smallest part"
    exact = sum(1 for length, least in pairs if length == least)
    worst = max(length / least for length, least in pairs)
    total = sum(length for length, _ in pairs) / sum(least for _, least in pairs)
    return (f"shrunk findings compared with their smallest part: {len(pairs)}, equal {exact}, ratio {total:.3f}, "
            f"largest {worst:.2f}")


def summary(document):
    """The shares of the detections, as lines."""
    rows = document["rows"]
    detections = [time for row in rows for time in times(row)]
    if not detections:
        return "no mutant is measured"
    found = [row for row in rows if is_found(row)]
    early = sum(1 for time in detections if time is not None and time <= 2000)
    dates = sorted(row["date"] for row in rows)
    complete = sum(1 for row in rows if len(row["runs"]) >= (20 if is_found(row) else 3))
    return "\n".join([
        f"{len(rows)} mutants, {len(detections)} detections (mutant and base seed), {dates[0]} to {dates[-1]}",
        f"found: {len(found)} mutants; in no base seed: {len(rows) - len(found)}",
        f"within 20 s of processor time: {early} of {len(detections)} ({100 * early / len(detections):.1f} %)",
        f"the same, each mutant with equal weight: {100 * equal_share(rows):.1f} %",
        f"median {seconds(quantile(detections, 50))}, 95th percentile {seconds(quantile(detections, 95))}",
        f"rows with all base seeds: {complete}",
        shrinking(rows),
    ])
