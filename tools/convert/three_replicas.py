#!/usr/bin/env python3
"""Converts recorded histories of three replicating databases to vectors.

    python3 tools/convert/three_replicas.py couchdb-three-replicas.jsonl [Vectors/observed]

Each line of the input is a history of three databases: inserted revisions, and sessions of the replicator of
the server with the state of the target after each. It becomes one vector with three stores and the same
sessions of the replicator of the runner.
"""

import shared
from shared import COUCHDB, Conversion, Script

SOURCE = "couchdb-three-replicas.jsonl"
PLACE = "couchdb/replicas"
FAMILY = "couchdb-replicas"
ABOUT = (
    "Three databases of one server, into which revisions came and between which its replicator "
    "ran. After every session the target has the leaves and winners that CouchDB's target had; at "
    "the end all three have the same paths and bodies."
)


class History:
    def __init__(self, case):
        self.script = Script(couchdb=False)
        self.script.cite("REPL-001", "REPL-002")
        self.shown = {}  # the last compared state of the documents of each store
        for step in case["steps"]:
            if "insert" in step:
                self.insert(step["insert"])
            else:
                self.replicate(step)
        for name, documents in case["final"].items():
            self.show(name, documents)
            self.show_paths(name, documents)

    def insert(self, insert):
        given = insert["record"]
        record = {"id": given["id"], "path": given["path"]}
        if given["deleted"]:
            record["deleted"] = True
        record["body"] = given["body"]
        self.script.add("insertRevisions", store=insert["replica"].lower(), records=[record])

    def replicate(self, step):
        ends = {end: name.lower() for end, name in step["replicate"].items()}
        self.script.directive("replicate", **ends)
        self.show(step["replicate"]["target"], step["target"])

    def show(self, name, documents):
        """Adds the leaves and winners of documents that changed since the last comparison."""
        shown = self.shown.setdefault(name, {})
        for id, state in documents.items():
            if shown.get(id) != state:
                leaves = {leaf["path"][0]: leaf["deleted"] for leaf in state["leaves"]}
                live = [rev for rev, deleted in leaves.items() if not deleted]
                assert sorted(state["conflicts"]) == sorted(set(live) - {state["winner"]})
                self.script.leaves(id, leaves, state["winner"], store=name.lower())
                self.script.cite(*self.script.winner_clauses(leaves, state["winner"]))
                shown[id] = state

    def show_paths(self, name, documents):
        for id, state in documents.items():
            found = []
            for leaf in state["leaves"]:
                record = {"id": id, "path": leaf["path"], "deleted": leaf["deleted"]}
                record["body"] = {"n": leaf["n"]}
                found.append({"id": id, "rev": leaf["path"][0], "records": [record]})
            docs = [{"id": id, "revs": [answer["rev"] for answer in found]}]
            expect = {"ok": {"results": found}}
            self.script.add("getRevisions", expect, store=name.lower(), docs=docs)


def convert(path):
    cases = shared.lines(path)
    conversion = Conversion("Apache CouchDB 3.4.3: three replicas", "histories")
    conversion.recorded = len(cases)
    for case in cases:
        history = History(case)
        number = case["case"]
        note = f"CouchDB and its replicator led three databases through history {number} like this."
        vector = history.script.vector(
            f"{FAMILY}-{number}", note, COUCHDB, f"recorded histories of replicas, number {number}"
        )
        conversion.vectors.append(vector)
        conversion.kept += 1
    return conversion


if __name__ == "__main__":
    import three_replicas

    shared.run(three_replicas)
