#!/usr/bin/env python3
"""Converts recorded merges of the revision tree of PouchDB to vectors.

    python3 tools/convert/pouchdb_merges.py pouchdb-merges.jsonl [Vectors/observed]

Each line of the input is a list of paths that PouchDB merged into an empty tree, cut to a depth after each,
with the resulting tree, winner, conflicts and leaves. It becomes one vector for every store, with a history
limit if the recording has one.
"""

import sys

import shared
from shared import Conversion, Script, Twins, unordered

SOURCE = "pouchdb-merges.jsonl"
PLACE = "pouchdb/merges"
FAMILY = "pouchdb-merge"
ABOUT = (
    "Paths that PouchDB merged into one document, one by one, and what came out: the leaves with "
    "the winner, and the paths of all leaves. Where PouchDB cut the tree in another way than the "
    "contract, the leaves alone are compared."
)
TWICE = "a revision is in two trees, which the contract forbids (TREE-005)"
LATE = "another tree after a known revision with a longer history (TREE-013)"
DIFFERS = "other leaves after a cut"


def nodes(forest):
    """Yields revision and parent of each node of a recorded forest."""
    waiting = [(tree["pos"], tree["ids"], None) for tree in forest]
    while waiting:
        position, (suffix, _, children), parent = waiting.pop()
        rev = f"{position}-{suffix}"
        yield rev, parent
        waiting += [(position + 1, child, rev) for child in children]


def convert(path):
    conversion = Conversion("PouchDB: merges of the revision tree", "merges")
    for line in shared.lines(path):
        conversion.recorded += 1
        number, asked, answer = line["i"], line["cmd"], line["answer"]["result"]
        document, script = Twins(asked["depth"]), Script(couchdb=False)
        if asked["depth"] < 1000:
            script.limit(asked["depth"])
        for arriving in asked["paths"]:
            revs = [arriving["rev"]] + arriving["ancestors"]
            record = {"id": "d", "path": revs}
            if arriving["deleted"]:
                record["deleted"] = True
            script.insert([{**record, "body": {}}], document.clauses(revs))
            document.merge(revs, arriving["deleted"])
            document.stem()
        if reason := conclude(script, document, answer, conversion.notes):
            conversion.leave_out(reason, number)
            continue
        conversion.kept += 1
        count = len(asked["paths"])
        kept = f", history limit {asked['depth']}" if asked["depth"] < 1000 else ""
        note = f"What PouchDB made of {count} {'path' if count == 1 else 'paths'}{kept}."
        id = f"{FAMILY}-{number:03}"
        vector = script.vector(id, note, shared.POUCHDB, f"recorded merge {number}")
        conversion.vectors.append(vector)
    return conversion


def conclude(script, document, answer, notes):
    """Adds the result as an expectation. Returns the reason why it cannot be one, or None."""
    found = list(nodes(answer["tree"]))
    if len({rev for rev, _ in found}) < len(found):
        return TWICE
    same = dict(found) == document.first.parents
    leaves = {leaf["rev"]: leaf["deleted"] for leaf in answer["leaves"]}
    if document.leaves() is None:
        if not same:
            return LATE
        notes["either of two results is accepted in the last step (TREE-013)"] += 1
        both = [{leaf: tree.deleted[leaf] for leaf in tree.leaves()} for tree in document.both]
        ways = [
            unordered({"rev": rev, "deleted": deleted} for rev, deleted in sorted(each.items()))
            for each in both
        ]
        either = {"oneOf": [{"ok": {"leaves": each}} for each in ways]}
        script.add("leaves", either, ["TREE-013"], id="d")
        return None
    if leaves != document.leaves():
        return DIFFERS
    winner = answer["winner"]
    script.leaves("d", leaves, winner)
    clauses = script.winner_clauses(leaves, winner)
    if leaves[winner]:
        script.add("read", shared.not_found("deleted"), clauses, id="d")
    else:
        script.add("read", {"ok": {"rev": winner}}, clauses, id="d")
    if not same:
        notes["only leaves are compared, because PouchDB cuts each path separately"] += 1
        return None
    certain = [rev for rev in leaves if document.path(rev) is not None]
    if certain:
        results = [
            {"id": "d", "rev": rev, "records": [{"path": document.path(rev)}]} for rev in certain
        ]
        asked = [{"id": "d", "revs": certain}]
        script.add("getRevisions", {"ok": {"results": results}}, ["REC-001"], docs=asked)
    return None


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
