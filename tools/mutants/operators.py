#!/usr/bin/env python3
"""Generates mutants of the sources by operator, all in one program, and runs the vectors on each.

A comparison is flipped or its boundary moved, `&&` becomes `||`, `+` becomes `-`, an integer is
incremented or decremented, a condition is negated or its branch dropped, a call or an assignment skipped,
a boolean flipped. Each mutant has a number, and the environment variable TOUCHSTONE_MUTANT selects the
active one, so one build is enough. A mutated operator becomes a new operator of the same precedence with
the number in its name; a statement becomes `if mutant(7) { … }`. Mutants that the compiler rejects are
dropped and counted.

    tools/mutants/operators.py                       all mutants: score per module, survivors
    tools/mutants/operators.py --sample 70 --seed 1  70 mutants of each module
    tools/mutants/operators.py --filter 'Tree/*'     only files whose path matches

A sample is drawn before the build, which compiles only what was drawn; a mutant that the compiler
rejects is replaced by the next one in the same random order.

The Swift tests of a module (`suites.py`) run on each mutant that survives the vectors, and a campaign on each
mutant that survives the tests. The kills of both are separate columns. The campaign of the stores checks
that the model generates the committed vectors, and that the two stores agree in random sequences. The
campaigns of other modules are random objects, replicas with contexts, devices with collections, or simulated
replication, with a few seeds. A mutant of the matcher in Scenarios is killed if the verdicts on incorrect
stores (two wrapper mutants of each family of clauses) differ from those without the mutant.

`equivalent.json` lists mutants that no vector can kill, with reasons. An entry that matches no mutant is an
error. Exit code 1 if a mutant survives that is not listed.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import scratch
import suites
import swiftcode

FOLDER = pathlib.Path(__file__).resolve().parent
FILES = [
    "Sources/Core/RevisionTree/*.swift",
    "Sources/Core/Selectors/*.swift",
    "Sources/Stores/ReferenceDatastore/ModelStore*.swift",
    "Sources/Stores/ReferenceDatastore/ModelState.swift",
    "Sources/Stores/ReferenceDatastore/Syntax.swift",
    "Sources/Stores/ReferenceDatastore/RevisionDigest.swift",
    "Sources/Stores/ReferenceDatastore/CanonicalJSON.swift",
    "Sources/Stores/ReferenceDatastore/ErlangTerm.swift",
    "Sources/Stores/SQLiteDatastore/Rules/*.swift",
    "Sources/Stores/SQLiteDatastore/Tree/*.swift",
    "Sources/Stores/SQLiteDatastore/Store/*.swift",
    "Sources/Stores/SQLiteDatastore/Digests/*.swift",
    "Sources/Stores/SQLiteDatastore/Find/*.swift",
    "Sources/Stores/Replication/**/*.swift",
    # The matcher.
    "Sources/Checking/Scenarios/Bindings.swift",
    "Sources/Checking/Scenarios/CandidateIndex.swift",
    "Sources/Checking/Scenarios/Match.swift",
    "Sources/Checking/Scenarios/NameBinder.swift",
    "Sources/Checking/Scenarios/Pattern*.swift",
    "Sources/Objects/ObjectMapping/*/*.swift",
    "Sources/Objects/ObjectContexts/*/*.swift",
    "Sources/Objects/Collections/*/*.swift",
]

# The campaigns of modules other than the stores.
CAMPAIGNS = {
    "Replication": [["simulate", "--implementation", "reference", "--seeds", "1..30", "--jobs", "1"],
                    ["explore", "--replicator", "--events", "2"]],
    "ObjectMapping": [["objects", "--implementation", "reference", "--seeds", "1..30"]],
    "ObjectContexts": [["simulate", "--contexts", "--implementation", "reference", "--seeds", "1..15",
                        "--jobs", "1"]],
    "Collections": [["collections", "--implementation", "reference", "--seeds", "1..60"]],
}
# Checks of debug builds, and code that only `touchstone compare` uses; they are not mutated.
LEFT_OUT = {
    "Sources/Core/RevisionTree/RevisionTree+Invariants.swift",
    "Sources/Core/RevisionTree/RevisionTree+Correction.swift",
    "Sources/Stores/ReferenceDatastore/ModelDocument+Invariants.swift",
    "Sources/Stores/Replication/Replicator+Invariants.swift",
}

COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
               "==": ["!="], "!=": ["=="]}
OTHERS = {"&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="]}
DIGITS = "⊕⊖⊗⊘⊙⊚⊛⊜⊝⊞"


class Mutant:
    def __init__(self, file, line, original, mutated, span):
        self.file, self.line, self.original, self.mutated = file, line, original, mutated
        self.span = span  # The position in the file, for messages of the compiler.
        self.number = None

    @property
    def place(self):
        """Returns the identity of this mutant, which does not depend on mutants at other places."""
        return (self.file, *self.span, self.mutated)

    @property
    def key(self):
        return (self.file, self.original, self.mutated)

    @property
    def module(self):
        return self.file.split("/")[2]


class Site:
    """A place with one or more mutants, and its text in the copy."""

    def __init__(self, kind, start, end, mutants, token=""):
        self.kind, self.start, self.end, self.mutants, self.token = kind, start, end, mutants, token


# MARK: Finding

def sites(file):
    text = scratch.read(file)
    masked = swiftcode.mask(text)
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    found = []

    def line_of(at):
        low = 0
        for index, start in enumerate(starts):
            if start > at:
                break
            low = index
        return low

    def mutant(start, end, replacement):
        first, last = line_of(start), line_of(max(start, end - 1))
        end_of_last = starts[last + 1] - 1 if last + 1 < len(starts) else len(text)
        whole = text[starts[first]:end_of_last]
        changed = text[starts[first]:start] + replacement + text[end:end_of_last]
        clean = lambda lines: re.sub(r"\s*\n\s*", " ", lines.strip())
        return Mutant(file, first + 1, clean(whole), clean(changed), (start, end))

    def add(kind, start, end, replacements, token=""):
        found.append(Site(kind, start, end, [mutant(start, end, new) for new in replacements], token))

    for match in re.finditer(r"(?<=[\s])(<=|>=|==|!=|<|>|&&|\|\||\+=|-=|\+|-)(?=\s)", masked):
        token = match[1]
        if match.start() and re.search(r"(func|operator)\s*$", masked[:match.start()][-20:]):
            continue
        rest = text[match.end():match.end() + 60].lstrip().split("\n")[0]
        before = text[:match.start()].rstrip()
        if token in "+-+=-=" and (rest[:1] in '"[(' or ".utf8" in rest or before[-1:] in '"]'):
            continue
        changes = COMPARISONS.get(token) or OTHERS[token]
        add("operator", match.start(1), match.end(1), changes, token)
    for keyword, start, end, alone in swiftcode.conditions(masked):
        source = text[start:end]
        if swiftcode.binds(source):
            if keyword == "if" and alone:
                add("off", start, start, ["false, "])
            continue
        pure = re.search(r"\s(<=|>=|==|!=|<|>)\s", masked[start:end])
        pure = pure and not re.search(r"&&|\|\|", masked[start:end])
        constant = "true" if keyword in ("guard", "where") else "false"
        add("condition", start, end, ([] if pure else [f"!({source})"]) + [constant],
            ("" if pure else "flip ") + constant)
    for start, end in swiftcode.statements(masked):
        add("statement", start, end, ["/* skipped */"])
    for match in re.finditer(r"(?<![\w.])(true|false)(?![\w])", masked):
        add("boolean", match.start(), match.end(), ["false" if match[1] == "true" else "true"])
    for match in re.finditer(r"(?<![\w.$#])(\d[\d_]*|0x[0-9a-fA-F_]+)(?![\w.]\w|\w)", masked):
        line = masked[starts[line_of(match.start())]:match.start()]
        if re.match(r"\s*case\b[^:]*$", line):
            continue
        add("integer", match.start(), match.end(), [f"{match[1]} + 1", f"{match[1]} - 1"])
    return [site for site in found if site.mutants]


# MARK: Syntax

def spelled(name):
    return "⊲" + "".join(DIGITS[int(digit)] for digit in str(name))


def write_file(file, own, folder):
    """Returns the text of a file with all its mutants."""
    text = scratch.read(file)
    begins, ends, tokens = {}, {}, {}
    for site in own:
        numbers = [mutant.number for mutant in site.mutants]
        length = site.end - site.start
        if site.kind == "operator":
            tokens[site.start] = (site.end, spelled(numbers[0]))
        elif site.kind == "off":
            begins.setdefault(site.start, []).append((10**6, f"mutantIsOff({numbers[0]}), "))
        else:
            if site.kind == "condition":
                calls = {"flip true": "mutantBoth", "flip false": "mutantBoth"}
                name = calls.get(site.token, "mutantConstant")
                value = site.token.split()[-1]
                opening, closing = f"{name}({numbers[0]}, {value}, ", ")"
            elif site.kind == "statement":
                opening, closing = f"if mutantIsOff({numbers[0]}) {{ ", " }"
            elif site.kind == "boolean":
                opening, closing = f"mutantFlip({numbers[0]}, ", ")"
            else:
                opening, closing = f"mutantNear({numbers[0]}, ", ")"
            begins.setdefault(site.start, []).append((length, opening))
            ends.setdefault(site.end, []).append((length, closing))
    out = []
    at = 0
    while at <= len(text):
        for _, closing in sorted(ends.get(at, [])):
            out.append(closing)
        for _, opening in sorted(begins.get(at, []), reverse=True):
            out.append(opening)
        if at in tokens:
            end, name = tokens[at]
            out.append(name)
            at = end
            continue
        if at < len(text):
            out.append(text[at])
        at += 1
    scratch.put(folder / file, scratch.import_mutant("".join(out)))


PRELUDE = """\
internal import Mutant

