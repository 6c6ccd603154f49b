"""Runs the vectors on a store that is written in Python, or on an adapter.

    python3 tools/python/run_vectors.py
    python3 tools/python/run_vectors.py --store my_module:MyStore --filter winner-
    python3 tools/python/run_vectors.py --adapter ./my-adapter

A store is a class. The runner creates an instance without arguments for every vector. `perform(operation)`
returns an outcome. The members `profiles` and `capabilities` list what it offers beyond the core.

If `open` without arguments does not mean opaque ids in the order of bytes, the store needs the member
`defaults`, such as `{"revisionIDs": "couchdb", "collation": "couchdb"}`. The member `restrictions` lists
the parts that it cannot perform (Vectors/RESTRICTIONS.md): their vectors are not tested.

At the grade `family` (the default) a vector is required if none of its MUST clauses binds only the
contract, or if one of them binds a layer; at the grade `contract` if it has a MUST clause. The bundled
little store is always tested with `contract`.

Exit codes: 0 no required vector failed, 1 one failed or the files differ from manifest.json, 2 the arguments
or a file are invalid, 3 the store could not be tested.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import re
import signal
import sys
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Iterator

from adapter_client import AdapterClient
from replicator import Sessions
from vector_forms import limits_beyond, made, repetitions
from operation_table import DATA, KINDS, NAMED, WHOLE, expanded
from vector_files import InvalidFile, Object, Suite, is_matcher, load_suite

Bindings = dict[str, Any]
# The bundled store.
BUNDLED = "little_store:LittleStore"


class Mismatch(Exception):
    """The outcome differs from the expectation, or is malformed."""


class Hang(BaseException):
    """The store took too long. A store must not catch this, so it is not an `Exception`."""


# Comparing


def same_value(a: Any, b: Any) -> bool:
    """Returns whether two JSON values are equal. In Python True == 1; in JSON they differ."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    return bool(a == b)


