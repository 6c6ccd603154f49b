#!/usr/bin/env python3
"""The little store in Python with a replicator of its own (capability `replicate`).

    touchstone explore --replicator --implementation exec:tools/adapters/python/replicating_adapter.py

It is `adapter.py`, and a blocking replicator: a session that needs the other store asks the runner for
an exchange and waits. Meanwhile it serves what the runner requests.
"""

import json
import sys

import adapter
from own_replicator import OwnReplicator

adapter.ABOUT |= {
    "name": "little-store with a replicator",
    "capabilities": [*adapter.ABOUT["capabilities"], "replicate"],
    # While a session waits, requests arrive between a question and its answer.
    "pipelining": False,
}


class Abandoned(Exception):
    """The runner reset the stores while sessions waited; they get no answer, and give none."""

    def __init__(self, store):
        super().__init__()
        self.store = store


def answer(request, store):
    """As the adapter does it, and sessions."""
    if request.get("perform", {}).get("op") == "replicate":
        return OwnReplicator(store, request["id"], write, serve).perform(request["perform"]), store
    return adapter.answer(request, store)


def write(reply):
    """Writes one line; what stays in a buffer never reaches the runner, which waits for it."""
    line = json.dumps(reply, ensure_ascii=False, allow_nan=False)
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def serve(store, ask=None):
    """Answers requests until the last one, or until the runner has gone.

    With the number of a question of its own it answers requests until the runner answers the
    question, and returns that.
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
        sys.exit("adapter: the runner has gone while a session waits for an answer")


def read(line):
    """A request, or the answer to a question, which has no id."""
    message = json.loads(line)
    return message.get("id"), message


if __name__ == "__main__":
    serve(adapter.LittleStore())
