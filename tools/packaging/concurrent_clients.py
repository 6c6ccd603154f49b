"""Several clients at once, for `tools/soak --concurrent`: correct stores, and mutants that must be found.

The source mutants of the SQLite store are in a program of their own, which `tools/mutants/build.py --concurrent
--scratch .build/concurrent-mutants` builds; without it they are left out, and the closing line says so.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
ADAPTER = "tools/adapters/python/concurrent_adapter.py"
MUTANTS = "tools/diagnosis/python-concurrency-mutants.json"
PROGRAM = TOP / ".build/concurrent-mutants/touchstone"

# Stores without a finding: the options of `touchstone concurrent`.
CORRECT = [
    ["--implementation", "reference", "--connections", "8"],
    ["--implementation", "reference", "--connections", "8", "--schedule", "controlled"],
    ["--connections", "8"],
    ["--connections", "8", "--schedule", "controlled"],
    ["--connections", "4", "--schedule", "controlled", "--faults", "full,clock"],
    ["--connections", "8", "--processes"],
    ["--connections", "8", "--processes", "--faults", "kill,pause,clock"],
    ["--implementation", f"exec:{TOP / ADAPTER}", "--connections", "4"],
    ["--implementation", f"exec:{TOP / ADAPTER}", "--connections", "4", "--schedule", "controlled"],
]


def call(program, options, seconds, **variables):
    """Returns the exit code, the output and the processor time of a call in seconds."""
    before = os.times()
    command = [program, *options] + (["--seconds", str(seconds)] if options[0] == "concurrent" else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env=dict(os.environ, **variables))
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return done.returncode, done.stdout.decode(errors="replace"), spent


class Soak:
    """The campaigns, with what did not go as expected."""

    def __init__(self, touchstone, seconds):
        self.touchstone, self.seconds = str(touchstone), seconds
        self.problems, self.found, self.times = 0, 0, []

    def correct(self):
        for options in CORRECT:
            code, written, _ = call(self.touchstone, ["concurrent", *options], self.seconds)
            first = written.splitlines()[0] if written else ""
            print(f"{' '.join(options)}: {first}", flush=True)
            if code != 0:
                print(written, flush=True)
                self.problems += 1

    def mutant(self, name, attempts):
        """Counts a mutant; each attempt is a program, its options and its variables."""
        spent = 0
        for program, options, variables in attempts:
            code, _, seconds = call(program, options, 60, **variables)
            spent += seconds
            if code == 1:
                self.found += 1
                self.times.append(spent)
                print(f"{name}: found in {spent:.1f} s by {options[0]}", flush=True)
                return
        self.problems += 1
        print(f"{name}: not found in {spent:.1f} s", flush=True)

    def python_mutants(self):
        names = [mutant["name"] for mutant in json.loads((TOP / MUTANTS).read_text())["mutants"]]
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                copy = pathlib.Path(folder) / name
                subprocess.run([TOP / "tools/diagnosis/mutate_python.py", name, copy, "--list",
                                pathlib.Path(MUTANTS).name], check=True, stdout=subprocess.DEVNULL)
                implementation = f"exec:{copy / 'adapters/python/concurrent_adapter.py'}"
                options = ["concurrent", "--implementation", implementation, "--connections", "3",
                           "--schedule", "controlled"]
                self.mutant(f"python {name}", [(self.touchstone, options, {})])

    def sqlite_mutants(self):
        if not PROGRAM.is_file():
            print(f"no program at {PROGRAM}: the source mutants of the SQLite store are left out", flush=True)
            return
        for path in sorted((TOP / "tools/mutants/concurrent").glob("*.patch")):
            variables = {"TOUCHSTONE_MUTANT": path.stem}
            ways = [["concurrent", "--schedule", "controlled", "--connections", "3"],
                    ["concurrent", "--processes", "--connections", "8"], ["interleave"],
                    # A compaction beside a write of the content that it removes: more schedules than others.
                    ["interleave", "--pairs", "17..17", "--runs", "12000"]]
            self.mutant(path.stem, [(str(PROGRAM), way, variables) for way in ways])


def run(touchstone, seconds):
    """Runs all campaigns. Returns an exit code."""
    begin = time.monotonic()
    soak = Soak(touchstone, seconds)
    soak.correct()
    soak.python_mutants()
    soak.sqlite_mutants()
    times = sorted(soak.times)
    middle = times[len(times) // 2] if times else 0
    print(f"concurrent: {len(CORRECT)} correct stores, {soak.found} mutants found in a median of {middle:.1f} s "
          f"of processor time, {soak.problems} problems, {time.monotonic() - begin:.0f} s")
    return 1 if soak.problems else 0
