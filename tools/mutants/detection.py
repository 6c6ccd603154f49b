"""Measures the processor time until a campaign finds a mutant.

A measurement is one base seed: a campaign starts at the seed `base * 1,000,000 + 1` and ends at its first finding. The
time is the processor time of the whole process, its start included.
"""

import dataclasses
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

# The layers of `mutants.json` by the family of the clause. The campaigns of a layer are tried in this order.
FAMILIES = {
    "CDTIS": ["stored-objects", "objects", "contexts-complete"],
    "PRED": ["fetches", "contexts-complete", "selectors"],
    "FETCH": ["fetches", "contexts-complete", "selectors"],
    "CTX": ["contexts-complete", "simulate-contexts"],
    "CONFL": ["contexts-complete", "simulate-contexts"],
    "FLUSH": ["compare", "contexts-complete"],
    "DS": ["stacks"],
    "FIND": ["compare", "selectors"],
    "COLL": ["collections", "migrations", "devices"],
}
DOCUMENTS = ["compare", "simulate"]
# Parts of families that have a layer of their own, by the beginning of the names of their vectors.
PARTS = {"collection-migration-": "migrations", "geography-": "selectors", "find-regex-": "selectors"}

# The words of a campaign before those of its implementation.
COMMANDS = {
    "compare": ["compare", "--fail-fast"],
    "simulate": ["simulate", "--jobs", "1", "--fail-fast"],
    "replicator": ["simulate", "--jobs", "1"],
    "simulate-contexts": ["simulate", "--contexts", "--jobs", "1", "--fail-fast"],
    "objects": ["objects"],
    "devices": ["collections"],
}
LAYERS = [
    "contexts", "contexts-complete", "stacks", "collections", "migrations", "selectors", "fetches", "stored-objects",
]
COMMANDS.update({layer: ["compare", "--layer", layer, "--fail-fast"] for layer in LAYERS})

SEEDS_PER_BASE = 1_000_000
# The signals of a program that ends because of an error of its own. Any other signal was sent to it.
TRAPS = (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV)


@dataclasses.dataclass(frozen=True)
class Run:
    """The end of one measurement. `seed` and `oracle` are None if nothing was found."""

    centiseconds: int
    seed: int | None = None
    oracle: str | None = None


class Failure(Exception):
    """The program did not run as it should."""


def campaigns(mutant, replicator_mutants):
    """Returns the campaigns that can reach a mutant of `mutants.json`, in the order in which they are tried."""
    if mutant["kind"] == "source":
        return ["compare"]
    if mutant["name"] in replicator_mutants:
        return ["replicator"]
    layers = FAMILIES.get(mutant["clause"].split("-")[0], DOCUMENTS)
    own = [layer for begin, layer in PARTS.items() if layer in layers and mutant["vectors"]
           and all(name.startswith(begin) for name in mutant["vectors"])]
    return own + [layer for layer in layers if layer not in own]


def words(mutant, campaign):
    """The command line of a campaign with a mutant, without seeds."""
    if mutant["kind"] == "source":
        # The program contains the error, in the model or in the store that it is compared with.
        return COMMANDS[campaign] + ["--implementation", "sqlite"]
    if campaign == "replicator":
        return COMMANDS[campaign] + ["--implementation", "reference", "--mutant", mutant["name"]]
    return COMMANDS[campaign] + ["--implementation", f"mutant:{mutant['name']}"]


def measure(program, mutant, campaign, base, cap_seconds):
    """Runs a campaign from a base seed to its first finding, for at most `cap_seconds` of processor time."""
    first = base * SEEDS_PER_BASE + 1
    command = [str(program), *words(mutant, campaign), "--seeds", f"{first}..{first + SEEDS_PER_BASE - 2}",
               "--report", "-"]
    environment = dict(os.environ)
    if mutant["kind"] == "source":
        environment["TOUCHSTONE_MUTANT"] = mutant["name"]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL, env=environment,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cap_seconds, cap_seconds + 5)))
        # A process that waits uses no processor time, so the wall has a limit, too.
        deadline = time.monotonic() + 20 * cap_seconds + 60
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = round((usage.ru_utime + usage.ru_stime) * 100)
        output.seek(0)
        errors.seek(0)
        return ended(process.returncode, spent, output.read(), errors.read())


