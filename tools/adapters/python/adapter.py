#!/usr/bin/env python3
"""The little store in Python, for `touchstone run --implementation 'exec:tools/adapters/python/adapter.py'`.

With `--replicator` it also offers the capability `replicate`, with the replicator of `tools/python`.

An adapter for a store of your own is this file with another `STORE` and another `perform`.
`Vectors/protocol.md` describes the lines.
"""

import json
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from little_store import LittleStore  # noqa: E402
from own_replicator import OwnReplicator  # noqa: E402

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


if "--replicator" in sys.argv[1:]:
    # A session waits for the answers to its own questions, among which requests may arrive.
    ABOUT = ABOUT | {"capabilities": [*ABOUT["capabilities"], "replicate"], "pipelining": False}


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
        operation = request["perform"]
        if operation["op"] == "replicate":
            return OwnReplicator(store, request["id"], write, serve).perform(operation), store
        return store.perform(operation), store
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


def write(reply):
    """Writes one line; what stays in a buffer never reaches the runner, which waits for it."""
    line = json.dumps(reply, ensure_ascii=False, allow_nan=False)
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def serve(store, ask=None):
    """Answers requests until the last one, or until the runner has gone.

    With the number of a question of its own it answers until that one is answered, and returns the
    answer.
    """
    for line in sys.stdin.buffer:
        if ask is not None and (reply := json.loads(line)).get("ask") == ask:
            return reply
        number, request = read(line)
        outcome, after = answer(request, store)
        write({"id": number, **outcome})
        if after is None:
            break
        if ask is None:
            store = after
        elif after is not store:
            sys.exit("adapter: reset while a session waits for an answer")
    if ask is not None:
        sys.exit("adapter: the runner has gone")


if __name__ == "__main__":
    serve(LittleStore())
