#!/usr/bin/env python3
"""Converts recorded sessions of PouchDB with a few documents to vectors.

    python3 tools/convert/pouchdb_documents.py pouchdb-documents.jsonl [Vectors/observed]

Each line of the input is a session: replicated revisions, then reads, differences, the feed, the list and
compaction, each with the result of PouchDB. It becomes one vector for every store.
"""

import sys
from collections import Counter

import shared
from shared import Conversion, Script, Twins, body_of, not_found, unordered
from pouchdb_merges import nodes

SOURCE = "pouchdb-documents.jsonl"
PLACE = "pouchdb/documents"
FAMILY = "pouchdb-document"
ABOUT = (
    "Sessions with a few documents that PouchDB went through: revisions that arrive, what is "
    "missing, winners, leaves with paths and bodies, the feed, the list, and compaction. PouchDB "
    "reports ancestors that it knows by name only as missing (and never fills them), so they are "
    "not asked for, and gives no possible ancestors, so none are expected."
)
TWICE = "a revision is in two trees, which the contract forbids (TREE-005)"
LATE = "other leaves after a known revision with a longer history (TREE-013)"
DIFFERS = "another tree"
BY_NAME = "stub revisions without a body, which PouchDB reports as missing, not requested"
FEED_ORDER = "rows of the feed whose first leaf is not the winner, compared as a set"


