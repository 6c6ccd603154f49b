"""Reads the clauses and the vectors, and rejects invalid files.

`Vectors/schemas/` has the rules that JSON Schema can express. These checks prevent errors of the runner and
accidental verdicts.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator

from operation_table import CAPABILITIES, DATA, KINDS, OPERATIONS, WHOLE
from vector_forms import KINDS as FORMS
from vector_forms import MINIMUM, MOST_REPETITIONS, made, repetitions

Object = dict[str, Any]

FOLDERS = ("core", "capabilities", "profiles", "observed", "generated")
PROFILES = {
    "core", "exact-numbers", "dense-changes", "incarnation-sequences",
    "cdt-digest", "cdt-collation", "couchdb",
}  # fmt: skip
MATCHERS = (
    {"$bind"}, {"$bind", "generation"}, {"$bind", "hexDigits"}, {"$ref"}, {"$any"}, {"$absent"},
    {"$unordered"}, {"$only"},
)  # fmt: skip
# The events that can interrupt a session.
INTERRUPTIONS = {"cutOff", "stop", "meanwhile"}
# The steps that the runner performs itself: required and optional members.
DIRECTIVES = {
    "replicate": ({"source", "target"}, {"filter", "batch", "by", *INTERRUPTIONS}),
    "loseCheckpoint": ({"store"}, set()),
}
# The defaults of `open` that a vector may need.
DEFAULTS = {
    "revisionIDs": ("own", "cdt-digest", "cdt-digest-2", "couchdb"),
    "collation": ("bytes", "couchdb", "cdt"),
}
BINDINGS = ("family", "contract", "layer")
VECTOR_MEMBERS = {"id", "clauses", "profile", "capabilities", "needs", "note", "opened", "provenance", "generated",
                  "steps"}


class InvalidFile(Exception):
    """An invalid file."""


# Reading


def load_json(path: Path) -> Any:
    """Reads a JSON file. Numbers keep their type, and a duplicate name in an object is an error."""

    def members(pairs: list[tuple[str, Any]]) -> Object:
        if len(dict(pairs)) < len(pairs):
            raise InvalidFile(f"{path}: duplicate name in an object")
        return dict(pairs)

    def double(text: str) -> float:
        if not math.isfinite(float(text)):
            raise InvalidFile(f"{path}: {text} is not a finite number")
        return float(text)

    try:
        text = path.read_text(encoding="utf-8")
        value = json.loads(text, object_pairs_hook=members, parse_float=double, parse_constant=double)
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except (OSError, ValueError) as error:
        raise InvalidFile(f"{path}: {error}") from error


def demand(condition: Any, where: str, complaint: str) -> None:
    """Raises InvalidFile unless a condition holds."""
    if not condition:
        raise InvalidFile(f"{where}: {complaint}")


@dataclass
class Suite:
    """The clauses by id, the vectors with their labels in the headline, and differences from the manifest.

    `untestable` has the ids of the vectors that each restriction of a store makes untestable.
    """

    clauses: dict[str, Object]
    vectors: list[tuple[str, Object]]
    differences: list[str] = field(default_factory=list)
    untestable: dict[str, set[str]] = field(default_factory=dict)


def load_suite(folder: Path) -> Suite:
    """Reads the clauses and all vectors, and checks them."""
    try:
        clauses = {clause["id"]: clause for clause in load_json(folder / "clauses.json")["clauses"]}
    except (KeyError, TypeError) as error:
        raise InvalidFile(f"{folder / 'clauses.json'}: not a list of clauses") from error
    for name, clause in clauses.items():
        demand(clause.get("binds") in BINDINGS, name, f"binds is not one of {', '.join(BINDINGS)}")
    suite, seen = Suite(clauses, []), set()
    ids = {"clauses.json": list(clauses)}
    for part in FOLDERS:
        for path in sorted((folder / part).rglob("*.json")):
            content = load_json(path)
            check_file(content, clauses, str(path))
            ids[path.relative_to(folder).as_posix()] = [vector["id"] for vector in content["vectors"]]
            for vector in content["vectors"]:
                demand(vector["id"] not in seen, vector["id"], "the id is used twice")
                seen.add(vector["id"])
                label = part if part in ("core", "observed", "generated") else content["family"]
                suite.vectors.append((label, vector))
    demand(suite.vectors, str(folder), "there are no vectors")
    if (folder / "restrictions.json").exists():
        rows = load_json(folder / "restrictions.json")["restrictions"]
        suite.untestable = {row["id"]: set(row["vectors"]) for row in rows}
    if (folder / "manifest.json").exists():
        suite.differences = list(differences(folder, ids))
    return suite


def differences(folder: Path, ids: dict[str, list[str]]) -> Iterator[str]:
    """Yields the differences between the files and the manifest: missing, new, or changed."""
    try:
        manifest = load_json(folder / "manifest.json")
        listed = [(file["path"], file["sha256"], file["count"], file.get("ids")) for file in manifest["files"]]
        retired = {entry["id"] for kind in ("vectors", "clauses") for entry in manifest["retired"][kind]}
    except (InvalidFile, KeyError, TypeError) as error:
        yield f"manifest.json: cannot be read: {error!r}"
        return
    paths = [path for path, *_ in listed]
    for path in dict.fromkeys(path for path in paths if paths.count(path) > 1):
        yield f"{path}: listed twice in manifest.json"
    for path, sha256, count, names in listed:
        if path not in ids:
            yield f"{path}: missing, with {count} vectors or clauses"
            continue
        if hashlib.sha256((folder / path).read_bytes()).hexdigest() != sha256:
            yield f"{path}: another SHA-256 than in manifest.json"
        if len(ids[path]) != count:
            yield f"{path}: {len(ids[path])} vectors or clauses, but manifest.json says {count}"
        for name in names or ():
            if name not in ids[path]:
                yield f"{path}: {name} is missing"
        for name in ids[path] if names is not None else ():
            if name not in names:
                yield f"{path}: {name} is not listed in manifest.json"
    yield from (f"{path}: not listed in manifest.json" for path in ids if path not in paths)
    used = {name for names in ids.values() for name in names}
    yield from (f"manifest.json: {name} is retired and in use" for name in sorted(used & retired))


def check_file(content: Any, clauses: dict[str, Object], where: str) -> None:
    """Checks a file of vectors."""
    good = isinstance(content, dict) and content.keys() == {"family", "about", "vectors"}
    demand(good, where, "expected the members family, about and vectors")
    demand(isinstance(content["family"], str), where, "family must be a text")
    demand(isinstance(content["vectors"], list) and content["vectors"], where, "there are no vectors")
    for vector in content["vectors"]:
        check_vector(vector, content["family"], clauses, where)


def check_vector(vector: Any, family: str, clauses: dict[str, Object], where: str) -> None:
    """Checks one vector: its members, and its steps in their order."""
    demand(isinstance(vector, dict) and isinstance(vector.get("id"), str), where, "a vector without an id")
    where = f"{where}: {vector['id']}"
    missing = {"id", "clauses", "profile", "note", "steps"} - vector.keys()
    demand(not missing, where, f"{sorted(missing)} missing")
    demand(vector.keys() <= VECTOR_MEMBERS, where, "unknown members")
    demand(vector["id"].startswith(f"{family}-"), where, f"the id does not begin with {family}-")
    demand(vector["clauses"] and set(vector["clauses"]) <= clauses.keys(), where, "unknown clauses")
    demand(vector["profile"] in PROFILES, where, "unknown profile")
    needs = vector.get("needs", {})
    demand("needs" not in vector or needs, where, "needs must not be empty")
    for name, value in needs.items():
        if name in DEFAULTS:
            demand(value and set(value) <= set(DEFAULTS[name]), where, f"needs has an unknown {name}")
        else:
            demand(name in MINIMUM and value > MINIMUM[name], where, f"needs has an unknown or too small {name}")
    demand(set(vector.get("capabilities", [])) <= CAPABILITIES, where, "unknown capability")
    demand(isinstance(vector.get("opened", True), bool), where, "opened must be true or false")
    demand(isinstance(vector["steps"], list) and vector["steps"], where, "there are no steps")
    ambiguous = any(clauses[clause]["status"] == "ambiguous" for clause in vector["clauses"])
    names: set[str] = set()
    for number, step in enumerate(vector["steps"], 1):
        last = number == len(vector["steps"])
        names = check_step(step, names, last and ambiguous, f"{where}, step {number}")


def check_step(step: Any, names: set[str], alternatives: bool, where: str) -> set[str]:
    """Checks a step and returns the names that are bound after it."""
    if isinstance(step, dict) and step.keys() & DIRECTIVES.keys():
        check_directive(step, where)
        return names
    good = isinstance(step, dict) and "do" in step and step.keys() <= {"do", "expect", "fill", "times"}
    demand(good and isinstance(step["do"], dict), where, "a step must have do and may have expect, fill and times")
    demand(step["do"].get("op") in OPERATIONS, where, "unknown operation")
    demand(isinstance(step["do"].get("store"), str), where, "an operation must name a store")
    check_forms(step, where)
    for name in references(step["do"]):
        demand(name in names, where, f"{name} is not bound")
    expect = step.get("expect", {"ok": {}})
    demand(isinstance(expect, dict), where, "an expectation must be an object")
    if "oneOf" not in expect:
        return check_plain(expect, names, where)
    demand(alternatives, where, "oneOf is permitted only in the last step of a vector with an ambiguous clause")
    demand(expect.keys() == {"oneOf"} and isinstance(expect["oneOf"], list), where, "oneOf must be a list, and alone")
    for alternative in expect["oneOf"]:
        check_plain(alternative, names, where)
    return names


def check_forms(step: Object, where: str) -> None:
    """Checks the generated values of a step, and its number of repetitions."""
    demand(isinstance(repetitions(step), int), where, "times must be an integer")
    demand(1 <= repetitions(step) <= MOST_REPETITIONS, where, f"times must be 1 to {MOST_REPETITIONS}")
    demand(isinstance(step.get("fill", []), list), where, "fill must be a list")
    for fill in step.get("fill", []):
        good = isinstance(fill, dict) and len(fill) == 2 and "at" in fill and fill.keys() & FORMS
        demand(good, where, f"a fill must have at and one of {', '.join(sorted(FORMS))}")
        demand(fill["at"] and fill["at"][0] in ("do", "expect"), where, "at must begin with do or expect")
    try:
        made(step, {})
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InvalidFile(f"{where}: invalid fill: {error!r}") from error


def check_directive(step: Object, where: str) -> None:
    """Checks a step that the runner performs itself."""
    (name,) = step.keys() & DIRECTIVES.keys()
    demand(step.keys() <= {name, "expect"}, where, "a directive must not have other members than expect")
    needed, allowed = DIRECTIVES[name]
    good = isinstance(step[name], dict) and needed <= step[name].keys() <= needed | allowed
    demand(good, where, f"{name} has missing or unknown members")
    demand(len(step[name].keys() & INTERRUPTIONS) < 2, where, f"at most one of {', '.join(sorted(INTERRUPTIONS))}")
    check_plain(step.get("expect", {"ok": {}}), set(), where)


def check_plain(expect: Any, names: set[str], where: str) -> set[str]:
    """Checks an expectation with ok or error."""
    good = isinstance(expect, dict) and expect.keys() in ({"ok"}, {"error"})
    demand(good, where, "an expectation must have exactly one of ok, error and oneOf")
    content = next(iter(expect.values()))
    demand(isinstance(content, dict), where, "ok and error must be objects")
    if "error" in expect:
        demand(content.get("kind") in KINDS, where, "unknown kind of error")
    return check_pattern(content, names, where)


def check_pattern(
    pattern: Any, names: set[str], where: str, member: bool = False, body: bool = False
) -> set[str]:
    """Checks a pattern, and returns the names that are bound after it.

    `body` is true below `bodyMatches`, where no name is special.
    """
    if isinstance(pattern, list):
        for element in pattern:
            names = check_pattern(element, names, where, body=body)
    elif is_matcher(pattern):
        demand(pattern.keys() in MATCHERS, where, f"unknown matcher {pattern}")
        demand(member or not pattern.keys() & {"$absent", "$unordered"}, where, "$absent and $unordered: only in members")
        demand(pattern.get("$ref", None) in {None, *names}, where, f"{pattern} is not bound")
        demand(pattern.get("$bind", None) not in names, where, f"{pattern} is bound twice")
        demand(isinstance(pattern.get("$unordered", []), list), where, "$unordered needs a list")
        demand(body or "$only" not in pattern, where, "$only is permitted only below bodyMatches")
        demand(not body or "$unordered" not in pattern, where, "$unordered is not permitted below bodyMatches")
        only = pattern.get("$only", {})
        demand(isinstance(only, dict) and not is_matcher(only), where, "$only needs an object")
        names = names | {pattern["$bind"]} if "$bind" in pattern else names
        return check_pattern(pattern.get("$unordered", only), names, where, body=body)
    elif isinstance(pattern, dict):
        demand(body or not pattern.keys() >= {"body", "bodyMatches"}, where, "body or bodyMatches, not both")
        for name, value in pattern.items():
            if body or name not in WHOLE:
                names = check_pattern(value, names, where, True, body or name == "bodyMatches")
    return names


def references(value: Any) -> Iterator[str]:
    """Yields the names that an operation refers to, outside of bodies, values and attachments."""
    if isinstance(value, list):
        for element in value:
            yield from references(element)
    elif is_matcher(value):
        yield str(value.get("$ref"))
    elif isinstance(value, dict):
        for name, member in value.items():
            if name not in DATA:
                yield from references(member)


def is_matcher(value: Any) -> bool:
    """Returns whether a value is a matcher."""
    return isinstance(value, dict) and any(name.startswith("$") for name in value)
