#!/usr/bin/env python3
"""The adapter of the little store in Python.

    touchstone run --implementation 'exec:tools/adapters/python/adapter.py'

An adapter for another store is this file with another `ABOUT` and another store.
`Vectors/protocol.md` describes the lines.
"""

import json
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from little_store import LittleStore  # noqa: E402

VERSION = 1
ABOUT = {
    "protocol": VERSION,
    "name": "little-store",
    "version": "1.0",
    "language": f"Python {platform.python_version()}",
    "capabilities": LittleStore.capabilities,
    "profiles": LittleStore.profiles,
    "limits": LittleStore.limits,
    "pipelining": True,
}


def hello(question):
    """Returns the description of the store, or an error if the runner does not support this version."""
    versions = question["protocol"]
    if versions["first"] <= VERSION <= versions["last"]:
        return {"ok": ABOUT}
    return {"error": {"message": f"this adapter speaks version {VERSION} of the protocol"}}


def answer(request, store):
    """Returns the response to a request and the current store, which is None after the last request."""
    if "hello" in request:
        greeting = hello(request["hello"])
        return greeting, store if "ok" in greeting else None
    if "reset" in request:
        return {"ok": {}}, LittleStore()
    if "perform" in request:
        return store.perform(request["perform"]), store
    if "bye" in request:
        return {"ok": {}}, None
    sys.exit(f"adapter: unknown request: {request}")


def read(line):
    """Returns the id and the request of a line. Ends the adapter if the line is malformed."""
    try:
        request = json.loads(line)
        return request["id"], request
    except (ValueError, TypeError, KeyError) as error:
        sys.exit(f"adapter: malformed request: {line[:200]}: {error!r}")


def main():
    """Responds to requests until the last one or the end of the input."""
    store = LittleStore()
    for line in sys.stdin.buffer:
        number, request = read(line)
        outcome, store = answer(request, store)
        reply = json.dumps({"id": number, **outcome}, ensure_ascii=False, allow_nan=False)
        sys.stdout.buffer.write(reply.encode() + b"\n")
        # The runner waits for the response, so it must not stay in a buffer.
        sys.stdout.buffer.flush()
        if store is None:
            break


if __name__ == "__main__":
    main()
