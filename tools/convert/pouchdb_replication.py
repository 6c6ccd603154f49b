#!/usr/bin/env python3
"""Converts recorded replications of PouchDB, with faults, to vectors.

    python3 tools/convert/pouchdb_replication.py pouchdb-replication.jsonl [Vectors/observed]

Each line of the input is a history of two databases: inserted revisions, sessions of the replicator of PouchDB
with small batches and some faults, and the final states of the databases. It becomes one vector with the same
sessions of the replicator of the runner. At a fault the session is cut off at the same request.
"""

import shared
from shared import POUCHDB, Conversion, Script, body_of, revision_path

SOURCE = "pouchdb-replication.jsonl"
PLACE = "pouchdb/replications"
FAMILY = "pouchdb-replication"
ABOUT = (
    "Two databases between which PouchDB's replicator ran, with small batches, and with faults in "
    "the midst: here the session ends at the request that failed. The last sessions in both "
    "directions ran through, and the stores end with the leaves, winners and bodies that PouchDB "
    "ended with."
)
CALLS = {
    "changes": "changes",
    "revsDiff": "revsDiff",
    "bulkGet": "getRevisions",
    "bulkDocs": "insertRevisions",
    "getCheckpoint": "readLocal",
    "putCheckpoint": "writeLocal",
}


class History:
    def __init__(self, line):
        self.script = Script(couchdb=False)
        self.script.cite("REPL-001", "REPL-002")
        for step in line["steps"]:
            self.perform(step["cmd"], step["answer"])

    def perform(self, command, answer):
        op, result = command["op"], answer["result"] if answer["ok"] else None
        if op == "bulkDocs":
            self.insert(command)
        elif op == "replicate":
            self.replicate(command)
        elif op == "revTree" and result:
            leaves = {leaf["rev"]: leaf["deleted"] for leaf in result["leaves"]}
            self.script.leaves(
                command["id"], leaves, result["winner"], store=store(command["db"])
            )
            self.script.cite(*self.script.winner_clauses(leaves, result["winner"]))
        elif op == "get" and result and "open_revs" in command:
            found = [each["ok"] for each in result]
            self.bodies(store(command["db"]), command["id"], found)

    def insert(self, command):
        records = []
        for document in command["docs"]:
            record = {"id": document["_id"], "path": revision_path(document)}
            if document.get("_deleted"):
                record["deleted"] = True
            records.append({**record, "body": body_of(document)})
        self.script.add("insertRevisions", store=store(command["db"]), records=records)

    def replicate(self, command):
        arguments = {"source": store(command["source"]), "target": store(command["target"])}
        if "batch_size" in command:
            arguments["batch"] = command["batch_size"]
        for fault in command.get("faults", []):
            arguments["cutOff"] = {
                "at": fault["side"],
                "op": CALLS[fault["call"]],
                "nth": fault["nth"],
                "performed": fault["when"] == "after",
            }
            self.script.cite("REPL-003")
        self.script.directive("replicate", **arguments)

    def bodies(self, name, id, found):
        for document in found:
            expect = {"ok": {"body": body_of(document), "deleted": "_deleted" in document}}
            self.script.add("read", expect, store=name, id=id, rev=document["_rev"])


def store(database):
    """`a` or `b`, of `ra12` or `rb12`."""
    return database[1]


def convert(path):
    histories = shared.lines(path)
    conversion = Conversion("PouchDB: replications with faults", "histories")
    conversion.recorded = len(histories)
    for line in histories:
        number = line["i"]
        note = f"PouchDB replicated through history {number} and ended like this."
        vector = History(line).script.vector(
            f"{FAMILY}-{number}", note, POUCHDB, f"recorded replications, number {number}"
        )
        conversion.vectors.append(vector)
        conversion.kept += 1
    return conversion


if __name__ == "__main__":
    import pouchdb_replication

    shared.run(pouchdb_replication)
