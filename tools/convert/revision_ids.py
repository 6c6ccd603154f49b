#!/usr/bin/env python3
"""Converts revision ids that Apache CouchDB computed to vectors.

    python3 tools/convert/revision_ids.py couchdb-revision-ids.json [Vectors/observed]

Each entry of the input is a body, an optional parent, whether the edit deletes, and the revision id in the
response of the server. Each id becomes one vector under the profile `couchdb`, so that a failure names the
feature that is wrong.
"""

import json
import sys

import shared
from shared import Conversion, Script, generation

SOURCE = "couchdb-revision-ids.json"
PLACE = "couchdb/revision-ids"
FAMILY = "couchdb-revision-id"
ABOUT = (
    "Revision ids that Apache CouchDB 3.4.3 computed for bodies of all kinds: one edit each, of a "
    "new document or of a parent that arrives as a record. The order of members and the "
    "difference of 1 and 1.0 matter; integers need 64 bits."
)
TOO_LARGE = "an integer beyond 64 bits, which a store need not keep"


def features(value, depth=1):
    """Yields the features of a body that an implementation may encode incorrectly."""
    if isinstance(value, bool) or value is None:
        yield "true, false, null"
    elif isinstance(value, float):
        yield "doubles"
    elif isinstance(value, int):
        if value < 0:
            yield "negative integers"
        elif value > 255:
            yield "integers above a byte"
        if not -(2**31) <= value < 2**31:
            yield "integers beyond 32 bits"
    elif isinstance(value, str):
        yield "empty texts" if not value else "texts" if value.isascii() else "texts beyond ASCII"
    elif isinstance(value, list):
        small = all(type(each) is int and 0 <= each <= 255 for each in value)
        yield "empty arrays" if not value else "arrays of bytes" if small else "other arrays"
        for each in value:
            yield from features(each, depth + 1)
    else:
        if depth > 1:
            yield "nested objects"
        if len(value) > 1:
            yield "several members"
        for name, each in value.items():
            if not name.isascii():
                yield "names beyond ASCII"
            yield from features(each, depth + 1)


def integers(value):
    if isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from integers(each)
    elif type(value) is int:
        yield value


def convert(path):
    conversion = Conversion("Apache CouchDB 3.4.3: revision ids of edits", "ids")
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["vectors"]
    for number, entry in enumerate(entries):
        conversion.recorded += 1
        body, parent, rev = json.loads(entry["body"]), entry["parent"], entry["rev"]
        if any(not -(2**63) <= each < 2**64 for each in integers(body)):
            conversion.leave_out(TOO_LARGE, number)
            continue
        script = Script()
        expect = {"ok": {"rev": rev}}
        clauses = ["REV-020", "REV-021"] if len(body) > 1 else ["REV-020"]
        if parent:
            script.insert([{"id": "d", "path": [parent], "body": {}}], [])
        if entry["deleted"]:
            arguments = {"id": "d", "rev": parent}
            if body:
                script.need("tombstoneBodies")
                clauses.append("TOMB-001")
                arguments["body"] = body
            script.add("delete", expect, clauses, **arguments)
        elif parent:
            script.add("update", expect, clauses, id="d", rev=parent, body=body)
        else:
            script.add("create", expect, clauses, id="d", body=body)
        has = ", ".join(sorted(set(features(body)))) or "no member"
        kind = "A tombstone" if entry["deleted"] else "An edit"
        below = f"below generation {generation(parent)}" if parent else "without a parent"
        note = f"{kind} {below}; the body has {has}."
        source = f"recorded revision id {number}"
        id = f"{FAMILY}-{number:03}"
        conversion.kept += 1
        conversion.vectors.append(script.vector(id, note, shared.COUCHDB, source))
    return conversion


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
