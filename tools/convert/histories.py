#!/usr/bin/env python3
"""Converts recorded histories of Apache CouchDB to vectors.

    python3 tools/convert/histories.py couchdb-histories.jsonl [Vectors/observed]

Each line of the input is a random history of one document, with the responses of the server and the state
after every request. A history becomes one vector under the profile `couchdb`. It ends before the first
request whose outcome no rule determines.
"""

import sys
from collections import Counter

import shared
from shared import Conversion, Edit, Script, Twins, body_of, generation, not_found, unordered

SOURCE = "couchdb-histories.jsonl"
PLACE = "couchdb/histories"
FAMILY = "couchdb-history"
ABOUT = (
    "Histories of one document that Apache CouchDB 3.4.3 went through, replayed request by "
    "request: replicated revisions, edits with the revision ids that the server computed, "
    "deletions with and without a body, purges and history limits, each followed by the state "
    "that the server showed. Requests that were refused and have no counterpart here, or more "
    "than one accepted refusal, are left out, because they left no trace. Edits that a store may "
    "refuse (of a tombstone by its revision, by an unknown revision of a document that is not "
    "there, and creating a tombstone) arrive as records of what they made."
)
PURGE = "an edit after a purge that left only tombstones: the server keeps a stale flag"
STEM = "a history limit that the server applies in another order"
LATE = "a known revision with a longer history that changes which revisions are leaves (TREE-013)"
PASSED_OVER = "refused requests without a counterpart, or with several accepted refusals, skipped"
WORDS = {
    "repl": "replicated",
    "repl_ext": "replicated on top",
    "edit_leaf": "edited",
    "edit_stale": "edited by an old revision",
    "edit_unknown": "edited by an unknown revision",
    "edit_dead_leaf": "edited by a tombstone's revision",
    "create": "created",
    "delete_leaf": "deleted",
    "delete_stale": "deleted by an old revision",
    "delete_norev": "deleted without a revision",
    "put_deleted": "deleted with a body",
    "bulk2": "edited twice in one request",
    "purge": "purged",
}


