"""Runs the vectors against a store that is written in Python, and says what came of it.

    python3 tools/python/run_vectors.py
    python3 tools/python/run_vectors.py --store my_module:MyStore --filter winner-
    python3 tools/python/run_vectors.py --adapter ./my-adapter

A store is a class. It is made without arguments for every vector, has `perform(operation)`, which
answers an outcome, and the members `profiles` and `capabilities`: what it offers beyond the core.

A store whose `open` without arguments means something else than opaque ids in the order of bytes says
so with the member `defaults`, such as `{"revisionIDs": "couchdb", "collation": "couchdb"}`.

At the grade `family` (the default) a vector is required when none of its MUST clauses binds the
contract alone, or when one of them binds a layer; at the grade `contract` when it has a MUST clause.
The little store that comes with this runner is always tested with `contract`.

Exit codes: 0 nothing that is required failed, 1 something did or the files are not as manifest.json
says, 2 the arguments or a file are no good, 3 the store could not be asked.
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
from operation_table import DATA, KINDS, NAMED, WHOLE
from vector_files import InvalidFile, Object, Suite, is_matcher, load_suite

Bindings = dict[str, Any]
# The store that comes with this runner.
BUNDLED = "little_store:LittleStore"


class Mismatch(Exception):
    """The store answered something else than the vector expects, or something of no shape."""


class Hang(BaseException):
    """The store took too long. No store should catch this, so it is no `Exception`."""


# Comparing


def same_value(a: Any, b: Any) -> bool:
    """Whether two JSON values are the same. Python holds that True == 1; JSON does not."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    return bool(a == b)


def matches(pattern: Any, value: Any, bound: Bindings) -> Iterator[Bindings]:
    """All the ways in which a value matches, each as the names that are bound then. None: no match."""
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
    """The ways in which a matcher stands for a value."""
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
    """Whether a value has the form that it must have to be bound."""
    if "generation" in matcher:
        return isinstance(value, str) and re.fullmatch(f"{matcher['generation']}-.+", value, re.DOTALL) is not None
    if "hexDigits" in matcher:
        digits = f"[0-9a-fA-F]{{{matcher['hexDigits']}}}"
        return isinstance(value, str) and re.fullmatch(digits, value) is not None
    return True


def match_members(
    pattern: list[tuple[str, Any]], value: Object, bound: Bindings, one: Any = None
) -> Iterator[Bindings]:
    """The ways in which an object has the members that are given; `one` compares one of them."""
    if not pattern:
        yield bound
        return
    (name, expected), rest = pattern[0], pattern[1:]
    for after in (one or match_member)(name, expected, value, bound):
        yield from match_members(rest, value, after, one)


def match_body(pattern: Any, value: Any, bound: Bindings) -> Iterator[Bindings]:
    """The ways in which a body is like `bodyMatches`: no name means anything there."""
    if isinstance(pattern, dict) and isinstance(value, dict) and not is_matcher(pattern):
        yield from match_members(list(pattern.items()), value, bound, match_body_member)
    elif isinstance(pattern, list) and isinstance(value, list):
        if len(pattern) == len(value):
            yield from match_elements(pattern, value, bound, match_body)
    else:
        yield from matches(pattern, value, bound)


def match_body_member(name: str, expected: Any, value: Object, bound: Bindings) -> Iterator[Bindings]:
    """The ways in which one member of a body is like what is given."""
    if is_matcher(expected) and "$absent" in expected:
        if name not in value:
            yield bound
    elif name in value:
        yield from match_body(expected, value[name], bound)
    elif name == "deleted" and expected is False:
        yield bound


def match_member(name: str, expected: Any, value: Object, bound: Bindings) -> Iterator[Bindings]:
    """The ways in which one member matches. A `deleted` that is not there is false, attachments are none."""
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
    """Whether a pattern binds nothing, so that there is at most one way to match."""
    if isinstance(pattern, dict):
        return "$bind" not in pattern and all(map(is_closed, pattern.values()))
    return not isinstance(pattern, list) or all(map(is_closed, pattern))


def matches_somehow(pattern: Any, value: Any, bound: Bindings) -> bool:
    """Whether a value matches a pattern in some way."""
    return any(True for _ in matches(pattern, value, bound))


def match_elements(
    pattern: list[Any], value: list[Any], bound: Bindings, one: Any = None
) -> Iterator[Bindings]:
    """The ways in which two lists of one length match place by place; `one` compares two elements."""
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
    """The ways in which two lists of one length match: the winner in front, the others in any order."""
    for after in match_elements(pattern[:1], value[:1], bound):
        yield from match_unordered(pattern[1:], value[1:], after)


