#!/usr/bin/env python3
"""The mutant catalogue: how much processor time the campaigns need to find each named mutant.

    tools/mutants/catalogue.py run                  continues the measurement
    tools/mutants/catalogue.py run --minutes 30     for half an hour
    tools/mutants/catalogue.py run --again          measures all mutants again, row by row
    tools/mutants/catalogue.py shrink               shrinks the first finding of each mutant
    tools/mutants/catalogue.py page                 writes the page from the measured figures
    tools/mutants/catalogue.py status               the summary, as the page has it

The figures are in docs/catalogue/catalogue.json, the page is docs/catalogue/catalogue.html. Each mutant is a row with
its own date and commit, so that the catalogue can be measured and committed in parts.

The measurement has three rounds: one base seed for each mutant, with at most 20 s of processor time; two more base seeds
of the same kind; 20 base seeds with at most 60 s for each mutant that was found. A mutant that no base seed of the first
two rounds finds is tried with the next campaign that can reach it. `detection.py` has the campaigns.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import catalogue_figures
import catalogue_page
import detection

TOP = pathlib.Path(__file__).resolve().parents[2]
FIGURES = TOP / "docs/catalogue/catalogue.json"
PAGE = TOP / "docs/catalogue/catalogue.html"
SHORT_SECONDS, LONG_SECONDS = 20, 60
# The numbers of base seeds after each round.
ROUNDS = (1, 3, 20)


class Catalogue:
    """The rows by the names of their mutants, and the file that holds them."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.rows = {}
        if path.exists():
            self.rows = {row["name"]: row for row in catalogue_figures.read(path)["rows"]}

    def put(self, row):
        """Stores a row and writes the file, which is replaced at once."""
        with self.lock:
            self.rows[row["name"]] = row
            document = catalogue_figures.document(list(self.rows.values()))
            new = self.path.with_suffix(".new")
            new.write_text(catalogue_figures.text(document))
            os.replace(new, self.path)