let mutantNumber = Mutant.number

@inline(__always) func mutantIsOff(_ number: Int) -> Bool { mutantNumber != number }
@inline(__always) func mutantFlip(_ number: Int, _ value: Bool) -> Bool {
  mutantNumber == number ? !value : value
}
@inline(__always) func mutantBoth(_ number: Int, _ constant: Bool, _ value: Bool) -> Bool {
  mutantNumber == number ? !value : mutantNumber == number + 1 ? constant : value
}
@inline(__always) func mutantConstant(_ number: Int, _ constant: Bool, _ value: Bool) -> Bool {
  mutantNumber == number ? constant : value
}
@inline(__always) func mutantNear<Value: FixedWidthInteger>(_ number: Int, _ value: Value) -> Value {
  mutantNumber == number ? value &+ 1 : mutantNumber == number + 1 ? value &- 1 : value
}
"""


def choice(numbers, changes, token):
    text = f"l {token} r"
    for number, change in reversed(list(zip(numbers, changes))):
        text = f"mutantNumber == {number} ? l {change} r : {text}"
    return text


def operator(site):
    """Returns the declaration of the new operator of a site."""
    token = site.token
    name = spelled(site.mutants[0].number)
    numbers = [mutant.number for mutant in site.mutants]
    changes = COMPARISONS.get(token) or OTHERS[token]
    body = choice(numbers, changes, token)
    if token in COMPARISONS:
        kind = "Equatable" if token in ("==", "!=") else "Comparable"
        lines = [
            f"infix operator {name}: ComparisonPrecedence",
            f"func {name}<T: {kind}>(l: T, r: T) -> Bool {{ {body} }}",
            f"@_disfavoredOverload func {name}<T: BinaryInteger, U: BinaryInteger>"
            f"(l: T, r: U) -> Bool {{ {body} }}",
            f"func {name}<T: {kind}, U: {kind}>(l: (T, U), r: (T, U)) -> Bool {{ {body} }}",
        ]
        if kind == "Equatable":
            lines += [
                f"func {name}<T: Equatable>(l: T?, r: T?) -> Bool {{ {body} }}",
                f"func {name}<T>(l: T?, r: _OptionalNilComparisonType) -> Bool {{ {body} }}",
            ]
    elif token in ("&&", "||"):
        precedence = "LogicalConjunction" if token == "&&" else "LogicalDisjunction"
        both = "l ? true : try r()" if token == "&&" else "l ? try r() : false"
        healthy = "l ? try r() : false" if token == "&&" else "l ? true : try r()"
        lines = [
            f"infix operator {name}: {precedence}Precedence",
            f"func {name}(l: Bool, r: @autoclosure () throws -> Bool) rethrows -> Bool {{ "
            f"if mutantNumber == {numbers[0]} {{ return {both} }}; return {healthy} }}",
        ]
    elif token in ("+", "-"):
        lines = [
            f"infix operator {name}: AdditionPrecedence",
            f"func {name}<T: FixedWidthInteger>(l: T, r: T) -> T {{ mutantNumber == {numbers[0]} "
            f"? l &{changes[0]} r : l {token} r }}",
        ]
    else:
        lines = [
            f"infix operator {name}: AssignmentPrecedence",
            f"func {name}<T: FixedWidthInteger>(l: inout T, r: T) {{ "
            f"if mutantNumber == {numbers[0]} {{ l = l &{changes[0][0]} r }} else {{ l {token} r }} }}",
        ]
    return "\n".join(lines) + "\n"


def write_tree(by_file, folder):
    scratch.prepare(folder, own=[*by_file, *(scratch.source(module) / "MutantOperators.swift"
                                             for module in scratch.MODULES)], tests=suites.needed())
    for file, own in by_file.items():
        write_file(file, own, folder)
    for module in scratch.MODULES:
        operators = [
            operator(site) for file, own in by_file.items() if file.split("/")[2] == module
            for site in own if site.kind == "operator"
        ]
        source = scratch.source(module) / "MutantOperators.swift"
        scratch.put(folder / source, PRELUDE + "".join(operators))


# MARK: Building

def drop_refused(by_file, output, folder):
    """Removes and returns the mutants that the compiler rejects.

    These are the mutants on the line of an error or, if there are none, the nearest ones. A call with an
    unused result was the value of its function, not a statement.
    """
    dropped = []
    for file, own in by_file.items():
        text = scratch.read(file)
        starts = [0] + [match.end() for match in re.finditer("\n", text)] + [len(text) + 1]
        complaint = re.escape(str(folder / file)) + r":(\d+):\d+: (error|warning: result of .* unused)"
        refused = set()
        for match in re.finditer(complaint, output):
            line, is_error = int(match[1]) - 1, match[2] == "error"
            for distance in range(40 if is_error else 1):
                low, high = max(0, line - distance), min(len(starts) - 2, line + distance)
                near = [site for site in own if starts[low] <= site.start < starts[high + 1]
                        and (is_error or site.kind == "statement")]
                refused.update(near)
                if near:
                    break
        for site in refused:
            own.remove(site)
            dropped += site.mutants
    return dropped


def build(by_file, folder, memory):
    """Builds until the compiler accepts the copy. Returns the number of removed mutants.

    The file `memory` has the rejected mutants of earlier builds, because each attempt takes a minute.
    """
    refused = {tuple(key) for key in json.loads(memory.read_text())} if memory.exists() else set()
    dropped = 0
    for file, own in by_file.items():
        known = [site for site in own if any(mutant.key in refused for mutant in site.mutants)]
        dropped += sum(len(site.mutants) for site in known)
        own[:] = [site for site in own if site not in known]
    for attempt in range(1, 100):
        write_tree(by_file, folder)
        output, good = scratch.build(folder, "debug")
        if good:
            return dropped
        gone = drop_refused(by_file, output, folder)
        errors = sorted(set(re.findall(r"/Sources/(\S+?:\d+:\d+: error: .*)", output)))
        if not gone:
            raise scratch.Failure("the copy does not build\n" + "\n".join(errors[:20]) + output[-3000:])
        dropped += len(gone)
        refused |= {mutant.key for mutant in gone}
        scratch.put(memory, json.dumps(sorted(refused)))
        print(f"build {attempt}: {len(gone)} mutants do not compile", file=sys.stderr)
    raise scratch.Failure("the copy still does not build after 100 attempts")


# MARK: Running

def perform(program, mutant, arguments, seconds):
    """Returns the exit code and the output of a process with a mutant; None after a timeout.

    The limit is on processor time, so that the load of the machine kills no mutant.
    """
    environment = dict(os.environ, TOUCHSTONE_MUTANT=str(mutant.number) if mutant else "")
    command = ["/bin/sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", str(program)] + arguments
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=environment, timeout=20 * seconds)
    except subprocess.TimeoutExpired:
        return None, b""
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, b""
    return done.returncode, done.stdout


def run(program, mutant, vectors, implementation, seconds):
    """Returns what kills a mutant: the first failed vector, `crash`, `timeout` or `exit`; None if it survives."""
    code, output = perform(program, mutant, [
        "run", "--implementation", implementation, "--vectors", str(vectors), "--fail-fast",
        "--jobs", "1", "--report", "jsonl=-"], seconds)
    if code is None:
        return "timeout"
    if code < 0:
        return "crash"
    # A vector of a SHOULD clause can kill a mutant although the run is conformant.
    for line in output.splitlines():
        if b'"verdict":"fail"' in line or b'"verdict":"harnessError"' in line:
            return json.loads(line)["id"]
    # Exit code 1 without a failed vector: a part of the corpus does not prove conformance.
    lines = output.splitlines()
    whole = lines and b'"kind":"footer"' in lines[-1].replace(b" ", b"")
    return None if whole and code in (0, 1) else "exit"


def compare(program, mutant, seeds, seconds):
    """True if a campaign kills a mutant.

    A mutant of the model or of the store is killed if the model generates other vectors, or if the stores
    disagree in random sequences, with the model and with the contract as checker.
    """
    if mutant and mutant.module in CAMPAIGNS:
        return campaign(program, mutant, mutant.module, seconds)
    if mutant and mutant.module == "Scenarios":
        return False
    questions = [["compare", "--seeds", f"1..{seeds}", "--checker", checker]
                 for checker in ("model", "contract")]
    if not mutant or mutant.module != "SQLiteDatastore":
        questions.insert(0, ["vectors", "generate", "--check", "--vectors", str(scratch.TOP / "Vectors")])
    return any(perform(program, mutant, question, seconds)[0] != 0 for question in questions)


def is_of_stores(module):
    """True for modules of document stores, false for those with campaigns of their own."""
    return module not in CAMPAIGNS and module != "Scenarios"


def campaign(program, mutant, module, seconds):
    """True if a campaign of a module fails, which does not happen without a mutant."""
    return any(perform(program, mutant, question, seconds)[0] != 0 for question in CAMPAIGNS[module])


def stages(options, modules):
    """Yields the stages for mutants of some modules, each with its name and the function that runs it.

    Hand-written vectors kill most mutants and load fast, so all vectors run only on their survivors.
    """
    few = options.scratch / "vectors"
    shutil.rmtree(few, ignore_errors=True)
    shutil.copytree(scratch.TOP / "Vectors", few,
                    ignore=shutil.ignore_patterns("observed", "generated"))
    # Observed and generated vectors test only document stores.
    asked = [few] + ([scratch.TOP / "Vectors"] if any(map(is_of_stores, modules)) else [])
    if "vectors" not in options.stage:
        asked = []
    program = options.scratch / "tree/touchstone"
    for vectors in asked:
        limits = {}
        for name in sorted({scratch.implementation(module) for module in modules}):
            limits[name] = limit(lambda: run(program, None, vectors, name, 600), options)
        print(f"processor seconds for {vectors.name}: {limits}", file=sys.stderr)
        yield "vectors", lambda mutant, vectors=vectors, limits=limits: (
            vectors == few or is_of_stores(mutant.module)) and run(
            program, mutant, vectors, scratch.implementation(mutant.module),
            limits[scratch.implementation(mutant.module)]) or None
    if "Scenarios" in modules and "vectors" in options.stage:
        broken, names = broken_stores(options.scratch / "broken")
        verdicts = run_broken(program, None, broken, names, 600)
        seconds = limit(lambda: run_broken(program, None, broken, names, 600) != verdicts, options)
        yield "vectors", lambda mutant: (
            mutant.module == "Scenarios"
            and run_broken(program, mutant, broken, names, seconds) != verdicts and "wrong stores" or None)
    if "tests" in options.stage:
        tree = options.scratch / "tree"
        most = max(len(suites.SUITES[module]) for module in modules)
        for place in range(most):
            limits = {}
            for module in modules:
                for suite in suites.SUITES[module][place:place + 1]:
                    limits[suite] = limits.get(suite) or limit(
                        lambda: suites.run(tree, suite, None, 1200), options)
            print(f"processor seconds for tests: {limits}", file=sys.stderr)
            yield "tests" if place == 0 else "more tests", lambda mutant, place=place, limits=limits: next(
                (suites.run(tree, suite, mutant, limits[suite])
                 for suite in suites.SUITES[mutant.module][place:place + 1]), None)
    if options.seeds and "campaign" in options.stage:
        campaign_seconds = {
            module: limit(lambda: campaign(program, None, module, 600), options)
            for module in modules if module in CAMPAIGNS}
        if any(map(is_of_stores, modules)):
            for_stores = limit(lambda: compare(program, None, options.seeds, 600), options)
        print(f"processor seconds for campaigns: {campaign_seconds}", file=sys.stderr)
        yield "campaign", lambda mutant: compare(
            program, mutant, options.seeds,
            campaign_seconds.get(mutant.module) or (mutant.module != "Scenarios" and for_stores))


def broken_stores(folder):
    """Returns a folder of vectors and the wrapper mutants that they kill: two of each family of clauses."""
    listed = json.loads(scratch.read("Vectors/mutants.json"))["mutants"]
    chosen = {}
    for mutant in listed:
        if mutant["kind"] == "wrapper" and mutant["vectors"]:
            chosen.setdefault(mutant["clause"].split("-")[0], []).append(mutant)
    chosen = [mutant for family in chosen.values() for mutant in family[:2]]
    wanted = {mutant["vectors"][0] for mutant in chosen}
    shutil.rmtree(folder, ignore_errors=True)
    vectors = scratch.TOP / "Vectors"
    scratch.put(folder / "clauses.json", (vectors / "clauses.json").read_bytes())
    for path in sorted(path for name in ("core", "capabilities", "profiles")
                       for path in (vectors / name).rglob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        file["vectors"] = [vector for vector in file.get("vectors", []) if vector["id"] in wanted]
        if file["vectors"]:
            scratch.put(folder / path.relative_to(vectors), json.dumps(file))
    return folder, sorted(mutant["name"] for mutant in chosen)


def run_broken(program, mutant, vectors, names, seconds):
    """Returns the verdicts on incorrect stores."""
    filters = [word for name in names for word in ("--filter", name)]
    return perform(program, mutant, ["defects", "--by-hand", "--json", "--jobs", "1", "--vectors",
                                     str(vectors)] + filters, seconds)


def limit(question, options):
    """Returns the limit on processor time of a stage in seconds, from its time without a mutant."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answer = question()
    if answer:
        raise scratch.Failure(f"a run without a mutant fails: {answer}")
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return 1 + math.ceil(options.time_limit * taken)


