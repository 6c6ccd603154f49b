#!/usr/bin/env python3
"""A conflict resolver in Python, as an adapter with a resolver and without a store.

    touchstone resolver --implementation 'exec:tools/adapters/python/resolver.py'

It merges member by member. Where two sides differ, the value of the winner remains. To check another resolver,
replace `resolve`. `Vectors/protocol.md` describes the lines.
"""

import json
import platform
import sys

VERSION = 1
ABOUT = {
    "protocol": VERSION,
    "name": "merge",
    "version": "1.0",
    "language": f"Python {platform.python_version()}",
    "resolver": True,
}


def rank(leaf):
    """Returns the place of a leaf in the order of all devices: generation, then the bytes of the suffix."""
    generation, _, suffix = leaf["rev"].partition("-")
    return int(generation), suffix.encode()


def text(value):
    """Returns a value as text with ordered members. In Python 1 == True, so values are compared as text."""
    return json.dumps(value, sort_keys=True)


def resolve(conflict):
    """Returns the answer to a conflict."""
    leaves = sorted(conflict["leaves"], key=rank, reverse=True)
    live = [leaf["body"] for leaf in leaves if "body" in leaf]
    ancestor = conflict["ancestor"]["body"] if "ancestor" in conflict else None
    if not live:
        return {"delete": True}
    # A side deleted the document, and no other side changed it.
    if len(live) < len(leaves) and all(text(body) == text(ancestor) for body in live):
        return {"delete": True}
    base = ancestor or {}
    merged = {}
    # The order of the names does not depend on the order of the leaves.
    for name in sorted({name for body in [base, *live] for name in body}):
        sides = [body for body in live if member(body, name) != member(base, name)]
        source = sides[0] if sides else base
        if name in source:
            merged[name] = source[name]
    return {"body": merged}


def member(body, name):
    """Returns a member as text; None if there is none, which differs from the value null."""
    return text(body[name]) if name in body else None


def answer(request):
    """Returns the response to a request."""
    if "resolveConflict" in request:
        return {"ok": resolve(request["resolveConflict"])}
    if "hello" in request:
        versions = request["hello"]["protocol"]
        if versions["first"] <= VERSION <= versions["last"]:
            return {"ok": ABOUT}
        return {"error": {"message": f"this adapter speaks version {VERSION} of the protocol"}}
    if "perform" in request:
        return {"error": {"kind": "unsupported", "what": request["perform"].get("op", "")}}
    if "reset" in request or "bye" in request:
        return {"ok": {}}
    sys.exit(f"adapter: unknown request: {request}")


def main():
    """Responds to requests until the last one or the end of the input."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reply = json.dumps({"id": request["id"], **answer(request)}, ensure_ascii=False)
        sys.stdout.buffer.write(reply.encode() + b"\n")
        # The runner waits for the response, so it must not stay in a buffer.
        sys.stdout.buffer.flush()
        if "bye" in request:
            break


if __name__ == "__main__":
    main()
