"""The table of operations, from `Vectors/operations.json`.

`touchstone vectors generate` writes that file; `Vectors/operations.md` explains it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterable, Iterator

Object = dict[str, Any]

# Relative to this file, so that the current folder does not matter.
TABLE: Object = json.loads(
    (Path(__file__).resolve().parents[2] / "Vectors" / "operations.json").read_text(encoding="utf-8")
)
OPERATIONS: dict[str, Object] = {row["name"]: row for row in TABLE["operations"]}
CAPABILITIES = set(TABLE["capabilities"])
# The kinds of errors.
KINDS = set(TABLE["errors"])
# Members of an operation that contain no matchers.
DATA = set(TABLE["arguments"]["data"])
# Members of a result that are compared as one JSON value.
WHOLE = set(TABLE["results"]["data"])
# Members of a result in which all names must be present.
NAMED = set(TABLE["results"]["maps"])
# Lists without an order, with the operations that return them.
UNORDERED = {tuple(pair) for pair in TABLE["results"]["unordered"]}
# Lists whose order only the profile `dense-changes` guarantees.
DENSE = {tuple(pair) for pair in TABLE["results"]["dense"]}
# Operators of selectors that need a capability.
OPERATORS = {"$regex": "regex", "$decimal": "decimals", "$nearSphere": "geography", "$within": "geography"}


# Capabilities for which `attachment` stands in the first version of a list of capabilities.
ATTACHMENT_PARTS = ("attachmentEncoding", "attachmentPieces")


def expanded(capabilities: Iterable[str], version: int) -> list[str]:
    """Returns the declared capabilities one by one, from a list of version 1 or 2."""
    offered = list(capabilities)
    return offered + [part for part in ATTACHMENT_PARTS if version == 1 and "attachment" in offered]


def needed(operation: Object) -> set[str]:
    """Returns the capabilities without which an operation is `unsupported`."""
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
    """Yields the members at a path, all elements of which except the last are lists or maps."""
    name, *rest = path
    if name in value and rest:
        elements = value[name].values() if isinstance(value[name], dict) else value[name]
        for element in elements:
            yield from members(element, rest)
    elif name in value:
        yield value[name]


def names(value: Any) -> set[str]:
    """Returns the names of all members in a value."""
    if isinstance(value, dict):
        return value.keys() | {name for inner in value.values() for name in names(inner)}
    if isinstance(value, list):
        return {name for inner in value for name in names(inner)}
    return set()


def errors(operation: str) -> set[str]:
    """Returns the kinds of errors of an operation."""
    return set(OPERATIONS[operation]["errors"]) | set(TABLE["commonErrors"])