def equivalents(mutants):
    """Returns the reasons of `equivalent.json` by mutant. Raises Failure if an entry matches no mutant.

    `code` and `mutated` are the line before and after the mutation, with single spaces; `*` matches any text.
    """
    path = FOLDER / "equivalent.json"
    if not path.exists():
        return {}
    reasons, stale = {}, []
    for group in json.loads(path.read_text(encoding="utf-8"))["groups"]:
        for entry in group["mutants"]:
            patterns = [re.compile(".*".join(map(re.escape, entry[name].split("*"))) + r"\Z")
                        for name in ("file", "code", "mutated")]
            matched = [mutant.key for mutant in mutants
                       if all(pattern.match(part) for pattern, part in zip(patterns, mutant.key))]
            if not matched:
                stale.append(f"{entry['file']}: {entry['code']} -> {entry['mutated']}")
            for key in matched:
                reasons.setdefault(key, group["reason"])
    if stale:
        raise scratch.Failure("equivalent.json has entries that match no mutant:\n  " + "\n  ".join(stale))
    return reasons


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=pathlib.Path, default=scratch.TOP / ".build/operators")
    parser.add_argument("--sample", type=int, help="run at most this number of mutants of each module, chosen with --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", action="append", choices=scratch.MODULES,
                        help="build and run only the mutants of this module; repeat for more")
    parser.add_argument("--filter", action="append", default=[], help="run only mutants of files whose path matches")
    parser.add_argument("--build-only", action="store_true",
                        help="build the mutants and run nothing; run them with --reuse")
    parser.add_argument("--verbose", action="store_true", help="print each result")
    parser.add_argument("--stage", action="append", choices=("vectors", "campaign", "tests"),
                        help="run only this stage; repeat for more")
    parser.add_argument("--after", type=pathlib.Path, metavar="JSON",
                        help="reuse the kills of an earlier run, written with --json")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time-limit", type=int, default=3,
                        help="time limit of a process, as a multiple of its time without a mutant")
    parser.add_argument("--seeds", type=int, default=200,
                        help="random sequences of the campaign of the stores; 0 skips it")
    parser.add_argument("--explained", action="store_true",
                        help="run campaigns also for listed mutants, which otherwise run only the vectors and the tests")
    parser.add_argument("--json", type=pathlib.Path, help="write every mutant and its result to this file")
    parser.add_argument("--reuse", action="store_true", help="do not build; use the last build")
    options = parser.parse_args()
    options.stage = options.stage or ["vectors", "campaign", "tests"]

    files = sorted({
        str(path.relative_to(scratch.TOP)) for pattern in FILES
        for path in scratch.TOP.glob(pattern)} - LEFT_OUT)
    by_file = {file: sites(file) for file in files}
    everything = [site for own in by_file.values() for site in own]
    number = 0
    for site in everything:
        for mutant in site.mutants:
            number += 1
            mutant.number = number
    derived = [mutant for site in everything for mutant in site.mutants]
    reasons = equivalents(derived)
    by_file = {file: own for file, own in by_file.items()
               if (not options.module or file.split("/")[2] in options.module)
               and (not options.filter or any(fnmatch.fnmatch(file, "*" + glob) for glob in options.filter))}
    derived = [mutant for own in by_file.values() for site in own for mutant in site.mutants]
    print(f"{len(derived)} mutants derived from {len(by_file)} files", file=sys.stderr)

    tree = options.scratch / "tree"
    state = options.scratch / "accepted.json"
    if options.reuse:
        known = {mutant.number: mutant.place for mutant in derived}
        accepted = [tuple(place) for place in json.loads(state.read_text())]
        chosen = [mutant for mutant in derived if (mutant.number, *mutant.place) in accepted]
        if any(known.get(number, tuple(place)) != tuple(place) for number, *place in accepted):
            raise scratch.Failure("the sources have changed since the last build")
        dropped = 0
    else:
        chosen, dropped = build_sample(by_file, tree, options)
        scratch.install(tree, "debug")
        scratch.put(state, json.dumps([(mutant.number, *mutant.place) for mutant in chosen]))
    if options.build_only:
        print(f"{len(chosen)} mutants are built; {dropped} are rejected by the compiler")
        return 0
    began = time.monotonic()
    ends, campaigned, tested = earlier(options.after, chosen) if options.after else ({}, {}, {})
    for stage, question in stages(options, {mutant.module for mutant in chosen}):
        missed = [mutant for mutant in chosen
                  if not any(kills.get(mutant.number) for kills in (ends, campaigned, tested))]
        if any(ends.values()) and stage != "tests" and not options.explained:
            missed = [mutant for mutant in missed if mutant.key not in reasons]
        print(f"{stage}: {len(missed)} mutants", file=sys.stderr)
        {"vectors": ends, "campaign": campaigned, "tests": tested, "more tests": tested}[stage].update(
            ask(missed, options, question))
        save(options.json, chosen, (ends, campaigned, tested), reasons)
    survivors = report(chosen, (ends, campaigned, tested), reasons, dropped, time.monotonic() - began)
    return 1 if survivors else 0


