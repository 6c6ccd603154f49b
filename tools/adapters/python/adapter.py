#!/usr/bin/env python3
"""The little store in Python, for `touchstone run --implementation 'exec:tools/adapters/python/adapter.py'`.

An adapter for a store of your own is this file with another `STORE` and another `perform`.
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
    """Who this is, if the runner speaks the version of this adapter."""
    versions = question["protocol"]
    if versions["first"] <= VERSION <= versions["last"]:
        return {"ok": ABOUT}
    return {"error": {"message": f"this adapter speaks version {VERSION} of the protocol"}}


def answer(request, store):
    """What a request is answered with, and the store that there is afterwards: none at the end."""
    if "hello" in request:
        greeting = hello(request["hello"])
        return greeting, store if "ok" in greeting else None
    if "reset" in request:
        return {"ok": {}}, LittleStore()
    if "perform" in request:
        return store.perform(request["perform"]), store
    if "bye" in request:
        return {"ok": {}}, None
    sys.exit(f"adapter: no request: {request}")


def read(line):
    """The request of a line; one that cannot be read ends the adapter, for nobody could answer it."""
    try:
        request = json.loads(line)
        return request["id"], request
    except (ValueError, TypeError, KeyError) as error:
        sys.exit(f"adapter: no request: {line[:200]}: {error!r}")


def main():
    """Answers requests until the last one, or until the runner has gone."""
    store = LittleStore()
    for line in sys.stdin.buffer:
        number, request = read(line)
        outcome, store = answer(request, store)
        reply = json.dumps({"id": number, **outcome}, ensure_ascii=False, allow_nan=False)
        sys.stdout.buffer.write(reply.encode() + b"\n")
        # What stays in a buffer never reaches the runner, which waits for it.
        sys.stdout.buffer.flush()
        if store is None:
            break


if __name__ == "__main__":
    main()