def ended(code, centiseconds, output, errors):
    """The meaning of the end of a campaign."""
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return Run(centiseconds)
    if -code in TRAPS:
        # The program trapped: a finding, whose seed is in no report.
        return Run(centiseconds, oracle="crash")
    if code not in (0, 1):
        text = errors.decode(errors="replace").strip()
        raise Failure(f"exit code {code}: {text[-500:]}")
    document = json.loads(output)
    report = document["report"]
    if report["failures"]:
        failure = report["failures"][0]
        return Run(centiseconds, failure["seed"], failure["oracle"])
    if report.get("deviations"):
        return Run(centiseconds, document["seeds"][0]["ran"][-1][1], "deviation")
    return Run(centiseconds)


SHRUNK = re.compile(rb"(\d+) (?:operations?|steps?) after shrinking")
SMALLEST = re.compile(rb"smallest:? +(?:not searched: )?(\d+) (of|steps? and message faults?|operations?)")


def shrink(program, mutant, campaign, seed, cap_seconds):
    """The length of a shrunk finding, and of its smallest failing part; None where it is unknown."""
    if campaign in ("objects", "devices"):
        return None
    environment = dict(os.environ)
    if mutant["kind"] == "source":
        environment["TOUCHSTONE_MUTANT"] = mutant["name"]
    with tempfile.TemporaryDirectory() as folder:
        def text(*command):
            done = subprocess.run(
                [str(program), *command], capture_output=True, env=environment, cwd=folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cap_seconds, cap_seconds + 5)))
            return done.stderr

        command = [*words(mutant, campaign), "--seeds", str(seed)]
        if command[0] == "compare":
            output = text(*command, "--minimum")
        else:
            text(*command, "--save", "found")
            options = [word for word in words(mutant, campaign)[1:] if word not in ("--jobs", "1", "--fail-fast")]
            output = text("shrink", "found.json", *options, "--minimum")
    shrunk, smallest = SHRUNK.search(output), SMALLEST.search(output)
    if shrunk is None:
        return None
    if smallest is None:
        return [int(shrunk[1]), None]
    # Of a schedule, message faults count beside its steps.
    count = re.search(rb"smallest:? +(?:\d+ of |not searched: )(\d+)", output)
    return [int(count[1]), int(smallest[1]) if smallest[2] == b"of" else None]


def replicator_mutants(program):
    """The names that `simulate --mutant` takes."""
    end = subprocess.run([program, "simulate", "--mutant", "?"], capture_output=True, text=True)
    _, _, rest = end.stderr.partition("expected one of ")
    names = [name.strip() for name in rest.splitlines()[0].split(",")]
    if end.returncode != 2 or len(names) < 2:
        raise Failure(f"{pathlib.Path(program).name} did not list the mutants of simulate")
    return set(names)


def files_of_vectors(folder):
    """The file of each vector, relative to the corpus."""
    files = {}
    for part in ("core", "capabilities", "profiles"):
        for path in sorted((folder / part).glob("*.json")):
            for vector in json.loads(path.read_text())["vectors"]:
                files[vector["id"]] = str(path.relative_to(folder))
    return files


def out_of_reach(mutant, files):
    """Why no campaign can find a mutant; None if one may."""
    places = [files.get(name, "") for name in mutant["vectors"]]
    if places and all("sizes" in place for place in places):
        return "campaigns do not draw sizes near the limits"
    if places and all(place.startswith("profiles/") and "dense" not in place for place in places):
        return "campaigns do not test this profile"
    return None
