#!/usr/bin/env python3
"""An adapter, to be finished in three places marked TO DO. `touchstone doctor` says what comes first.

In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md` the operations.
"""

import json
import platform
import sys

# TO DO 3: who your store is. Capabilities and profiles that are not named are not asked for.
ABOUT = {
    "protocol": 1,
    "name": "my-store",
    "version": "0.1",
    "language": f"Python {platform.python_version()}",
    "capabilities": [],
    "profiles": [],
}


class Store:
    """TO DO 1: your store. It is made at the start and at each reset, and then there is nothing in it."""

    def __init__(self, folder):
        # Files belong into this folder, where those of the store before may still be.
        self.folder = folder
        self.databases = {}

    def perform(self, operation):
        """TO DO 2: does an operation, and answers `ok` with its result or `error` with its kind."""
        # if operation["op"] == "open":
        #     self.databases.setdefault(operation["store"], Database())
        #     return {"ok": {}}
        # database = self.databases.get(operation["store"])
        # if database is None:
        #     return {"error": {"kind": "noSuchStore"}}
        # if operation["op"] == "create":
        #     id, rev = database.create(operation.get("id"), operation["body"])
        #     return {"ok": {"id": id, "rev": rev}}
        return {"error": {"kind": "unsupported", "what": operation["op"]}}


def answer(request, store):
    """What a request is answered with, and the store that there is afterwards; none at the end."""
    if "hello" in request:
        versions = request["hello"]["protocol"]
        if versions["first"] <= ABOUT["protocol"] <= versions["last"]:
            return {"ok": ABOUT}, Store(request["hello"].get("folder"))
        return {"error": {"message": f"only version {ABOUT['protocol']} is spoken"}}, None
    if "perform" in request:
        return store.perform(request["perform"]), store
    if "reset" in request:
        return {"ok": {}}, Store(store.folder)
    if "bye" in request:
        return {"ok": {}}, None
    raise ValueError("a line that is no request")


def main():
    """Answers requests until the last one, or until the runner has gone."""
    replies = sys.stdout.buffer
    # What anybody else prints must not come between the replies.
    sys.stdout = sys.stderr
    store = None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        outcome, store = answer(request, store)
        reply = json.dumps({"id": request["id"], **outcome}, ensure_ascii=False, allow_nan=False)
        replies.write(reply.encode("utf-8", "surrogatepass") + b"\n")
        replies.flush()
        if store is None:
            break


if __name__ == "__main__":
    main()
