#!/usr/bin/env python3
"""Checks the files of Vectors/ against their JSON Schemas, and rules that schemas cannot express.

    python3 tools/check-schemas.py [Vectors]

Use it when you write vectors; a run of the suite does not need it. It needs the PyPI package
`jsonschema` (4.18 or later):

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install jsonschema
    /tmp/venv/bin/python tools/check-schemas.py

Exit code 0 if there are no problems, 1 if there are, 2 if the package is missing.
"""

import hashlib
import json
import pathlib
import re
import sys
from collections import Counter

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry, Resource
except ImportError:
    print("check-schemas.py needs the PyPI package jsonschema, 4.18 or later: pip install jsonschema", file=sys.stderr)
    sys.exit(2)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

from http_schemas import http_problems
from object_schemas import object_problems
from operation_table import DATA, DENSE, OPERATIONS, UNORDERED, WHOLE, errors, needed
from vector_forms import made

# The kinds of lines of the protocol.
PROTOCOL = ("request", "message", "answer")
# Relative to this file, so that the current folder does not matter.
VECTORS = pathlib.Path(__file__).resolve().parent.parent / "Vectors"
FOLDERS = ["core", "capabilities", "profiles", "observed", "generated"]


def parse(text, place):
    """Returns the JSON in a text. Raises ValueError at a duplicate member."""

    def once(pairs):
        names = Counter(name for name, _ in pairs)
        twice = [name for name in names if names[name] > 1]
        if twice:
            raise ValueError(f"{place}: duplicate member {twice[0]}")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


def load(path):
    """Returns the JSON in a file."""
    return parse(path.read_text(encoding="utf-8"), path)