def matches(pattern: Any, value: Any, bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which a value matches a pattern."""
    if is_matcher(pattern):
        yield from stands_for(pattern, value, bound)
    elif isinstance(pattern, dict) and isinstance(value, dict):
        yield from match_members(list(pattern.items()), value, bound)
    elif isinstance(pattern, list) and isinstance(value, list):
        if len(pattern) == len(value):
            yield from match_elements(pattern, value, bound)
    elif same_value(pattern, value):
        yield bound


def stands_for(matcher: Object, value: Any, bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which a value matches a matcher."""
    if "$unordered" in matcher:
        if isinstance(value, list) and len(value) == len(matcher["$unordered"]):
            yield from match_unordered(matcher["$unordered"], value, bound)
    elif "$only" in matcher:
        if isinstance(value, dict) and value.keys() == matcher["$only"].keys():
            yield from match_members(list(matcher["$only"].items()), value, bound, match_body_member)
    elif "$bind" in matcher:
        if fits(matcher, value):
            yield bound | {matcher["$bind"]: value}
    elif "$any" in matcher or "$ref" in matcher and same_value(bound[matcher["$ref"]], value):
        yield bound


def fits(matcher: Object, value: Any) -> bool:
    """Returns whether a value has the form that a `$bind` requires."""
    if "generation" in matcher:
        return isinstance(value, str) and re.fullmatch(f"{matcher['generation']}-.+", value, re.DOTALL) is not None
    if "hexDigits" in matcher:
        digits = f"[0-9a-fA-F]{{{matcher['hexDigits']}}}"
        return isinstance(value, str) and re.fullmatch(digits, value) is not None
    return True


def match_members(
    pattern: list[tuple[str, Any]], value: Object, bound: Bindings, one: Any = None
) -> Iterator[Bindings]:
    """Yields the bindings of each way in which an object has the given members; `one` compares one of them."""
    if not pattern:
        yield bound
        return
    (name, expected), rest = pattern[0], pattern[1:]
    for after in (one or match_member)(name, expected, value, bound):
        yield from match_members(rest, value, after, one)


def match_body(pattern: Any, value: Any, bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which a body matches `bodyMatches`, where no name is special."""
    if isinstance(pattern, dict) and isinstance(value, dict) and not is_matcher(pattern):
        yield from match_members(list(pattern.items()), value, bound, match_body_member)
    elif isinstance(pattern, list) and isinstance(value, list):
        if len(pattern) == len(value):
            yield from match_elements(pattern, value, bound, match_body)
    else:
        yield from matches(pattern, value, bound)


def match_body_member(name: str, expected: Any, value: Object, bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which one member of a body matches."""
    if is_matcher(expected) and "$absent" in expected:
        if name not in value:
            yield bound
    elif name in value:
        yield from match_body(expected, value[name], bound)
    elif name == "deleted" and expected is False:
        yield bound


def match_member(name: str, expected: Any, value: Object, bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which one member matches. `deleted` defaults to false, attachments to {}."""
    if is_matcher(expected) and "$absent" in expected:
        if name not in value:
            yield bound
    elif name == "leaves" and isinstance(expected, list) and isinstance(value.get(name), list):
        if len(expected) == len(value[name]):
            yield from match_leaves(expected, value[name], bound)
    elif name in WHOLE:
        if name in value and same_value(expected, value[name]):
            yield bound
    elif name == "bodyMatches":
        if "body" in value:
            yield from match_body(expected, value["body"], bound)
    elif name in NAMED and isinstance(expected, dict) and not is_matcher(expected):
        there = value.get(name, {})
        if isinstance(there, dict) and there.keys() == expected.keys():
            yield from match_elements(list(expected.values()), [there[each] for each in expected], bound)
    elif name in value:
        yield from matches(expected, value[name], bound)
    elif name == "deleted" and expected is False:
        yield bound


def is_closed(pattern: Any) -> bool:
    """Returns whether a pattern binds no name, so that there is at most one way to match."""
    if isinstance(pattern, dict):
        return "$bind" not in pattern and all(map(is_closed, pattern.values()))
    return not isinstance(pattern, list) or all(map(is_closed, pattern))


def matches_somehow(pattern: Any, value: Any, bound: Bindings) -> bool:
    """Returns whether a value matches a pattern."""
    return any(True for _ in matches(pattern, value, bound))


def match_elements(
    pattern: list[Any], value: list[Any], bound: Bindings, one: Any = None
) -> Iterator[Bindings]:
    """Yields the bindings of each way in which two lists of equal length match in order; `one` compares elements."""
    if one is None and is_closed(pattern):
        if all(matches_somehow(part, element, bound) for part, element in zip(pattern, value)):
            yield bound
        return
    if not pattern:
        yield bound
        return
    for after in (one or matches)(pattern[0], value[0], bound):
        yield from match_elements(pattern[1:], value[1:], after, one)


def match_leaves(pattern: list[Any], value: list[Any], bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which two lists of equal length match: first the winner, then any order."""
    for after in match_elements(pattern[:1], value[:1], bound):
        yield from match_unordered(pattern[1:], value[1:], after)


def match_unordered(pattern: list[Any], value: list[Any], bound: Bindings) -> Iterator[Bindings]:
    """Yields the bindings of each way in which two lists of equal length match in any order."""
    if is_closed(pattern):
        if can_assign([places(part, value, bound) for part in pattern]):
            yield bound
        return
    if not pattern:
        yield bound
        return
    for place, element in enumerate(value):
        for after in matches(pattern[0], element, bound):
            yield from match_unordered(pattern[1:], value[:place] + value[place + 1 :], after)


def places(pattern: Any, value: list[Any], bound: Bindings) -> list[int]:
    """Returns the indexes of the elements that match a pattern."""
    if isinstance(pattern, dict) and isinstance(pattern.get("id"), str):
        # Comparing all pairs of 1000 rows takes too long.
        near = [place for place, each in enumerate(value) if isinstance(each, dict) and each.get("id") == pattern["id"]]
    else:
        near = list(range(len(value)))
    return [place for place in near if matches_somehow(pattern, value[place], bound)]


def can_assign(choices: list[list[int]]) -> bool:
    """Returns whether each pattern can be assigned a different index (bipartite matching)."""
    owners: dict[int, int] = {}

    def assign(pattern: int, tried: set[int]) -> bool:
        for place in choices[pattern]:
            if place not in tried:
                tried.add(place)
                if place not in owners or assign(owners[place], tried):
                    owners[place] = pattern
                    return True
        return False

    return all(assign(pattern, set()) for pattern in range(len(choices)))


def judge(expect: Object, outcome: Object, bound: Bindings) -> Bindings:
    """Compares an outcome with an expectation. Returns the bindings, or raises Mismatch."""
    for alternative in expect.get("oneOf", [expect]):
        for after in matches(alternative, outcome, bound):
            return after
    raise Mismatch("the outcome differs from the expectation")


def check_outcome(outcome: Any) -> Object:
    """Returns a well-formed outcome. Raises Mismatch for any other value."""
    if isinstance(outcome, dict) and len(outcome) == 1:
        (name, content), = outcome.items()
        error = name == "error" and isinstance(content, dict) and content.get("kind") in KINDS
        if error or name in ("ok", "unknown") and isinstance(content, dict):
            return outcome
    raise Mismatch("malformed outcome")


# Running


@dataclass
class Result:
    """The result of one vector."""

    id: str
    label: str
    clauses: list[str]
    weight: str
    verdict: str = "pass"
    reason: str = ""
    witness: Object = field(default_factory=dict)

    @property
    def required(self) -> bool:
        """True if a failure decides the exit code."""
        return self.weight == "required"


def weight(vector: Object, clauses: dict[str, Object], grade: str) -> str:
    """Returns the weight of a failure at a grade: `required`, `contractOnly` or `recommended`."""
    cited = [clauses[name] for name in vector["clauses"]]
    binds = [clause["binds"] for clause in cited if clause["level"] == "MUST"]
    advised = any(clause["level"] == "SHOULD" and clause["status"] == "agreed" for clause in cited)
    if not binds or advised:
        return "recommended"
    if grade == "contract" or "layer" in binds or "contract" not in binds:
        return "required"
    return "contractOnly"


def unsuited(vector: Object, defaults: dict[str, str]) -> list[str]:
    """Returns the defaults of `open` of a store to which a vector does not apply."""
    own = {"revisionIDs": "own", "collation": "bytes"} | defaults
    needs = vector.get("needs", {})
    return [f"{name} {value}" for name, value in own.items() if value not in needs.get(name, [value])]


def substitute(value: Any, bound: Bindings) -> Any:
    """Returns an operation with its references replaced by the bound values."""
    if isinstance(value, list):
        return [substitute(element, bound) for element in value]
    if is_matcher(value):
        return bound[value["$ref"]]
    if isinstance(value, dict):
        return {n: v if n in DATA else substitute(v, bound) for n, v in value.items()}
    return value


def all_steps(vector: Object) -> list[Object]:
    """Returns the steps that open the stores of a vector, then its own steps."""
    named = dict.fromkeys(name for step in vector["steps"] for name in stores(step))
    deeds = [step["do"] for step in vector["steps"] if "do" in step]
    itself = {do["store"] for do in deeds if do["op"] == "open"}
    opened = [name for name in named if name not in itself] if vector.get("opened", True) else []
    return [{"do": {"op": "open", "store": name}} for name in opened] + vector["steps"]


def stores(step: Object) -> list[str]:
    """Returns the stores that a step names."""
    if "replicate" in step:
        session = step["replicate"]
        others = session.get("meanwhile", {}).get("do", [])
        return [session["source"], session["target"], *(do["store"] for do in others)]
    return [step.get("do", step.get("loseCheckpoint"))["store"]]


def implied(do: Object) -> Object:
    """Returns the expectation of a step without one."""
    return {"ok": {"results": [{"ok": {}} for _ in do["records"]]} if do["op"] == "insertRevisions" else {}}


def perform_steps(store: Any, vector: Object, witness: Object) -> None:
    """Performs the steps. After a mismatch `witness` has the failed step."""
    bound: Bindings = {}
    continues = "changesFromStart" not in getattr(store, "restrictions", ())
    sessions = Sessions(
        lambda operation: check_outcome(store.perform(copy.deepcopy(operation))), continues=continues
    )
    limits = getattr(store, "limits", {})
    steps = ((form, repetition) for form in all_steps(vector) for repetition in range(repetitions(form)))
    for form, repetition in steps:
        step = made(form, limits, repetition)
        if "do" not in step:
            witness |= {"do": step, "expect": step.get("expect"), "bound": bound, "got": None}
            witness["got"] = sessions.carry_out(step)
            bound = judge(step.get("expect", sessions.implied(step)), witness["got"], bound)
            continue
        operation = substitute(step["do"], bound)
        expect = step.get("expect", implied(operation))
        # A generated value may have millions of bytes, so show its form.
        shown = {"do": operation, "expect": expect} if "fill" not in form else form
        witness.clear()
        witness |= {**shown, "bound": bound, "got": None}
        witness["got"] = store.perform(copy.deepcopy(operation))
        bound = judge(expect, check_outcome(witness["got"]), bound)


def run_vector(
    make: Any,
    label: str,
    vector: Object,
    clauses: dict[str, Object],
    seconds: int,
    grade: str = "contract",
    untestable: dict[str, set[str]] | None = None,
) -> Result:
    """Runs one vector on a new store. `untestable` has the ids of vectors by restriction."""
    result = Result(vector["id"], label, vector["clauses"], weight(vector, clauses, grade))
    capabilities = expanded(getattr(make, "capabilities", ()), getattr(make, "capabilities_version", 1))
    offered = {"core", *getattr(make, "profiles", ()), *capabilities}
    lacking = [name for name in [vector["profile"], *vector.get("capabilities", [])] if name not in offered]
    if lacking:
        result.verdict, result.reason = "skipped", f"{', '.join(lacking)} not offered"
        return result
    if others := unsuited(vector, getattr(make, "defaults", {})):
        result.verdict, result.reason = "skipped", f"does not apply to default {', '.join(others)}"
        return result
    declared = sorted(getattr(make, "restrictions", ()))
    if preventing := [name for name in declared if vector["id"] in (untestable or {})[name]]:
        result.verdict, result.reason = "not tested", f"not testable: {', '.join(preventing)}"
        return result
    if beyond := limits_beyond(vector, getattr(make, "limits", {})):
        result.verdict, result.reason = "skipped", f"outside of the declared limits: {', '.join(beyond)}"
        return result
    try:
        store = make()
    except Exception as error:
        result.verdict, result.reason = "harness error", repr(error)
        return result
    witness: Object = {}
    set_alarm(seconds)
    try:
        perform_steps(store, vector, witness)
    except Mismatch as error:
        result.verdict, result.reason, result.witness = "fail", str(error), witness
    except (Exception, Hang) as error:
        trace = "".join(traceback.format_exception_only(error)).strip()
        result.verdict, result.reason, result.witness = "fail", trace, witness
    finally:
        set_alarm(0)
    return result


def set_alarm(seconds: int) -> None:
    """Sets the limit of the current vector in seconds; 0 removes it. Windows has no alarm signal."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, give_up)
        signal.alarm(seconds)


def give_up(number: int, frame: Any) -> None:
    """Ends a vector that takes too long."""
    raise Hang("the store did not respond in time (see --timeout)")


# Reporting


def verdicts(results: list[Result], *verdicts: str) -> list[Result]:
    """Returns the results with one of the verdicts."""
    return [result for result in results if result.verdict in verdicts]


def group_line(label: str, results: list[Result]) -> str:
    """Returns one group of the headline, such as `core 234/234`."""
    passed, skipped = verdicts(results, "pass"), verdicts(results, "skipped")
    untested = verdicts(results, "not tested")
    if len(skipped) == len(results):
        return f"`{label}` not offered"
    note = f" ({len(skipped)} skipped)" if skipped else ""
    note += f" ({len(untested)} not tested)" if untested else ""
    return f"{label} {len(passed)}/{len(results) - len(skipped)}{note}"


def headline(results: list[Result]) -> str:
    """Returns all groups in the order of their files."""
    labels = dict.fromkeys(result.label for result in results)
    groups = ([result for result in results if result.label == label] for label in labels)
    return " · ".join(group_line(label, group) for label, group in zip(labels, groups))


def exit_code(results: list[Result], differences: list[str]) -> int:
    """Returns the exit code. A run of files that differ from the manifest proves nothing about a store."""
    if differences:
        return 1
    if verdicts(results, "harness error"):
        return 3
    return 1 if any(result.required for result in verdicts(results, "fail")) else 0


def clause_verdicts(results: list[Result]) -> dict[str, str]:
    """Returns the worst verdict of the vectors of each clause. A clause without an executed vector is skipped."""
    order = ("skipped", "not tested", "pass", "fail", "harness error")
    worst: dict[str, str] = {}
    for result in results:
        for clause in result.clauses:
            known = worst.get(clause, "skipped")
            worst[clause] = max(known, result.verdict, key=order.index)
    return dict(sorted(worst.items()))


def text_report(results: list[Result], clauses: dict[str, Object], differences: list[str]) -> Iterator[str]:
    """Yields the lines of the text report: failures with their witnesses, reasons of skips, the headline."""
    for result in verdicts(results, "fail", "harness error"):
        yield f"{result.verdict.upper()} {result.id}{'' if result.required else f' ({result.weight})'}"
        yield f"  {result.reason}"
        for clause in result.clauses:
            yield f"  {clause}: {clauses[clause]['text']}"
        for name, value in result.witness.items():
            yield f"  {name}: {json.dumps(value, ensure_ascii=False, default=repr)[:2000]}"
    reasons = [result.reason for result in verdicts(results, "skipped")]
    for reason in dict.fromkeys(reasons):
        yield f"skipped {reasons.count(reason)}: {reason}"
    reasons = [result.reason for result in verdicts(results, "not tested")]
    for reason in dict.fromkeys(reasons):
        yield f"not tested {reasons.count(reason)}: {reason}"
    yield from (f"INCOMPLETE {difference}" for difference in differences)
    lenient = [result.id for result in verdicts(results, "fail") if result.weight == "contractOnly"]
    if lenient:
        yield f"{len(lenient)} failed that only grade contract requires: {', '.join(lenient[:12])}"
    yield headline(results)


def json_report(results: list[Result], differences: list[str]) -> str:
    """Returns the report as JSON."""
    report = {
        "headline": headline(results),
        "exit": exit_code(results, differences),
        "differences": differences,
        "clauses": clause_verdicts(results),
        "vectors": [asdict(result) | {"required": result.required} for result in results],
    }
    return json.dumps(report, ensure_ascii=False, indent=1, default=repr)


# The command


def arguments(words: list[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Run the vectors on a store written in Python, or on an adapter.")
    beside = Path(__file__).resolve().parents[2] / "Vectors"
    parser.add_argument("--vectors", type=Path, default=beside, help="folder with clauses.json")
    parser.add_argument("--store", default=BUNDLED, metavar="MODULE:CLASS")
    parser.add_argument("--adapter", metavar="COMMAND", help="program that implements Vectors/protocol.md")
    parser.add_argument("--grade", choices=("family", "contract"), help="rules that decide the exit code")
    parser.add_argument("--filter", default="", metavar="TEXT", help="run only vectors whose id contains TEXT")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="limit per vector; default: 60, none: 0")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser.parse_args(words)


def load_store(name: str) -> Any:
    """Returns the class of the store."""
    module, _, member = name.partition(":")
    sys.path.insert(1, ".")
    return getattr(importlib.import_module(module), member)


def main(words: list[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    options = arguments(words)
    try:
        suite: Suite = load_suite(options.vectors)
    except InvalidFile as error:
        print(error, file=sys.stderr)
        return 2
    chosen = [(label, vector) for label, vector in suite.vectors if options.filter in vector["id"]]
    if not chosen:
        print(f"no vector has an id that contains '{options.filter}'", file=sys.stderr)
        return 2
    try:
        make = AdapterClient(options.adapter) if options.adapter else load_store(options.store)
    except Exception as error:
        print(f"{options.store} cannot be loaded: {error!r}", file=sys.stderr)
        return 3
    if unknown := sorted(set(getattr(make, "restrictions", ())) - suite.untestable.keys()):
        known = ", ".join(suite.untestable)
        print(f"unknown restriction {unknown[0]}; expected one of {known}", file=sys.stderr)
        return 3
    bundled = not options.adapter and options.store == BUNDLED
    if bundled and options.grade == "family":
        print(f"{BUNDLED} is always tested with --grade contract", file=sys.stderr)
        return 2
    grade = "contract" if bundled else options.grade or "family"
    results = [
        run_vector(make, *item, suite.clauses, options.timeout, grade, suite.untestable) for item in chosen
    ]
    differences = suite.differences
    report = [json_report(results, differences)] if options.json else text_report(results, suite.clauses, differences)
    print(*report, sep="\n")
    return exit_code(results, differences)


if __name__ == "__main__":
    sys.exit(main())
