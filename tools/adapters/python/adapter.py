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

ABOUT = {
    "protocol": 1,
    "name": "little-store",
    "version": "1.0",
    "language": f"Python {platform.python_version()}",
    "capabilities": LittleStore.capabilities,
    "profiles": LittleStore.profiles,
    "limits": {"bodyBytes": 1_000_000, "idBytes": 240, "depth": 150},
    "pipelining": True,
}


def answer(request, store):
    """What a request is answered with, and the store that there is afterwards."""
    if "hello" in request:
        return {"ok": ABOUT}, store
    if "reset" in request:
        return {"ok": {}}, LittleStore()
    if "perform" in request:
        return store.perform(request["perform"]), store
    return {"ok": {}}, None


def main():
    """Answers requests until the last one."""
    store = LittleStore()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        outcome, store = answer(request, store)
        reply = json.dumps({"id": request["id"], **outcome}, ensure_ascii=False, allow_nan=False)
        sys.stdout.buffer.write(reply.encode("utf-8", "surrogatepass") + b"\n")
        sys.stdout.buffer.flush()
        if store is None:
            break


if __name__ == "__main__":
    main()