def machine():
    """What the figures were measured on, in one line."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    return f"{model}, {os.cpu_count()} processors, {os.uname().sysname} {os.uname().machine}"


def commit():
    text = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=TOP, capture_output=True, text=True, check=True)
    return text.stdout.strip()


def next_row(mutant, row, round_number, context):
    """Measures what a row lacks up to a round; returns the new row, or None if nothing is missing."""
    wanted = ROUNDS[round_number]
    campaigns = detection.campaigns(mutant, context["replicator"])
    row = row or {"name": mutant["name"], "campaign": campaigns[0], "tried": [], "runs": []}
    runs = [detection.Run(*run) for run in row["runs"]]
    tried = list(row["tried"])
    campaign = row["campaign"]
    before = (campaign, len(runs))
    while True:
        isFound = any(run.oracle for run in runs)
        if len(runs) >= (wanted if isFound or round_number == 0 else min(wanted, ROUNDS[1])):
            untried = [one for one in campaigns if one != campaign and one not in tried]
            if isFound or len(runs) < ROUNDS[1] or not untried:
                break
            # No base seed found it: the next campaign begins.
            tried.append(campaign)
            campaign, runs = untried[0], []
            continue
        cap = LONG_SECONDS if isFound and round_number == 2 else SHORT_SECONDS
        base = len(runs) + 1
        runs.append(detection.measure(context["program"](mutant), mutant, campaign, base, cap))
    if (campaign, len(runs)) == before:
        return None
    return {
        "name": mutant["name"], "campaign": campaign, "tried": tried, "date": context["date"],
        "commit": context["commit"], "machine": machine(),
        "runs": [[run.centiseconds, run.seed, run.oracle] for run in runs],
    }


def programs(options):
    """Returns a function from a mutant to the program that can run it."""
    source = TOP / ".build/mutants/touchstone"

    def program(mutant):
        return source if mutant["kind"] == "source" else options.touchstone

    return program, source.exists()


def run(options):
    mutants = json.loads((TOP / "Vectors/mutants.json").read_text())["mutants"]
    program, has_source = programs(options)
    if not has_source:
        print("no .build/mutants/touchstone (tools/mutants/build.py): source mutants are left out", file=sys.stderr)
        mutants = [mutant for mutant in mutants if mutant["kind"] != "source"]
    files = detection.files_of_vectors(TOP / "Vectors")
    known = detection.replicator_mutants(options.touchstone)
    mutants = [m for m in mutants if m["name"] in known or not detection.out_of_reach(m, files)]
    if options.filter:
        wanted = set(options.filter)
        mutants = [m for m in mutants if wanted & {m["name"], m["clause"], m["clause"].split("-")[0]}]
        if not mutants:
            print("no mutant that a campaign may find is, or breaks, " + ", ".join(sorted(wanted)), file=sys.stderr)
            return 2
    catalogue = Catalogue(FIGURES)
    context = {
        "program": program, "replicator": known,
        "date": datetime.date.today().isoformat(), "commit": options.commit or commit(),
    }
    begin = time.monotonic()
    deadline = begin + options.minutes * 60 if options.minutes else None
    failures = []
    isOver = threading.Event()

    def work(mutant, round_number):
        if isOver.is_set() or deadline and time.monotonic() > deadline:
            return
        old = catalogue.rows.get(mutant["name"])
        if options.again and old and old["commit"] != context["commit"]:
            old = None
        try:
            row = next_row(mutant, old, round_number, context)
        except detection.Failure as failure:
            failures.append(f"{mutant['name']}: {failure}")
            return
        if row:
            catalogue.put(row)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            for round_number in range(options.rounds):
                done = 0
                for _ in pool.map(lambda mutant: work(mutant, round_number), mutants):
                    done += 1
                    if sys.stderr.isatty():
                        print(f"\rround {round_number + 1}: {done} of {len(mutants)}", end="", file=sys.stderr)
        except KeyboardInterrupt:
            isOver.set()
    for failure in failures:
        print(failure, file=sys.stderr)
    print(catalogue_figures.summary(catalogue_figures.document(list(catalogue.rows.values()))))
    return 3 if failures else 0


def shrink(options):
    """Adds the lengths of shrunk findings to the rows."""
    mutants = {m["name"]: m for m in json.loads((TOP / "Vectors/mutants.json").read_text())["mutants"]}
    program, has_source = programs(options)
    catalogue = Catalogue(FIGURES)
    deadline = time.monotonic() + options.minutes * 60 if options.minutes else None

    def work(row):
        mutant = mutants.get(row["name"])
        seed = next((run[1] for run in row["runs"] if run[1]), None)
        if mutant is None or seed is None or "shrunk" in row or deadline and time.monotonic() > deadline:
            return
        if mutant["kind"] == "source" and not has_source:
            return
        lengths = detection.shrink(program(mutant), mutant, row["campaign"], seed, LONG_SECONDS)
        catalogue.put(row | {"shrunk": lengths})

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, list(catalogue.rows.values())))
    print(catalogue_figures.summary(catalogue_figures.document(list(catalogue.rows.values()))))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("run", help="continue the measurement")
    action.add_argument("--touchstone", type=pathlib.Path, default=TOP / ".build/release/touchstone",
                        help="the program; the release build by default")
    action.add_argument("--minutes", type=float, help="begin no mutant after this time")
    action.add_argument("--rounds", type=int, choices=(1, 2, 3), default=3, help="run only the first rounds")
    action.add_argument("--jobs", type=int, default=os.cpu_count(), help="campaigns at a time")
    action.add_argument("--filter", action="append", default=[],
                        help="only a mutant, a clause or a family of clauses; may be repeated")
    action.add_argument("--commit", help="the commit of the program; HEAD by default")
    action.add_argument("--again", action="store_true", help="measure rows of other commits again")
    action = actions.add_parser("shrink", help="shrink the first finding of each mutant")
    action.add_argument("--touchstone", type=pathlib.Path, default=TOP / ".build/release/touchstone",
                        help="the program; the release build by default")
    action.add_argument("--minutes", type=float, help="begin no mutant after this time")
    action.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    action = actions.add_parser("page", help="write the page from the figures")
    action.add_argument("--check", action="store_true", help="only compare it with the file")
    actions.add_parser("status", help="print the summary")
    options = parser.parse_args()
    if options.action in ("run", "shrink"):
        if options.jobs < 1:
            parser.error(f"expected --jobs of 1 or more, found {options.jobs}")
        if not os.access(options.touchstone, os.X_OK):
            parser.error(f"no program at {options.touchstone}: build it with swift build -c release")
    if options.action == "run":
        FIGURES.parent.mkdir(exist_ok=True)
        return run(options)
    if options.action == "shrink":
        return shrink(options)
    document = catalogue_figures.read(FIGURES)
    if options.action == "status":
        print(catalogue_figures.summary(document))
        return 0
    corpus = json.loads((TOP / "Vectors/mutants.json").read_text())
    html = catalogue_page.html(document, corpus, detection.files_of_vectors(TOP / "Vectors"))
    if options.check:
        if PAGE.read_text() != html:
            print(f"{PAGE.relative_to(TOP)} is out of date: tools/mutants/catalogue.py page", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(html)
    print(f"wrote {PAGE.relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