def load_lines(path):
    """Yields the JSON in each line of a file, with its place."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        yield f"{path.name}:{number}", parse(line, path)


def matchers(value, name, data):
    """Yields the matchers with a name outside of data, in the order of the file."""
    if isinstance(value, dict):
        if name in value:
            yield value[name]
        for key, inner in value.items():
            if key not in data:
                yield from matchers(inner, name, data)
    elif isinstance(value, list):
        for inner in value:
            yield from matchers(inner, name, data)


def names(value):
    """Yields the bound and referenced names outside of data, with their matchers, in the order of the file."""
    if isinstance(value, dict):
        yield from ((kind, value[kind]) for kind in ("$bind", "$ref") if kind in value)
        for key, inner in value.items():
            if key not in WHOLE:
                yield from names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names(inner)


def ordered(operation, pattern, is_dense):
    """Yields the names of the unordered lists in an expected result that are compared in order."""
    if isinstance(pattern, list):
        writes = operation.get("writes") or [operation] * len(pattern)
        for write, element in zip(writes, pattern):
            yield from ordered(write, element, is_dense)
    elif isinstance(pattern, dict):
        for name, value in pattern.items():
            is_open = (operation["op"], name) in (UNORDERED if is_dense else UNORDERED | DENSE)
            # A position binds a sequence, whichever document has it.
            elements = [{key: part for key, part in element.items() if "$bind" not in str(part)}
                        if isinstance(element, dict) else element
                        for element in (value if isinstance(value, list) else [])]
            if is_open and any(element != elements[0] for element in elements):
                yield name
            if name != "body":
                yield from ordered(operation, value, is_dense)


def vector_problems(vector, family, folder, clauses):
    if not vector["id"].startswith(family + "-"):
        yield f"the id does not begin with {family}-"
    for clause in vector["clauses"]:
        if clause not in clauses:
            yield f"unknown clause {clause}"
    capabilities = vector.get("capabilities", [])
    if folder == "core" and (capabilities or vector["profile"] != "core"):
        yield "a core vector must not need a capability or another profile"
    if folder == "observed" and "provenance" not in vector:
        yield "an observed vector must have a provenance"
    if (folder == "generated") != ("generated" in vector):
        yield "`generated` is required in the folder generated, and not permitted elsewhere"
    bound = set()
    for number, step in enumerate(vector["steps"]):
        for operation in step.get("replicate", {}).get("meanwhile", {}).get("do", []):
            for capability in sorted(needed(operation) - set(capabilities)):
                yield f"steps[{number}] needs {capability}, which the vector does not name"
        if "do" not in step:
            continue
        expect = step.get("expect", {})
        for name in matchers(step["do"], "$ref", DATA):
            if name not in bound:
                yield f"steps[{number}].do refers to {name}, which no earlier step binds"
        # A result is matched from its beginning, so a name can be referenced after the place that binds it.
        for kind, name in names(expect):
            if kind == "$ref" and name not in bound:
                yield f"steps[{number}].expect refers to {name}, which is not bound before"
            if kind == "$bind":
                if name in bound and "oneOf" not in expect:
                    yield f"steps[{number}] binds {name} again"
                bound.add(name)
        for capability in sorted(needed(step["do"]) - set(capabilities)):
            yield f"steps[{number}] needs {capability}, which the vector does not name"
        for accepted in expect.get("oneOf", [expect]):
            kind = accepted.get("error", {}).get("kind")
            if kind is not None and kind not in errors(step["do"]["op"]):
                yield f"steps[{number}] expects {kind}, which operations.md does not list for {step['do']['op']}"
        for result in (accepted.get("ok", {}) for accepted in expect.get("oneOf", [expect])):
            for name in ordered(step["do"], result, vector["profile"] == "dense-changes"):
                yield f"steps[{number}] compares {name} in order, but the rules leave the order open"
        if "oneOf" in expect:
            if number != len(vector["steps"]) - 1:
                yield f"steps[{number}] has oneOf and is not the last step"
            if not any(clauses.get(c) == "ambiguous" for c in vector["clauses"]):
                yield f"steps[{number}] has oneOf, but no clause is ambiguous"


def operation_problems(operation, validator):
    """Yields a problem if the schema accepts an operation with a missing, an unknown or a wrong member."""
    row = OPERATIONS[operation["op"]]
    arguments = [argument for argument in row["arguments"] if argument["name"] in operation]
    changed = {"one more member": {**operation, "noSuchArgument": 1}, "no store": {**operation}}
    del changed["no store"]["store"]
    for argument in arguments:
        name = argument["name"]
        if "optional" not in argument:
            changed[f"no {name}"] = {key: value for key, value in operation.items() if key != name}
        if not argument["type"].startswith("data"):
            changed[f"a wrong {name}"] = {**operation, name: [{"no": {"value": 1}}] if "[" not in argument["type"] else 7}
    for change, value in changed.items():
        if validator.is_valid(value):
            yield f"operation.schema.json: accepts {operation['op']} with {change}"


def page_problems(page):
    """Yields a problem for each row in the tables of operations that differs from operations.json."""
    section = page.read_text(encoding="utf-8").split("### Operations\n")[1].split("### Errors\n")[0]
    for line in section.split("\n"):
        first, *_, arguments, _ = line.strip("|").split("|") if line.startswith("| `") else ("", "", "")
        operation = first.strip(" `")
        if operation not in OPERATIONS or "as `" in arguments:
            continue
        parts = re.sub(r"\{[^}]*\}", "", arguments.strip()).split(", ")
        found = [part.split(":")[0] for part in parts if re.match(r"\w+\??(:|$)", part)]
        row = OPERATIONS[operation]["arguments"]
        wanted = [argument["name"] + ("?" if "optional" in argument else "") for argument in row]
        if found != wanted:
            yield f"{page.name}: {operation} has {', '.join(found)}, and operations.json {', '.join(wanted)}"


def quoted_lines(page):
    """Yields the lines of the protocol that a page quotes completely, each with its place."""
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        for quote in [line] + re.findall("`([^`]+)`", line):
            if re.match(r'\{"(id|ask)":', quote) and "…" not in quote:
                yield f"{page.name}:{number}", parse(quote, page)


def protocol_problems(root, validators):
    """Yields a problem for each valid line that the schema rejects, and each wrong one that it accepts."""
    folder = root / "protocol"
    if not folder.exists():
        return

    def faults(kind, line):
        return [error.message for error in validators[kind].iter_errors(line)]

    for name, kind in (("requests", "request"), ("replies", "message")):
        for place, line in load_lines(folder / f"{name}.jsonl"):
            for fault in faults(kind, line):
                yield f"protocol/{place}: {fault[:300]}"
    for place, line in quoted_lines(root / "protocol.md"):
        if all(faults(kind, line) for kind in PROTOCOL):
            yield f"{place}: not a valid line of the protocol: {json.dumps(line)[:300]}"
    for place, case in load_lines(folder / "wrong.jsonl"):
        if not faults(case["as"], case["line"]):
            yield f"protocol/{place}: the schema accepts a wrong line: {case['because']}"


def manifest_problems(root):
    """Yields a problem for each difference between the manifest and the files."""
    if not (root / "manifest.json").exists():
        return
    files = load(root / "manifest.json")["files"]
    for file in files:
        path = root / file["path"]
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "none"
        if digest != file["sha256"]:
            yield f"manifest.json: the SHA-256 of {file['path']} differs"
    paths = [path for folder in FOLDERS for path in (root / folder).rglob("*.json")]
    found = {path.relative_to(root).as_posix() for path in paths} | {"clauses.json"}
    for name in sorted(found ^ {file["path"] for file in files}):
        yield f"manifest.json: {name} is listed but missing, or present but not listed"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS
    schemas = {p.name: load(p) for p in sorted((root / "schemas").glob("*.schema.json"))}
    registry = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()
    )
    problems = []
    validators = {}
    for name, schema in schemas.items():
        Draft202012Validator.check_schema(schema)
        validators[name] = Draft202012Validator(schema, registry=registry)

    def check(schema, value, place):
        for error in validators[schema].iter_errors(value):
            deepest = best_match(error.context) or error if error.context else error
            problems.append(f"{place}: {error.json_path}: {deepest.message[:300]}")

    listed = load(root / "clauses.json")
    check("clauses.schema.json", listed, "clauses.json")
    names = Counter(clause["id"] for clause in listed["clauses"])
    problems += [f"clauses.json: {name} occurs twice" for name in names if names[name] > 1]
    clauses = {clause["id"]: clause["status"] for clause in listed["clauses"]}

    count, seen, shown, operations = 0, {}, set(), {}
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.json"))]
    for path in paths:
        place = path.relative_to(root).as_posix()
        file = load(path)
        check("vector-file.schema.json", file, place)
        for vector in file["vectors"]:
            count += 1
            if any("fill" in step for step in vector["steps"]):
                steps = [made(step, {}) for step in vector["steps"]]
                check("vector-file.schema.json", {**file, "vectors": [{**vector, "steps": steps}]}, place)
            if vector["id"] in seen:
                problems.append(f"{place}: {vector['id']} is also in {seen[vector['id']]}")
            seen[vector["id"]] = place
            shown.update(vector["clauses"])
            for step in vector["steps"]:
                operation = step.get("do", {"op": None})
                # Check each operation with the largest number of arguments.
                if len(operation) > len(operations.get(operation["op"], {"op": None})):
                    operations[operation["op"]] = operation
            found = vector_problems(vector, file["family"], place.split("/")[0], clauses)
            problems += [f"{place}: {vector['id']}: {problem}" for problem in found]
    for name in ("manifest", "mutants", "glossary", "names", "lint"):
        if (root / f"{name}.json").exists():
            check(f"{name}.schema.json", load(root / f"{name}.json"), f"{name}.json")
    definitions = f"{schemas['protocol.schema.json']['$id']}#/$defs/"
    lines = {
        kind: Draft202012Validator({"$ref": definitions + kind}, registry=registry)
        for kind in PROTOCOL
    }
    problems += protocol_problems(root, lines)
    problems += page_problems(root / "README.md")
    for operation in operations.values():
        problems += operation_problems(operation, validators["operation.schema.json"])
    problems += manifest_problems(root)
    problems += object_problems(root, load, clauses)
    problems += http_problems(root, load, check)
    for clause in listed["clauses"]:
        if clause["level"] == "MUST" and clause["id"] not in shown:
            problems.append(f"clauses.json: no vector tests {clause['id']}")
    for problem in problems:
        print(problem)
    print(f"{count} vectors, {len(clauses)} clauses, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
