"""The three long soaks of `tools/soak --long`: campaigns that take days of processor time, in parts.

    search    10,000,000 seeds of simulate on the model, and 1,000,000 on SQLite
    stores    1,000,000 sequences of compare on SQLite, and crash --faults with all its cases
    inputs    every fuzz target for an hour of processor time

`tools/soak` without options compares the shipped adapters; its sums are the part `adapters`. The folder of another part
is that of a campaign, so a later call continues it; a part that began with another program is reported and begins again
only with --restart. `docs/soaks.json` has the figures of the parts, each with its date and commit, and README.md a table
of them.
"""

import datetime
import json
import pathlib
import signal
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
FIGURES = TOP / "docs/soaks.json"
README = TOP / "README.md"
BEGIN, END = "<!-- soaks -->\n", "<!-- end of soaks -->\n"

# The command, the number of seeds (None for a list of cases), and the number of shards.
PARTS = {
    "model": (["simulate", "--implementation", "reference"], 10_000_000, 20_000),
    "sqlite": (["simulate", "--implementation", "sqlite"], 1_000_000, 5_000),
    "compare": (["compare", "--implementation", "sqlite"], 1_000_000, 2_000),
    "crash": (["crash", "--faults"], None, 32),
}
NOUNS = {"simulate": "runs", "compare": "sequences", "crash": "scenarios"}
FUZZ_SECONDS = 3_600
SOAKS = {"search": ["model", "sqlite"], "stores": ["compare", "crash"], "inputs": ["fuzz"]}


class Failure(Exception):
    """A part cannot run."""


def parts(text):
    """The parts that a list of soaks and parts names, or all of them."""
    names = list(SOAKS) if text == "all" else text.split(",")
    known = [*PARTS, "fuzz"]
    for name in names:
        if name not in (*SOAKS, *known):
            raise Failure(f"unknown soak '{name}': expected all, or some of {', '.join([*SOAKS, *known])}")
    return [part for part in known if part in names or any(part in SOAKS.get(name, []) for name in names)]


def commit():
    """The commit of the sources, which must be those of the commit."""
    changed = subprocess.run(["git", "status", "--porcelain", "--", "Sources", "Package.swift"], cwd=TOP,
                             capture_output=True, text=True, check=True).stdout
    if changed:
        raise Failure("the sources have changes that are not committed: a soak states a commit")
    return subprocess.run(["git", "log", "-1", "--format=%h", "--abbrev=8", "--", "Sources", "Package.swift"], cwd=TOP,
                          capture_output=True, text=True, check=True).stdout.strip()


def figures():
    return json.loads(FIGURES.read_text()) if FIGURES.exists() else {"format": "touchstone-soaks", "version": 1, "parts": {}}


def store(name, row):
    """Stores the figures of a part, and the table in the README."""
    document = figures()
    document["parts"][name] = row
    document["parts"] = {part: document["parts"][part] for part in sorted(document["parts"])}
    FIGURES.write_text(json.dumps(document, indent=2) + "\n")
    text = README.read_text()
    if BEGIN in text and END in text:
        head, _, rest = text.partition(BEGIN)
        README.write_text(head + BEGIN + table(document) + END + rest.partition(END)[2])


def table(document):
    """The figures as a table in Markdown."""
    if not document["parts"]:
        return "None has run yet.\n"
    lines = ["| soak | ran | findings | commit | date |", "|---|---|---|---|---|"]
    for name, row in document["parts"].items():
        ran = f"{row['ran']:,} of {row['asked']:,} {row['noun']}"
        lines.append(f"| {name}: `{row['command']}` | {ran} | {row['findings']} | {row['commit']} | {row['date']} |")
    return "\n".join(lines) + "\n"


def store_adapters(progress, sizes, commit):
    """Stores the sums of the shipped adapters that were compared with the model, from the progress of `tools/soak`.

    `sizes` has the number of sequences that each adapter is asked for. Only what one commit reached is added up, from
    the first seed on.
    """
    states = {name: state for name, state in progress.items()
              if name in sizes and state["first"] == 1 and commit is not None and state.get("commit") == commit}
    ran = sum(min(state["next"] - 1, sizes[name]) for name, state in states.items())
    findings = sum(state.get("disagreed", False) for state in states.values())
    # An adapter can disagree in its first sequences.
    if ran == findings == 0:
        return
    store("adapters", {"command": "tools/soak", "noun": "sequences", "commit": commit,
                       "date": datetime.date.today().isoformat(), "ran": ran, "asked": sum(sizes.values()),
                       "findings": findings, "events": sum(state["operations"] for state in states.values())})


def campaign(name, folder, touchstone, minutes):
    """Runs a campaign, or the rest of it, for some minutes."""
    command, seeds, shards = PARTS[name]
    words = [TOP / "tools/campaign", "run", folder, "--touchstone", touchstone]
    words += ["--shards", str(shards)] + (["--seeds", f"1..{seeds}"] if seeds else [])
    # A job in the background of a shell ignores the interruption that ends the part.
    process = subprocess.Popen([str(word) for word in words] + ["--"] + command,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        process.wait(None if minutes is None else minutes * 60)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.send_signal(signal.SIGINT)
        process.wait()
    if process.returncode == 2:
        raise Failure(f"{folder}: another program or version began this soak; --restart discards it")
    return measured(name, folder, touchstone, commit())


def measured(name, folder, touchstone, commit):
    """The figures of a campaign, also of an incomplete one."""
    command, seeds, shards = PARTS[name]
    reports = sorted((folder / "reports").glob("*.json"))
    row = {"command": "touchstone " + " ".join(command), "noun": NOUNS[command[0]], "commit": commit,
           "date": datetime.date.today().isoformat(), "ran": 0, "asked": seeds or shards, "findings": 0, "events": 0}
    if not reports:
        return row
    words = [touchstone, "merge", "--partial", "--json", *reports]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise Failure(done.stderr.strip())
    document = json.loads(done.stdout)
    report = document["report"]
    row |= {"ran": report["runs"], "findings": len(report["failures"]), "events": report["events"]}
    if seeds is None and len(reports) == shards:
        row["asked"] = row["ran"]
    elif seeds is None:
        # How many cases the other shards have is unknown.
        row |= {"ran": len(reports), "noun": "shards"}
    return row


def fuzz(seconds, commit):
    """Runs every fuzz target; returns its figures."""
    targets = sorted(path.stem for path in (TOP / "tools/fuzz/targets").glob("*.swift"))
    found = ran = 0
    for target in targets:
        code = subprocess.run([TOP / "tools/fuzz/run", "--seconds", str(seconds), target]).returncode
        if code == 2:
            raise Failure(f"the fuzz target {target} was not built")
        found += code == 1
        ran += seconds
        store("fuzz", {"command": "tools/fuzz/run", "noun": "seconds", "commit": commit, "ran": ran,
                       "date": datetime.date.today().isoformat(), "asked": len(targets) * FUZZ_SECONDS,
                       "findings": found, "events": 0})
    return found


def run(names, folder, touchstone, minutes, fuzz_seconds=FUZZ_SECONDS):
    """Runs parts one after the other, each for some minutes. Returns an exit code."""
    findings = 0
    for name in names:
        if name == "fuzz":
            findings += fuzz(fuzz_seconds, commit())
            continue
        row = campaign(name, folder / name, touchstone, minutes)
        if row["ran"]:
            store(name, row)
        findings += row["findings"]
        print(f"soak {name}: {row['ran']} of {row['asked']} {row['noun']}, {row['findings']} findings", flush=True)
    return 1 if findings else 0
