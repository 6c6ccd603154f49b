"""The table of operations, from `Vectors/operations.json`.

`touchstone vectors generate` writes that file; `Vectors/operations.md` explains it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterator

Object = dict[str, Any]

# Found from anywhere, because it lies beside the folder of this file.
TABLE: Object = json.loads(
    (Path(__file__).resolve().parents[2] / "Vectors" / "operations.json").read_text(encoding="utf-8")
)
OPERATIONS: dict[str, Object] = {row["name"]: row for row in TABLE["operations"]}
CAPABILITIES = set(TABLE["capabilities"])
# The kinds of errors.
KINDS = set(TABLE["errors"])
# Members of an operation in which nothing is a matcher.
DATA = set(TABLE["arguments"]["data"])
# Members of an answer that are compared as one JSON value.
WHOLE = set(TABLE["results"]["data"])
# Members of an answer in which no name may be missing.
NAMED = set(TABLE["results"]["maps"])
# Lists whose order the contract leaves open, with the operations that answer them.
UNORDERED = {tuple(pair) for pair in TABLE["results"]["unordered"]}
# Lists whose order only the profile `dense-changes` guarantees.
DENSE = {tuple(pair) for pair in TABLE["results"]["dense"]}
# Operators of selectors that need a capability.
OPERATORS = {"$regex": "regex", "$decimal": "decimals", "$nearSphere": "geography", "$within": "geography"}


def needed(operation: Object) -> set[str]:
    """The capabilities without which an operation is `unsupported`."""
    row = OPERATIONS[operation["op"]]
    found = set(row["capabilities"])
    for path, capability in row.get("needs", {}).items():
        if any(True for _ in members(operation, path.split("[]."))):
            found.add(capability)
    if "selector" in operation:
        found |= {OPERATORS[name] for name in names(operation["selector"]) & OPERATORS.keys()}
    for write in operation.get("writes", []):
        found |= needed(write)
    return found


def members(value: Object, path: list[str]) -> Iterator[Any]:
    """The members at a path, each element of which but the last is a list."""
    name, *rest = path
    if name in value and rest:
        for element in value[name]:
            yield from members(element, rest)
    elif name in value:
        yield value[name]


def names(value: Any) -> set[str]:
    """The names of all members in a value."""
    if isinstance(value, dict):
        return value.keys() | {name for inner in value.values() for name in names(inner)}
    if isinstance(value, list):
        return {name for inner in value for name in names(inner)}
    return set()


def errors(operation: str) -> set[str]:
    """The kinds of errors that an operation can answer."""
    return set(OPERATIONS[operation]["errors"]) | set(TABLE["commonErrors"])