def save(file, chosen, kills, reasons):
    """Writes the kills so far, for `--after`."""
    if not file:
        return
    ends, campaigned, tested = kills
    scratch.put(file, json.dumps([
        {"file": mutant.file, "line": mutant.line, "code": mutant.original,
         "mutated": mutant.mutated, "end": ends.get(mutant.number),
         "campaign": campaigned.get(mutant.number, False), "test": tested.get(mutant.number),
         "equivalent": reasons.get(mutant.key)}
        for mutant in chosen], indent=1, ensure_ascii=False) + "\n")


def build_sample(by_file, tree, options):
    """Builds a copy with the mutants to run. Returns them and the number of rejected ones.

    A sample has the first accepted mutants of each module in a random order. Only as many as are probably
    needed are compiled.
    """
    orders = {}
    for file, own in by_file.items():
        for site in own:
            for mutant in site.mutants:
                orders.setdefault(mutant.module, []).append((mutant, site))
    if options.sample:
        orders = {module: random.Random(options.seed).sample(order, len(order))
                  for module, order in orders.items()}
    reach = {module: math.ceil(1.3 * options.sample) + 4 if options.sample else len(order)
             for module, order in orders.items()}
    while True:
        drawn = {module: order[:reach[module]] for module, order in orders.items()}
        wanted = {id(site) for order in drawn.values() for _, site in order}
        compiled = {file: [site for site in own if id(site) in wanted] for file, own in by_file.items()}
        compiled = {file: own for file, own in compiled.items() if own}
        build(compiled, tree, options.scratch / "refused.json")
        accepted = {mutant.number for own in compiled.values() for site in own for mutant in site.mutants}
        chosen, dropped, short = [], 0, []
        for module, order in drawn.items():
            kept = [mutant for mutant, _ in order if mutant.number in accepted]
            dropped += len(order) - len(kept)
            # Accept a slightly smaller sample: more mutants would require another build of dependent modules.
            if options.sample and len(kept) < 0.9 * options.sample and reach[module] < len(orders[module]):
                short.append(module)
            chosen += kept[:options.sample]
        if not short:
            return sorted(chosen, key=lambda mutant: mutant.number), dropped
        for module in short:
            reach[module] += math.ceil(0.5 * options.sample)