class Session:
    def __init__(self, line, notes):
        self.notes = notes
        self.script = Script(couchdb=False)
        self.documents = {}
        self.reads = {}
        self.counts = Counter()
        self.cut = None
        for step in line["steps"]:
            self.cut = self.perform(step["cmd"], step["answer"])
            if self.cut:
                break

    def document(self, id):
        return self.documents.setdefault(id, Twins())

    def perform(self, command, answer):
        result = answer.get("result")
        op = command["op"]
        self.counts[op] += 1
        if op == "bulkDocs":
            assert result == []
            return self.insert(command["docs"])
        if op == "revsDiff":
            return self.difference(command["req"], result)
        if op == "get" and "open_revs" in command:
            self.reads[command["id"]]["open"] = result
        elif op == "get":
            self.reads[command["id"]] = {"get": answer}
        elif op == "revTree":
            return self.conclude(command["id"], self.reads.pop(command["id"]), result)
        elif op == "changes" and command.get("style") == "all_docs":
            return self.feed(result["results"])
        elif op == "changes":
            return self.feed_of_winners(result["results"])
        elif op == "allDocs":
            rows = [{"id": row["id"], "rev": row["value"]["rev"]} for row in result["rows"]]
            self.script.add("list", {"ok": {"rows": rows}}, ["LIST-001", "LIST-002"])
        elif op == "compact":
            self.script.need("compact")
            self.script.add("compact", clauses=["COMP-001", "COMP-003"])
        else:
            raise ValueError(op)
        return None

    def insert(self, docs):
        records, clauses = [], []
        for each in docs:
            path, document = shared.revision_path(each), self.document(each["_id"])
            clauses += document.clauses(path)
            document.merge(path, each.get("_deleted", False))
            record = {"id": each["_id"], "path": path}
            if each.get("_deleted", False):
                record["deleted"] = True
            records.append({**record, "body": body_of(each)})
        self.script.insert(records, clauses)
        return None

    def difference(self, asked, answer):
        revs, results = [], []
        for id, wanted in asked.items():
            document, missing = self.document(id), answer.get(id, {}).get("missing", [])
            certain = []
            for rev in wanted:
                unknown = document.missing([rev])
                if unknown is not None and (rev in missing) == bool(unknown):
                    certain.append(rev)
                elif rev in missing and not document.has_body(rev):
                    self.notes[BY_NAME] += 1
                else:
                    return DIFFERS
            revs.append({"id": id, "revs": certain})
            if any(rev in missing for rev in certain):
                found = [rev for rev in certain if rev in missing]
                results.append({"id": id, "missing": unordered(found)})
        expect = {"ok": {"results": results}}
        self.script.add("revsDiff", expect, ["DIFF-001", "DIFF-002"], revs=revs)
        return None

    def conclude(self, id, reads, tree):
        script, document = self.script, self.document(id)
        if tree is None:
            assert not reads["get"]["ok"]
            script.add("read", not_found("missing"), ["READ-001"], id=id)
            return None
        found = list(nodes(tree["tree"]))
        if len({rev for rev, _ in found}) < len(found):
            return TWICE
        leaves = {leaf["rev"]: leaf["deleted"] for leaf in tree["leaves"]}
        if document.leaves() is None:
            return LATE
        if document.leaves() != leaves:
            return DIFFERS
        if dict(found) not in [each.parents for each in document.both]:
            return DIFFERS
        winner = tree["winner"]
        clauses = script.winner_clauses(leaves, winner)
        if reads["get"]["ok"]:
            read = reads["get"]["result"]
            assert read["_rev"] == winner and shared.revision_path(read) == dict_path(found, winner)
            expect = {"ok": {"rev": winner, "deleted": False, "body": body_of(read)}}
            script.add("read", expect, clauses, id=id)
        else:
            assert reads["get"]["error"]["reason"] == "deleted"
            script.add("read", not_found("deleted"), clauses, id=id)
        script.leaves(id, leaves, winner)
        results = []
        for each in reads["open"]:
            rev, record = each["ok"]["_rev"], {}
            assert each["ok"].get("_deleted", False) == leaves[rev]
            if document.path(rev) is not None:
                record["path"] = dict_path(found, rev)
            if leaves[rev]:
                record["deleted"] = True
            record["body"] = body_of(each["ok"])
            results.append({"id": id, "rev": rev, "records": [record]})
        asked = [{"id": id, "revs": [result["rev"] for result in results]}]
        script.add("getRevisions", {"ok": {"results": results}}, ["REC-001"], docs=asked)
        return None

    def rows(self, rows, leaves_of):
        """Returns rows in any order: the order of documents in one call is open."""
        expected = []
        for row in rows:
            deleted = row.get("deleted", False)
            expected.append({"id": row["id"], "deleted": deleted, "leaves": leaves_of(row)})
        return {"ok": {"rows": unordered(expected), "more": False}}

    def feed(self, rows):
        for row in rows:
            leaves = self.document(row["id"]).leaves()
            if leaves is None:
                return LATE
            if set(leaves) != {change["rev"] for change in row["changes"]}:
                return DIFFERS

        def leaves_of(row):
            leaves = self.document(row["id"]).leaves()
            return unordered(
                {"rev": each["rev"], "deleted": leaves[each["rev"]]} for each in row["changes"]
            )

        expect = self.rows(rows, leaves_of)
        self.script.add("changes", expect, ["CHG-001", "CHG-003", "CHG-004"])
        self.pending = rows
        return None

    def feed_of_winners(self, rows):
        """Checks the same feed with winners only. It adds no step, because `leaves` has the winners."""
        for row, other in zip(rows, self.pending, strict=True):
            assert row["id"] == other["id"] and row["seq"] == other["seq"]
            if row["changes"][0] != other["changes"][0]:
                self.notes[FEED_ORDER] += 1
        return None


def dict_path(found, rev):
    parents, path = dict(found), []
    while rev is not None:
        path.append(rev)
        rev = parents[rev]
    return path


def convert(path):
    conversion = Conversion("PouchDB: sessions with a few documents", "sessions")
    for line in shared.lines(path):
        conversion.recorded += 1
        session, number = Session(line, conversion.notes), line["i"]
        if session.cut:
            conversion.leave_out(session.cut, number)
            continue
        conversion.kept += 1
        compacted = ", compacted" if session.counts["compact"] else ""
        note = f"{len(session.documents)} documents, {session.counts['bulkDocs']} calls{compacted}."
        note = note.replace("1 documents", "1 document").replace(" 1 calls", " 1 call")
        id = f"{FAMILY}-{number:03}"
        vector = session.script.vector(id, note, shared.POUCHDB, f"recorded session {number}")
        conversion.vectors.append(vector)
    return conversion


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