def match_unordered(pattern: list[Any], value: list[Any], bound: Bindings) -> Iterator[Bindings]:
    """The ways in which two lists of one length match in some order."""
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
    """The places of the elements that match a pattern."""
    if isinstance(pattern, dict) and isinstance(pattern.get("id"), str):
        # Comparing each of a thousand rows with each other one takes too long.
        near = [place for place, each in enumerate(value) if isinstance(each, dict) and each.get("id") == pattern["id"]]
    else:
        near = list(range(len(value)))
    return [place for place in near if matches_somehow(pattern, value[place], bound)]


def can_assign(choices: list[list[int]]) -> bool:
    """Whether each of several patterns can have a place of its own."""
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
    """Compares an outcome with an expectation and returns the names that are bound then."""
    for alternative in expect.get("oneOf", [expect]):
        for after in matches(alternative, outcome, bound):
            return after
    raise Mismatch("the outcome is not the expected one")


def check_outcome(outcome: Any) -> Object:
    """Returns an outcome that has the shape of one."""
    if isinstance(outcome, dict) and len(outcome) == 1:
        (name, content), = outcome.items()
        error = name == "error" and isinstance(content, dict) and content.get("kind") in KINDS
        if error or name in ("ok", "unknown") and isinstance(content, dict):
            return outcome
    raise Mismatch("this is no outcome")


# Running


@dataclass
class Result:
    """What came of one vector."""

    id: str
    label: str
    clauses: list[str]
    weight: str
    verdict: str = "pass"
    reason: str = ""
    witness: Object = field(default_factory=dict)

    @property
    def required(self) -> bool:
        """Whether a failure decides the exit code."""
        return self.weight == "required"


def weight(vector: Object, clauses: dict[str, Object], grade: str) -> str:
    """What a failure of a vector means at a grade: `required`, `contractOnly` or `recommended`."""
    binds = [clauses[name]["binds"] for name in vector["clauses"] if clauses[name]["level"] == "MUST"]
    if not binds:
        return "recommended"
    if grade == "contract" or "layer" in binds or "contract" not in binds:
        return "required"
    return "contractOnly"


def unsuited(vector: Object, defaults: dict[str, str]) -> list[str]:
    """The defaults of `open` of a store under which a vector says nothing."""
    own = {"revisionIDs": "own", "collation": "bytes"} | defaults
    needs = vector.get("needs", {})
    return [f"{name} {value}" for name, value in own.items() if value not in needs.get(name, [value])]


def substitute(value: Any, bound: Bindings) -> Any:
    """An operation with the bound values in their places."""
    if isinstance(value, list):
        return [substitute(element, bound) for element in value]
    if is_matcher(value):
        return bound[value["$ref"]]
    if isinstance(value, dict):
        return {n: v if n in DATA else substitute(v, bound) for n, v in value.items()}
    return value


def all_steps(vector: Object) -> list[Object]:
    """The steps of a vector, after those that open its stores."""
    named = dict.fromkeys(name for step in vector["steps"] for name in stores(step))
    deeds = [step["do"] for step in vector["steps"] if "do" in step]
    itself = {do["store"] for do in deeds if do["op"] == "open"}
    opened = [name for name in named if name not in itself] if vector.get("opened", True) else []
    return [{"do": {"op": "open", "store": name}} for name in opened] + vector["steps"]


def stores(step: Object) -> list[str]:
    """The stores that a step names."""
    if "replicate" in step:
        session = step["replicate"]
        others = session.get("meanwhile", {}).get("do", [])
        return [session["source"], session["target"], *(do["store"] for do in others)]
    return [step.get("do", step.get("loseCheckpoint"))["store"]]


def implied(do: Object) -> Object:
    """What is expected where a step says nothing."""
    return {"ok": {"results": [{"ok": {}} for _ in do["records"]]} if do["op"] == "insertRevisions" else {}}


def perform_steps(store: Any, vector: Object, witness: Object) -> None:
    """Performs the steps. The witness says where it ended when one does not match."""
    bound: Bindings = {}
    sessions = Sessions(lambda operation: check_outcome(store.perform(copy.deepcopy(operation))))
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
        # What was made may have millions of bytes: people see how it was made.
        shown = {"do": operation, "expect": expect} if "fill" not in form else form
        witness.clear()
        witness |= {**shown, "bound": bound, "got": None}
        witness["got"] = store.perform(copy.deepcopy(operation))
        bound = judge(expect, check_outcome(witness["got"]), bound)