def earlier(file, chosen):
    """Returns the kills of an earlier run, by stage."""
    known = {(row["file"], row["line"], row["code"], row["mutated"]): row
             for row in json.loads(file.read_text(encoding="utf-8"))}
    rows = {mutant.number: known.get((mutant.file, mutant.line, mutant.original, mutant.mutated), {})
            for mutant in chosen}
    return tuple({number: row.get(name) for number, row in rows.items()}
                 for name in ("end", "campaign", "test"))


def ask(mutants, options, question):
    """Returns the results of a stage by the number of the mutant."""
    answers = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = {pool.submit(question, mutant): mutant for mutant in mutants}
        for done, future in enumerate(concurrent.futures.as_completed(work), 1):
            answers[work[future].number] = future.result()
            if options.verbose:
                mutant = work[future]
                print(f"{done} of {len(mutants)}: {mutant.file}:{mutant.line} {future.result()}",
                      file=sys.stderr, flush=True)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(mutants)} ", end="", file=sys.stderr)
    return answers


def report(chosen, kills, reasons, dropped, seconds):
    """Prints survivors and scores. Returns the mutants that are neither killed nor listed."""
    ends, campaigned, tested = kills
    heads = ("mutants", "vectors", "tests", "campaign", "explained", "open", "score")
    rows, open_ones = [], []
    for module in scratch.MODULES:
        own = [mutant for mutant in chosen if module == mutant.module]
        missed = own
        cells = [len(own)]
        for kind in (ends, tested, campaigned):
            alive = [mutant for mutant in missed if not kind.get(mutant.number)]
            cells.append(len(missed) - len(alive))
            missed = alive
        unexplained = [mutant for mutant in missed if mutant.key not in reasons]
        open_ones += unexplained
        rows.append((module, cells + [len(missed) - len(unexplained), len(unexplained)]))
    rows.append(("all", [sum(column) for column in zip(*(cells for _, cells in rows))]))
    for mutant in open_ones:
        print(f"{mutant.file}:{mutant.line}\n  - {mutant.original}\n  + {mutant.mutated}")
    for mutant in chosen:
        if mutant.key in reasons and campaigned.get(mutant.number):
            print(f"{mutant.file}:{mutant.line}  (explained, but killed by a campaign)\n"
                  f"  - {mutant.original}\n  + {mutant.mutated}")
    print(f"\n{'module':20}" + "".join(f"{head:>10}" for head in heads))
    for module, cells in rows:
        if cells[0]:
            score = f"{100 * (cells[0] - cells[-1]) / cells[0]:.0f} %"
            print(f"{module:20}" + "".join(f"{cell:>10}" for cell in cells + [score]))
    odd = {kind: sum(1 for kind_of in (ends, tested) for end in kind_of.values() if end == kind)
           for kind in ("timeout", "crash")}
    print(f"of the killed {odd['timeout']} by timeout, {odd['crash']} by a crash; "
          f"the compiler rejected {dropped}; {seconds:.0f} s")
    return open_ones


if __name__ == "__main__":
    scratch.run(main)
