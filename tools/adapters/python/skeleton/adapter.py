#!/usr/bin/env python3
"""The skeleton of an adapter. Connect your store at the three places marked TO DO.

`touchstone doctor` names the next step. In Touchstone, `Vectors/protocol.md` describes the lines and
`Vectors/README.md` the operations.
"""

import json
import platform
import sys

# TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped.
ABOUT = {
    "protocol": 1,
    "name": "my-store",
    "version": "0.1",
    "language": f"Python {platform.python_version()}",
    "capabilities": [],
    "profiles": [],
}


class Store:
    """TO DO 1: your store. It is created at the start and at each reset, and is then empty."""

    def __init__(self, folder):
        # Keep files in this folder. Remove those of the previous store.
        self.folder = folder
        self.databases = {}

    def perform(self, operation):
        """TO DO 2: perform one operation. Return `ok` with its result, or `error` with its kind."""
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
    """Returns the response to a request and the current store, which is None after the last request."""
    if "hello" in request:
        versions = request["hello"]["protocol"]
        if versions["first"] <= ABOUT["protocol"] <= versions["last"]:
            return {"ok": ABOUT}, Store(request["hello"].get("folder"))
        return {"error": {"message": f"this adapter speaks version {ABOUT['protocol']}"}}, None
    if "perform" in request:
        return store.perform(request["perform"]), store
    if "reset" in request:
        return {"ok": {}}, Store(store.folder)
    if "bye" in request:
        return {"ok": {}}, None
    raise ValueError("unknown request")


def main():
    """Responds to requests until the last one or the end of the input."""
    replies = sys.stdout.buffer
    # The output of other code must not mix with the responses.
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
