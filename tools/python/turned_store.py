"""The little store with every list reversed that has no order.

It is as correct as the little store, so it must pass every vector:

    python3 tools/python/run_vectors.py --store turned_store:TurnedStore
"""

from __future__ import annotations

from typing import Any

from little_store import LittleStore
from revision_ids import Object

# The lists without an order, by the operation that returns them. Of leaves all except the winner are reversed.
OPEN = {
    "purge": {"purged"}, "resolve": {"tombstones"}, "getRevisions": {"records"},
    "revsDiff": {"results", "missing", "possibleAncestors"}, "changes": {"rows"},
}  # fmt: skip


def turned(value: Any, names: set[str]) -> Any:
    """Returns a part of a result with the lists of these names reversed."""
    if isinstance(value, list):
        return [turned(element, names) for element in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, member in value.items():
        member = member if name == "body" else turned(member, names)
        if name == "leaves":
            member = member[:1] + member[1:][::-1]
        result[name] = member[::-1] if name in names else member
    return result


class TurnedStore(LittleStore):
    """A store that orders only the lists for which a rule requires it."""

    profiles = [profile for profile in LittleStore.profiles if profile != "dense-changes"]

    def perform(self, operation: Object) -> Object:
        """Performs an operation of the little store."""
        outcome = super().perform(operation)
        # A page of the feed ends with its last row, so only a complete feed is reversed.
        names = set() if "limit" in operation else OPEN.get(operation.get("op", ""), set())
        is_meant = operation.get("op") in {*OPEN, "leaves"}
        return {"ok": turned(outcome["ok"], names)} if is_meant and "ok" in outcome else outcome