def run_vector(
    make: Any, label: str, vector: Object, clauses: dict[str, Object], seconds: int, grade: str = "contract"
) -> Result:
    """Asks a fresh store one vector."""
    result = Result(vector["id"], label, vector["clauses"], weight(vector, clauses, grade))
    offered = {"core", *getattr(make, "profiles", ()), *getattr(make, "capabilities", ())}
    lacking = [name for name in [vector["profile"], *vector.get("capabilities", [])] if name not in offered]
    if lacking:
        result.verdict, result.reason = "skipped", f"{', '.join(lacking)} not offered"
        return result
    if others := unsuited(vector, getattr(make, "defaults", {})):
        result.verdict, result.reason = "skipped", f"does not apply to default {', '.join(others)}"
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
    """Ends the vector in flight after some seconds; 0 takes that back. Windows has no such alarm."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, give_up)
        signal.alarm(seconds)


def give_up(number: int, frame: Any) -> None:
    """Ends a vector that takes too long."""
    raise Hang("the store did not answer in time")


# Reporting


def verdicts(results: list[Result], *verdicts: str) -> list[Result]:
    """The results with one of the verdicts."""
    return [result for result in results if result.verdict in verdicts]


def group_line(label: str, results: list[Result]) -> str:
    """One group of the headline, such as `core 234/234`."""
    passed, skipped = verdicts(results, "pass"), verdicts(results, "skipped")
    if len(skipped) == len(results):
        return f"`{label}` not offered"
    note = f" ({len(skipped)} skipped)" if skipped else ""
    return f"{label} {len(passed)}/{len(results) - len(skipped)}{note}"


def headline(results: list[Result]) -> str:
    """All groups in the order of their files."""
    labels = dict.fromkeys(result.label for result in results)
    groups = ([result for result in results if result.label == label] for label in labels)
    return " · ".join(group_line(label, group) for label, group in zip(labels, groups))


def exit_code(results: list[Result], differences: list[str]) -> int:
    """What the runner ends with. Files that differ from the manifest prove nothing about a store."""
    if differences:
        return 1
    if verdicts(results, "harness error"):
        return 3
    return 1 if any(result.required for result in verdicts(results, "fail")) else 0


def clause_verdicts(results: list[Result]) -> dict[str, str]:
    """The worst verdict of the vectors of each clause. A clause that nobody asked is skipped."""
    order = ("skipped", "pass", "fail", "harness error")
    worst: dict[str, str] = {}
    for result in results:
        for clause in result.clauses:
            known = worst.get(clause, "skipped")
            worst[clause] = max(known, result.verdict, key=order.index)
    return dict(sorted(worst.items()))


def text_report(results: list[Result], clauses: dict[str, Object], differences: list[str]) -> Iterator[str]:
    """The report for people: the failures with their witnesses, what was skipped, the headline."""
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
    yield from (f"INCOMPLETE {difference}" for difference in differences)
    lenient = [result.id for result in verdicts(results, "fail") if result.weight == "contractOnly"]
    if lenient:
        yield f"{len(lenient)} failed that only grade contract requires: {', '.join(lenient[:12])}"
    yield headline(results)


def json_report(results: list[Result], differences: list[str]) -> str:
    """The report for programs."""
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
    parser = argparse.ArgumentParser(description="Runs the vectors against a store written in Python.")
    beside = Path(__file__).resolve().parents[2] / "Vectors"
    parser.add_argument("--vectors", type=Path, default=beside, help="the folder with clauses.json")
    parser.add_argument("--store", default=BUNDLED, metavar="MODULE:CLASS")
    parser.add_argument("--adapter", metavar="COMMAND", help="a program that speaks Vectors/protocol.md")
    parser.add_argument("--grade", choices=("family", "contract"), help="which rules decide")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only vectors with this in their id")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="for each vector")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    return parser.parse_args(words)


def load_store(name: str) -> Any:
    """Finds the class of the store."""
    module, _, member = name.partition(":")
    sys.path.insert(1, ".")
    return getattr(importlib.import_module(module), member)


def main(words: list[str] | None = None) -> int:
    """Runs what the command line asks for and returns the exit code."""
    options = arguments(words)
    try:
        suite: Suite = load_suite(options.vectors)
    except InvalidFile as error:
        print(error, file=sys.stderr)
        return 2
    chosen = [(label, vector) for label, vector in suite.vectors if options.filter in vector["id"]]
    if not chosen:
        print(f"no vector has {options.filter} in its id", file=sys.stderr)
        return 2
    try:
        make = AdapterClient(options.adapter) if options.adapter else load_store(options.store)
    except Exception as error:
        print(f"{options.store} cannot be loaded: {error!r}", file=sys.stderr)
        return 3
    bundled = not options.adapter and options.store == BUNDLED
    if bundled and options.grade == "family":
        print(f"{BUNDLED} is always tested with --grade contract", file=sys.stderr)
        return 2
    grade = "contract" if bundled else options.grade or "family"
    results = [run_vector(make, *item, suite.clauses, options.timeout, grade) for item in chosen]
    differences = suite.differences
    report = [json_report(results, differences)] if options.json else text_report(results, suite.clauses, differences)
    print(*report, sep="\n")
    return exit_code(results, differences)


if __name__ == "__main__":
    sys.exit(main())
