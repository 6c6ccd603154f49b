"""The replicator of this folder behind the operation `replicate`, for a blocking adapter.

A session replicates between the store of the adapter and a remote store. It sends each request through the runner
(`exchange`) and waits for the response; meanwhile the adapter serves other requests of the runner.
"""

from __future__ import annotations

import itertools
from typing import Any, Callable

from little_store import LittleStore
from remote_store import RemoteStore
from replicator import Session, Sessions, Stopped

Object = dict[str, Any]
QUESTIONS = itertools.count(1)


class OwnReplicator:
    """One session; `id` is the id of the request that began it."""

    def __init__(
        self,
        store: LittleStore,
        id: int,
        write: Callable[[Object], None],
        serve: Callable[[LittleStore, int], Object],
    ) -> None:
        self.store = store
        self.id = id
        self.write = write
        self.serve = serve
        self.is_cancelled = False

    def perform(self, operation: Object) -> Object:
        """Runs the session of the event `start`, and returns its last outcome."""
        turn = operation["session"]
        start = operation["event"].get("start")
        if start is None:
            return {"error": {"kind": "badRequest", "path": "event"}}
        remote = RemoteStore(start["remote"], self.exchange)
        pushes = start["direction"] == "push"
        own, other = ("source", "target") if pushes else ("target", "source")

        def ask(each: Object) -> Object:
            if each["store"] == other:
                return remote.perform(each)
            return self.store.perform({**each, "store": operation["store"]})

        arguments = {"source": "source", "target": "target"}
        arguments |= {name: start[name] for name in ("filter", "batch") if name in start}
        session = Session(Sessions(ask, attachments=True), arguments, turn)
        outcome = session.run()["ok"]
        state = "stopped" if self.is_cancelled else outcome["state"]
        message = {"message": session.reason or "unknown"} if state == "error" else {}
        return {"ok": {"requests": [], "state": state, **message}}

    def exchange(self, request: Object) -> Object | None:
        """Sends a request. Returns the response, or None if it is lost."""
        number = next(QUESTIONS)
        self.write({"ask": number, "id": self.id, "exchange": request})
        reply = self.serve(self.store, number)
        if "cancelled" in reply:
            self.is_cancelled = True
            raise Stopped
        return reply.get("ok")
