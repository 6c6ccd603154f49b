#!/usr/bin/env python3
"""The little store in Python with a replicator of its own (capability `replicate`).

    touchstone explore --replicator --implementation exec:tools/adapters/python/replicating_adapter.py

It is `adapter.py` with a blocking replicator. A session that needs the other store sends a request of its own
to the runner and waits for the response. Meanwhile it responds to the requests of the runner.
"""

import json
import sys

import adapter
from own_replicator import OwnReplicator

adapter.ABOUT |= {
    "name": "little-store with a replicator",
    "capabilities": [*adapter.ABOUT["capabilities"], "replicate"],
    # While a session waits, requests arrive between its request and the response.
    "pipelining": False,
}


class Abandoned(Exception):
    """The runner reset the stores while sessions waited: they end without a response."""

    def __init__(self, store):
        super().__init__()
        self.store = store


def answer(request, store):
    """Like `adapter.answer`, and runs the sessions of `replicate`."""
    if request.get("perform", {}).get("op") == "replicate":
        return OwnReplicator(store, request["id"], write, serve).perform(request["perform"]), store
    return adapter.answer(request, store)


def write(reply):
    """Writes one line and flushes it, because the runner waits for it."""
    line = json.dumps(reply, ensure_ascii=False, allow_nan=False)
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def serve(store, ask=None):
    """Responds to requests until the last one or the end of the input.

    With the number `ask` of a request to the runner, it responds to requests until the runner responds to that
    request, and returns this response.
    """
    for line in sys.stdin.buffer:
        number, request = adapter.read(line) if ask is None else read(line)
        if ask is not None and request.get("ask") == ask:
            return request
        try:
            outcome, after = answer(request, store)
        except Abandoned as end:
            if ask is not None:
                raise
            store = end.store
            continue
        write({"id": number, **outcome})
        if after is None:
            break
        if ask is not None and after is not store:
            raise Abandoned(after)
        store = after
    if ask is not None:
        sys.exit("adapter: the input ended while a session waited for a response of the runner")


def read(line):
    """Returns the id and the message of a line. A response of the runner has no id."""
    message = json.loads(line)
    return message.get("id"), message


if __name__ == "__main__":
    serve(adapter.LittleStore())
