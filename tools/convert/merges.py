#!/usr/bin/env python3
"""Converts recorded merges of the revision tree of Apache CouchDB to vectors.

    python3 tools/convert/merges.py revision-tree-merges.jsonl [Vectors/observed]

Each line of the input is a list of paths that the merge function of CouchDB (couch_key_tree) merged into an
empty tree, cut to a limit after each, with the tree after each and queries of the last one. It becomes one
vector under the profile `couchdb`, and ends before a merge whose outcome no rule determines.
"""

import sys

import shared
from shared import Conversion, Script, Twins, generation, unordered

SOURCE = "revision-tree-merges.jsonl"
PLACE = "couchdb/merges"
FAMILY = "couchdb-merge"
ABOUT = (
    "Paths that the merge function of Apache CouchDB 3.4.3 (couch_key_tree) merged into one "
    "document, one by one: the leaves after each, and in the end the winner, the paths and values "
    "of all leaves, and what of some revisions is missing. With a history limit where the "
    "recording has one."
)
TWICE = "a revision below two parents, which the server keeps in both places"
STEM = "a cut that the server makes in another order"
LATE = "a known revision with a longer history that changes which revisions are leaves (TREE-013)"
OTHER = "another tree"


def nodes(forest):
    """Yields revision, parent and value of each node of a recorded forest."""
    waiting = [(tree["pos"], tree["node"], None) for tree in forest]
    while waiting:
        position, node, parent = waiting.pop()
        rev = f"{position}-{node['id']}"
        yield rev, parent, node["v"], not node["kids"]
        waiting += [(position + 1, kid, rev) for kid in node["kids"]]


def convert(path):
    conversion = Conversion("Apache CouchDB 3.4.3: merges of the revision tree", "merges")
    for number, merge in enumerate(shared.lines(path)):
        conversion.recorded += 1
        limit = merge["limit"]
        document, script, cut = Twins(limit), Script(), None
        if limit < 1000:
            script.limit(limit)
        done = 0
        for arriving, step in zip(merge["paths"], merge["expect"]["steps"], strict=True):
            found = sorted(nodes([arriving]), key=lambda n: -generation(n[0]))
            revs, value = [rev for rev, *_ in found], found[0][2]
            before = {rev: document.first.parents.get(rev) for rev in document.first.parents}
            clauses = document.clauses(revs)
            document.merge(revs, value[0] == "d")
            document.stem()
            after = list(nodes(step["tree"]))
            cut = difference(document, after, limit)
            if cut:
                break
            record = {"id": "d", "path": revs}
            if value[0] == "d":
                record["deleted"] = True
            if before == document.first.parents:
                conversion.notes["merges that change nothing"] += 1
            script.insert([{**record, "body": {"v": value}}], clauses)
            leaves = {rev: value[0] == "d" for rev, _, value, leaf in after if leaf}
            done += 1
            if done < len(merge["paths"]):
                script.leaves("d", dict(sorted(leaves.items())), None)
        name = number
        if not done:
            conversion.leave_out(cut, name)
            continue
        if cut:
            conversion.cut(cut, name)
        else:
            conclude(script, document, merge)
        conversion.kept += 1
        kind = {"full": "complete histories", "partial": "truncated histories"}
        kind |= {"limit": "complete histories, cut", "limit_partial": "truncated histories, cut"}
        note = f"{counted(done)} with {kind[merge['kind']]}"
        note += f" at {limit} revisions." if limit < 1000 else "."
        source = f"recorded merge {number}, couch_key_tree"
        id = f"{FAMILY}-{number:03}"
        conversion.vectors.append(script.vector(id, note, shared.COUCHDB, source))
    return conversion


def counted(number):
    return f"{number} path" if number == 1 else f"{number} paths"


def difference(document, after, limit):
    """Returns the reason why a vector ends before this state, or None."""
    revs = [rev for rev, *_ in after]
    if len(set(revs)) < len(revs):
        return TWICE
    leaves = document.leaves()
    if leaves is None:
        return LATE
    if document.first.parents == {rev: parent for rev, parent, *_ in after}:
        return None
    return STEM if limit < 1000 else OTHER


def conclude(script, document, merge):
    expect = merge["expect"]
    leaves = {rev: deleted for rev, deleted in expect["order"]}
    winner = expect["order"][0][0]
    script.leaves("d", leaves, winner)
    values = {leaf["rev"]: leaf for leaf in expect["leafs"]}
    clauses = script.winner_clauses(leaves, winner)
    if leaves[winner]:
        script.add("read", shared.not_found("deleted"), clauses, id="d")
    else:
        body = {"v": values[winner]["v"]}
        script.add("read", {"ok": {"rev": winner, "body": body}}, clauses, id="d")
    certain = [rev for rev in leaves if document.path(rev) is not None]
    if certain:
        answers = []
        for rev in certain:
            whole = shared.path_of(generation(rev), values[rev]["path"])
            record = {"path": whole[: document.limit], "deleted": leaves[rev]}
            record["body"] = {"v": values[rev]["v"]}
            if not leaves[rev]:
                del record["deleted"]
            answers.append({"id": "d", "rev": rev, "records": [record]})
        asked = [{"id": "d", "revs": certain}]
        script.add("getRevisions", {"ok": {"results": answers}}, ["REC-001"], docs=asked)
    probe = list(dict.fromkeys(merge["probe"]))
    if document.missing(probe) is not None:
        missing = {"id": "d", "missing": unordered(expect["missing"])}
        results = {"results": [missing] if expect["missing"] else []}
        asked = [{"id": "d", "revs": probe}]
        clauses = ["DIFF-001", "DIFF-002", "DIFF-003"]
        script.add("revsDiff", {"ok": results}, clauses, revs=asked)


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