class History:
    """The conversion of one history."""

    def __init__(self, history, conversion):
        self.case = history["case"]
        self.limit = history["revs_limit"]
        self.notes = conversion.notes
        self.document = Twins(self.limit)
        self.script = Script()
        self.kinds = Counter()
        self.cut = None
        self.shown = None
        self.stale = False  # whether the flag of the server may be stale
        self.last = None  # a refusal with alternatives, only for the last step
        self.passed_over = 0
        if self.limit < 1000:
            self.script.limit(self.limit)
        state = None
        for op in history["ops"]:
            mark = self.script.mark()
            self.last = None
            self.cut = self.perform(op) or self.compare(op["state"])
            if self.cut:
                self.script.back_to(mark)
                break
            if self.script.mark()[0] == mark[0]:
                continue
            self.kinds[op["kind"]] += 1
            state = op["state"]
            self.observe(state)
        if state:
            self.conclude(state, None if self.cut else history["revs_diff"])
        if self.last and not self.cut:
            self.kinds[history["ops"][-1]["kind"]] += 1
            self.passed_over -= 1
            for capability in self.last.capabilities:
                self.script.need(capability)
            self.script.add(
                self.last.op, self.last.expect, self.last.clauses, **self.last.arguments
            )
        self.notes[PASSED_OVER] += self.passed_over

    def compare(self, state):
        leaves = self.document.leaves()
        if leaves is None:
            return LATE
        if leaves != {leaf["rev"]: leaf["deleted"] for leaf in state["leaves"]}:
            return STEM
        for leaf in state["leaves"]:
            path = self.document.path(leaf["rev"])
            if path is not None and path != leaf_path(leaf):
                return STEM
        return None

    def perform(self, op):
        """Adds the steps of a request. Returns the reason why the history must end before it, or None."""
        method, target, body = op["req"]
        if target == "/_purge":
            return self.purge(body["d"], op["resp"]["body"]["purged"]["d"])
        if target == "/_bulk_docs" and body.get("new_edits") is False:
            records = [
                (shared.revision_path(each), each.get("_deleted", False), body_of(each))
                for each in body["docs"]
            ]
            return self.insert(records)
        if target == "/_bulk_docs":
            for document, answer in zip(body["docs"], op["resp"]["body"], strict=True):
                rev = answer.get("rev")
                if cut := self.edit(document.get("_rev"), False, body_of(document), rev):
                    return cut
            return None
        answer = op["resp"]["body"].get("rev")
        if method == "DELETE":
            if "?rev=" not in target:
                assert answer is None
                return None  # no counterpart, and refused
            return self.edit(target.split("?rev=")[1], True, {}, answer)
        return self.edit(body.get("_rev"), body.get("_deleted", False), body_of(body), answer)

    def insert(self, revisions):
        records, clauses = [], []
        for path, deleted, body in revisions:
            clauses += self.document.clauses(path)
            if self.document.brings_other_flag(path, deleted):
                clauses.append("TREE-027")
            self.document.merge(path, deleted)
            record = {"id": "d", "path": path}
            if deleted:
                record["deleted"] = True
            records.append({**record, "body": body})
        self.document.stem()
        self.script.insert(records, clauses)
        return None

    def edit(self, rev, deleted, body, made):
        self.last = None
        if self.stale:
            return PURGE
        edit = Edit(self.document, "d", rev, deleted, body, made)
        if edit.kind == "record":
            self.notes["edits that a store may refuse, replayed as records of their results"] += 1
            return self.insert([(edit.path, deleted, body)])
        if edit.kind == "last":
            self.last = edit
        if edit.kind != "step":
            self.passed_over += 1
            return None
        for capability in edit.capabilities:
            self.script.need(capability)
        self.script.add(edit.op, edit.expect, edit.clauses, **edit.arguments)
        if made:
            self.document.merge(edit.path, deleted)
            self.document.stem()
        return None

    def purge(self, revs, purged):
        before = self.document.leaves()
        self.document.purge(revs)
        after = self.document.leaves()
        if after is None:
            return LATE
        if after and all(after.values()) and not all(before.values()):
            self.stale = True
            self.script.cite("PURGE-007")
        self.script.need("purge")
        clauses = ["PURGE-001", "PURGE-002"] if purged else ["PURGE-005"]
        if purged and after:
            clauses.append("PURGE-003")
        expect = {"ok": {"purged": unordered(purged)}}
        self.script.add("purge", expect, clauses, id="d", revs=revs)
        return None

    def observe(self, state):
        """Adds the leaves after each request, and the winner if it changed."""
        if not state["leaves"]:
            self.script.add("leaves", not_found("missing"), ["PURGE-004"], id="d")
            self.shown = None
            return
        leaves = {leaf["rev"]: leaf["deleted"] for leaf in state["leaves"]}
        winner = state["changes"][0]["revs"][0]
        self.script.leaves("d", leaves, winner)
        if winner == self.shown:
            return
        self.shown = winner
        clauses = self.script.winner_clauses(leaves, winner)
        if leaves[winner]:
            self.script.add("read", not_found("deleted"), clauses, id="d")
        else:
            expect = {"ok": {"rev": winner, "deleted": False, "body": {"n": state["get"]["n"]}}}
            self.script.add("read", expect, clauses, id="d")

    def conclude(self, state, difference):
        """Adds paths and bodies of all leaves, the row of the feed, and a revsDiff."""
        leaves, script = state["leaves"], self.script
        certain = [leaf for leaf in leaves if self.document.path(leaf["rev"]) is not None]
        if certain:
            answers = []
            for leaf in certain:
                record = {"path": leaf_path(leaf)}
                if leaf["deleted"]:
                    record["deleted"] = True
                record["body"] = {} if leaf["n"] is None else {"n": leaf["n"]}
                answers.append({"id": "d", "rev": leaf["rev"], "records": [record]})
            asked = [{"id": "d", "revs": [leaf["rev"] for leaf in certain]}]
            expect = {"ok": {"results": answers}}
            script.add("getRevisions", expect, ["REC-001"], docs=asked)
        rows = []
        if leaves:
            row = state["changes"][0]
            flags = {leaf["rev"]: leaf["deleted"] for leaf in leaves}
            listed = [{"rev": rev, "deleted": flags[rev]} for rev in row["revs"]]
            listed = listed if len(listed) < 3 else unordered(listed)
            rows = [{"id": "d", "deleted": row["deleted"], "leaves": listed}]
        script.add("changes", {"ok": {"rows": rows, "more": False}}, ["CHG-003"])
        if difference and self.document.missing(difference["req"]["d"]) is not None:
            found = difference["resp"].get("d")
            results = []
            if found:
                above = unordered(found.get("possible_ancestors", []))
                results = [
                    {"id": "d", "missing": unordered(found["missing"]), "possibleAncestors": above}
                ]
            asked = [{"id": "d", "revs": difference["req"]["d"]}]
            clauses = ["DIFF-001", "DIFF-002", "DIFF-004"]
            script.add("revsDiff", {"ok": {"results": results}}, clauses, revs=asked)

    def vector(self):
        story = ", ".join(f"{WORDS[k]} {n}x" if n > 1 else WORDS[k] for k, n in self.kinds.items())
        kept = f", history limit {self.limit}" if self.limit < 1000 else ""
        note = f"What the server did with one document: {story}{kept}."
        source = f"recorded history {self.case}"
        return self.script.vector(f"{FAMILY}-{self.case:03}", note, shared.COUCHDB, source)


def leaf_path(leaf):
    return shared.path_of(generation(leaf["rev"]), leaf["ids"])


def convert(path):
    conversion = Conversion("Apache CouchDB 3.4.3: random histories of one document", "histories")
    for line in shared.lines(path):
        conversion.recorded += 1
        history = History(line, conversion)
        if not history.kinds:
            conversion.leave_out(history.cut or "no request that tests a rule", history.case)
            continue
        if history.cut:
            conversion.cut(history.cut, history.case)
        conversion.kept += 1
        conversion.vectors.append(history.vector())
    return conversion


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
