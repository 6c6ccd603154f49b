"""The replicator of the runner: sessions between two stores of one implementation.

Sessions run one after the other. Each one walks through the feed of its source. It uses only operations of
the core.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Callable

from find_selectors import read_selector

Object = dict[str, Any]
ENTRIES_MAX = 50


class Refused(Exception):
    """A request that a store refused, or another reason that ends a session."""


class CutOff(Exception):
    """The process of the replicator ends here."""


class Stopped(Exception):
    """The user stopped the session."""


class Sessions:
    """The sessions of one vector. `perform` performs an operation and returns an outcome."""

    def __init__(
        self, perform: Callable[[Object], Object], attachments: bool = False, continues: bool = True
    ) -> None:
        self.perform = perform
        self.continues = continues  # whether the feed can be read from a sequence
        self.attachments = attachments  # whether records bring the content that the target lacks
        self.count = 0
        self.checkpoints: set[tuple[str, str]] = set()  # store and id

    def implied(self, step: Object) -> Object:
        """Returns the expectation of a step without one."""
        runs_through = "replicate" in step and not step["replicate"].keys() & {"cutOff", "stop"}
        return {"ok": {"state": "complete"} if runs_through else {}}

    def carry_out(self, step: Object) -> Object:
        """Performs a directive and returns its outcome."""
        if "replicate" in step:
            self.count += 1
            return Session(self, step["replicate"], f"session-{self.count}").run()
        store = step["loseCheckpoint"]["store"]
        for at, id in sorted(self.checkpoints):
            if at == store:
                self.perform({"op": "writeLocal", "store": store, "id": id, "body": None})
        return {"ok": {}}


class Session:
    """One session."""

    def __init__(self, sessions: Sessions, arguments: Object, name: str) -> None:
        self.sessions = sessions
        self.stores = {"source": arguments["source"], "target": arguments["target"]}
        self.filter = arguments.get("filter")
        self.batch = arguments.get("batch", 100)
        kinds = [kind for kind in ("cutOff", "stop", "meanwhile") if kind in arguments]
        self.kind = kinds[0] if kinds else None
        self.place = arguments.get(self.kind, {})  # of the interruption
        self.until_place = self.place.get("nth", 0)
        self.is_stopping = False
        self.name = name
        self.counts = {"processed": 0, "refused": 0, "vanished": 0}
        self.is_whole = True  # whether everything so far has arrived
        self.reason = ""  # the reason if not

    def ask(self, side: str, op: str, **arguments: Any) -> Object:
        """Performs an operation on one side. Raises an exception if it is refused or if the session ends."""
        operation = {"op": op, "store": self.stores[side], **arguments}
        # A stopped session may still write the checkpoint of what has arrived.
        if self.is_stopping and op != "writeLocal":
            raise Stopped
        is_kind = (self.place.get("at"), self.place.get("op")) == (side, op)
        self.until_place -= is_kind
        if is_kind and self.until_place == 0:
            self.interrupt(operation)
        outcome = self.sessions.perform(operation)
        if "ok" not in outcome:
            raise Refused(f"{op} of the {side}: {outcome}")
        return outcome["ok"]

    def interrupt(self, operation: Object) -> None:
        """Performs the interruption at this request."""
        if self.kind == "cutOff":
            if self.place["performed"]:
                self.sessions.perform(operation)
            raise CutOff
        self.is_stopping = self.kind == "stop"
        for other in self.place.get("do", []):
            self.sessions.perform(other)

    def run(self) -> Object:
        """Runs the session and returns its outcome."""
        try:
            self.copy()
            state = "stopped" if self.is_stopping else "complete"
        except Stopped:
            state = "stopped"
        except Refused as error:
            self.is_whole = False
            self.reason = self.reason or str(error)
            state = "error"
        except CutOff:
            return {"ok": {"state": "gone", **self.counts}}
        return {"ok": {"state": state if self.is_whole else "error", **self.counts}}

    def copy(self) -> None:
        """Finds the newest common checkpoint entry of the two incarnations, and copies from there."""
        who = {side: self.ask(side, "info")["incarnation"] for side in self.stores}
        named = json.dumps([who, self.filter], sort_keys=True).encode()
        id = "replication-" + hashlib.sha256(named).hexdigest()[:32]
        self.sessions.checkpoints |= {(store, id) for store in self.stores.values()}
        histories = {side: self.recall(side, id) for side in self.stores}
        common = [entry for entry in histories["source"] if entry in histories["target"]]
        since = start = common[0]["recorded"] if common else None
        while True:
            position = {} if since is None else {"since": since}
            asked = {"limit": self.batch, **position} if self.sessions.continues else {}
            page = self.ask("source", "changes", **asked)
            try:
                self.copy_page(page["rows"])
            except Refused as error:
                self.is_whole = False  # Later pages can still arrive.
                self.reason = self.reason or str(error)
            if page["more"] and page["last"] == since:
                raise Refused("a page with more = true does not advance")
            since = page["last"]
            if self.is_whole and since != start:
                self.remember(id, histories, since)
                start = since
            if not page["more"]:
                break
        if who != {side: self.ask(side, "info")["incarnation"] for side in self.stores}:
            raise Refused("a store was replaced during the session")

    def recall(self, side: str, id: str) -> list[Object]:
        """Returns the checkpoint entries of a side, newest first."""
        try:
            body = self.ask(side, "readLocal", id=id)["body"]
        except Refused as error:
            if "notFound" in str(error):
                return []
            raise
        # If the sides are two copies of one store, either may be the source.
        return body["history"] if body.get("side") == side else []

    def remember(self, id: str, histories: Object, recorded: Any) -> None:
        """Writes a new entry, first to the target: an entry of the target alone is never used."""
        entry = {"session": self.name, "recorded": recorded}
        for side in ("target", "source"):
            others = [old for old in histories[side] if old != entry]
            own = [old for old in others if old["session"] == self.name]
            others = [old for old in others if old not in own[1:]]
            histories[side] = [entry, *others][:ENTRIES_MAX]
            self.ask(side, "writeLocal", id=id, body={"side": side, "history": histories[side]})

    def copy_page(self, rows: list[Object]) -> None:
        """Copies the revisions of a page that the target lacks."""
        asked = []
        for row in rows:
            revs = [leaf["rev"] for leaf in row["leaves"] if self.may_pass(row["id"], leaf)]
            asked += [{"id": row["id"], "revs": revs}] if revs else []
        if not asked:
            return
        lacking = self.ask("target", "revsDiff", revs=asked)["results"]
        wanted = [(each, rev) for each in lacking for rev in each["missing"]]
        for start in range(0, len(wanted), self.batch):
            self.bring(wanted[start : start + self.batch])

    def bring(self, wanted: list[tuple[Object, str]]) -> None:
        """Fetches some revisions and stores them."""
        docs: list[Object] = [{"id": each["id"], "revs": [rev], "latest": True} for each, rev in wanted]
        if self.sessions.attachments:
            for doc, (each, _) in zip(docs, wanted):
                doc["attachmentsSince"] = each["possibleAncestors"]
        records: list[Object] = []
        for answer in self.ask("source", "getRevisions", docs=docs)["results"]:
            self.counts["processed"] += 1
            if "missing" in answer:
                self.look_for(answer)
            for record in answer.get("records", []):
                if self.passes(record) and record not in records:
                    records.append(record)
        if not records:
            return
        for result in self.ask("target", "insertRevisions", records=records)["results"]:
            kind = result.get("error", {}).get("kind")
            self.counts["refused"] += kind == "forbidden"
            self.is_whole &= kind in (None, "forbidden")

    def look_for(self, answer: Object) -> None:
        """Returns whether a revision that the source did not return is gone from it."""
        asked = [{"id": answer["id"], "revs": [answer["rev"]]}]
        if answer["missing"] == "missing" and self.ask("source", "revsDiff", revs=asked)["results"]:
            self.counts["vanished"] += 1
        else:
            self.is_whole = False

    def may_pass(self, id: str, leaf: Object) -> bool:
        """Returns whether a leaf of the feed can pass the filter; bodies are checked later."""
        if self.filter and "documentIDs" in self.filter:
            return id in self.filter["documentIDs"]
        return not (self.filter and "live" in self.filter and leaf.get("deleted", False))

    def passes(self, record: Object) -> bool:
        """Returns whether a revision passes the filter."""
        if not self.filter or "documentIDs" in self.filter:
            return True
        if "live" in self.filter:
            return not record.get("deleted", False)
        if "selector" in self.filter:
            shown = {**record["body"], "_id": record["id"], "_rev": record["path"][0]}
            return read_selector(self.filter["selector"])(shown)
        wanted = self.filter["bodyFieldEquals"]
        value = record["body"].get(wanted["field"], Session)
        return isinstance(value, bool) == isinstance(wanted["value"], bool) and value == wanted["value"]
