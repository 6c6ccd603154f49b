#!/usr/bin/env python3
"""Turns recorded histories of Apache CouchDB into vectors.

    python3 tools/convert-histories.py couchdb-histories.jsonl [Vectors/observed]

Each line of the input is a random history of one document with the server's answers and the state
after every request. A history becomes one vector under the profile `couchdb`. It ends before the
first request whose outcome depends on something that is not a rule (see ABOUT), and the most
diverse ones are kept. Equal input gives equal output, byte for byte. Standard library only.
"""

import argparse
import json
import os
import unicodedata
from collections import Counter

WANTED = 90  # vectors
STEPS_MIN = 3  # requests that a history must have left
FILE_BYTES_MAX = 200_000
PROVENANCE = {
    "product": "Apache CouchDB",
    "version": "3.4.3",
    "source": "random histories of one document, single node",
}
ABOUT = (
    "Histories of one document that Apache CouchDB 3.4.3 went through, replayed request by "
    "request: replicated revisions, edits with the revision ids that the server computed, "
    "deletions with and without a body, purges and history limits, each followed by the state "
    "that the server showed. Of {total} recorded histories {kept} are here, chosen for "
    "diversity; {cut} of these end early, before a request whose outcome is the server's own "
    "affair: {reasons}. Requests that were refused and have no counterpart here, or more than "
    "one accepted refusal, are left out without a trace, because they left none. {short} "
    "histories had fewer than {least} requests left, and {rest} added nothing that the others "
    "do not show."
)
REASONS = {
    "purge": "a purge beside a tombstone ({n})",
    "parent": "an edit that names the revision of a document that is not there ({n})",
    "dead": "an edit that names a tombstone ({n})",
    "late": "a known revision that arrives again with a body or a history that is new ({n})",
    "stem": "a history limit that the server applies in another order ({n})",
}


class Tree:
    """The revisions of one document, as far as a conversion has to foresee them."""

    def __init__(self):
        self.parents = {}
        self.bodies = {}

    def leaves(self):
        inner = set(self.parents.values())
        return [rev for rev in self.parents if rev not in inner]

    def path(self, rev):
        found = []
        while rev is not None:
            found.append(rev)
            rev = self.parents[rev]
        return found

    def is_late(self, path):
        """Whether the tip is known and the record would still change the tree."""
        if path[0] not in self.parents:
            return False
        if path[0] not in self.bodies:
            return True
        known = self.path(path[0])
        return len(path) > len(known)

    def merge(self, path, deleted, body):
        known = next((i for i, rev in enumerate(path) if rev in self.parents), len(path))
        for rev, parent in zip(path[:known], path[1:] + [None]):
            self.parents[rev] = parent
        for rev, parent in zip(path[known:], path[known + 1 :]):
            if rev in self.parents and self.parents[rev] is None:
                self.parents.setdefault(parent, None)
                self.parents[rev] = parent
        self.bodies.setdefault(path[0], (deleted, body))

    def stem(self, limit):
        kept = {rev for leaf in self.leaves() for rev in self.path(leaf)[:limit]}
        self.parents = {r: p if p in kept else None for r, p in self.parents.items() if r in kept}
        self.bodies = {r: b for r, b in self.bodies.items() if r in kept}

    def purge(self, revs):
        gone = [rev for rev in self.leaves() if rev in revs]
        kept = {rev for leaf in self.leaves() if leaf not in gone for rev in self.path(leaf)}
        self.parents = {rev: p for rev, p in self.parents.items() if rev in kept}
        self.bodies = {rev: b for rev, b in self.bodies.items() if rev in kept}

    def shape(self, limit):
        return sorted(
            (rev, self.bodies[rev][0], tuple(self.path(rev)[:limit])) for rev in self.leaves()
        )


def body_of(document):
    return {name: value for name, value in document.items() if not name.startswith("_")}


def generation(rev):
    return int(rev.split("-")[0])


def revision_path(document):
    revisions = document["_revisions"]
    return [f"{revisions['start'] - i}-{suffix}" for i, suffix in enumerate(revisions["ids"])]


def leaf_path(leaf):
    start = generation(leaf["rev"])
    return [f"{start - i}-{suffix}" for i, suffix in enumerate(leaf["ids"])]


def leaf_body(leaf):
    return {} if leaf["n"] is None else {"n": leaf["n"]}


class Conversion:
    """One history on its way to a vector."""

    def __init__(self, history):
        self.case = history["case"]
        self.limit = history["revs_limit"]
        self.tree = Tree()
        self.steps = [self.step("open", revisionIDs="couchdb", collation="couchdb")]
        self.capabilities = []
        self.clauses = []
        self.kinds = Counter()
        self.features = set()
        self.requests = 0
        self.cut = None
        self.seen = None
        if self.limit < 1000:
            self.need("historyLimit")
            self.cite("LIMIT-001")
            self.steps.append(self.step("historyLimit", limit=self.limit))
        before = ("start",)
        state = None
        for op in history["ops"]:
            mark = (len(self.steps), list(self.capabilities), list(self.clauses))
            self.cut = self.perform(op)
            if self.cut is None and self.tree.shape(self.limit) != self.recorded(op["state"]):
                self.cut = "stem"
            if self.cut:
                steps, self.capabilities, self.clauses = mark
                del self.steps[steps:]
                break
            if len(self.steps) == mark[0]:
                continue
            self.requests += 1
            self.kinds[op["kind"]] += 1
            state = op["state"]
            self.observe(state)
            shape = tuple(leaf["deleted"] for leaf in state["leaves"])
            after = (op["kind"], op["resp"]["status"])
            self.features |= {(before, after), (after, shape), (self.limit, after)}
            before = after
        if state:
            self.conclude(state, None if self.cut else history["revs_diff"])

    def step(self, op, expect=None, **arguments):
        operation = {"op": op, "store": "a", **arguments}
        return {"do": operation} if expect is None else {"do": operation, "expect": expect}

    def need(self, capability):
        if capability not in self.capabilities:
            self.capabilities.append(capability)

    def cite(self, *clauses):
        self.clauses += [clause for clause in clauses if clause not in self.clauses]

    def recorded(self, state):
        return sorted((l["rev"], l["deleted"], tuple(leaf_path(l))) for l in state["leaves"])

    def perform(self, op):
        """Adds the steps of a request; answers why the history has to end before it, or None."""
        method, target, body = op["req"]
        if target == "/_purge":
            return self.purge(body["d"], op["resp"]["body"]["purged"]["d"])
        if target == "/_bulk_docs" and body.get("new_edits") is False:
            return self.insert(body["docs"])
        if target == "/_bulk_docs":
            answers = op["resp"]["body"]
            for document, answer in zip(body["docs"], answers, strict=True):
                rev = answer.get("rev")
                if cut := self.edit(document.get("_rev"), False, body_of(document), rev):
                    return cut
            return None
        answer = op["resp"]["body"].get("rev")
        if method == "DELETE":
            if "?rev=" not in target:
                return None  # no counterpart, and refused in every recorded case
            return self.edit(target.split("?rev=")[1], True, {}, answer)
        return self.edit(body.get("_rev"), body.get("_deleted", False), body_of(body), answer)

    def insert(self, documents):
        records = []
        for document in documents:
            path = revision_path(document)
            deleted = document.get("_deleted", False)
            if self.tree.is_late(path):
                return "late"
            self.tree.merge(path, deleted, body_of(document))
            record = {"id": "d", "path": path, "body": body_of(document)}
            if deleted:
                record = {"id": "d", "path": path, "deleted": True, "body": body_of(document)}
            records.append(record)
        self.tree.stem(self.limit)
        results = {"results": [{"ok": {}} for _ in records]}
        self.steps.append(self.step("insertRevisions", {"ok": results}, records=records))
        self.cite("TREE-001", "TREE-002")
        return None

    def edit(self, rev, deleted, body, made):
        tree = self.tree
        live = [leaf for leaf in tree.leaves() if not tree.bodies[leaf][0]]
        if rev is None and deleted:
            return "parent"  # a document that begins deleted: no counterpart
        if rev is None:
            expect = {"ok": {"rev": made}} if made else {"error": {"kind": "conflict"}}
            step = self.step("create", expect, id="d", body=body)
            parent = self.best_tombstone()
            self.cite("EDIT-003" if not made else "EDIT-004" if parent else "EDIT-001")
        else:
            if rev in tree.bodies and tree.bodies[rev][0] and rev in tree.leaves():
                return "dead"
            if made and rev not in tree.parents:
                return "parent"
            if not made and not live:
                return None  # more than one refusal is accepted
            expect = {"ok": {"rev": made}} if made else {"error": {"kind": "conflict"}}
            if deleted and body:
                self.need("tombstoneBodies")
                self.cite("TOMB-001")
                step = self.step("delete", expect, id="d", rev=rev, body=body)
            elif deleted:
                step = self.step("delete", expect, id="d", rev=rev)
            else:
                step = self.step("update", expect, id="d", rev=rev, body=body)
            parent = rev
            known = "EDIT-007" if rev in tree.parents else "EDIT-008"
            self.cite("EDIT-005" if made else known)
        if made:
            tree.merge([made] + ([parent] if parent else []), deleted, body)
            tree.stem(self.limit)
            self.cite("REV-020")
        self.steps.append(step)
        return None

    def best_tombstone(self):
        leaves = sorted(self.tree.leaves(), key=lambda rev: (generation(rev), rev.split("-")[1]))
        return leaves[-1] if leaves else None

    def purge(self, revs, purged):
        if any(self.tree.bodies[leaf][0] for leaf in self.tree.leaves()):
            return "purge"
        self.tree.purge(revs)
        if any(leaf not in self.tree.bodies for leaf in self.tree.leaves()):
            return "purge"
        self.need("purge")
        self.cite("PURGE-001" if purged else "PURGE-005")
        expect = {"ok": {"purged": unordered(purged)}}
        self.steps.append(self.step("purge", expect, id="d", revs=revs))
        return None

    def observe(self, state):
        """The leaves after each request, and the winner where it changed."""
        if not state["leaves"]:
            self.steps.append(self.step("leaves", not_found("missing"), id="d"))
            self.seen = None
            return
        winner = {"rev": state["changes"][0]["revs"][0], "deleted": state["changes"][0]["deleted"]}
        others = [
            {"rev": leaf["rev"], "deleted": leaf["deleted"]}
            for leaf in state["leaves"]
            if leaf["rev"] != winner["rev"]
        ]
        if len(others) < 2:
            self.steps.append(self.step("leaves", {"ok": {"leaves": [winner] + others}}, id="d"))
        else:
            every = {"ok": {"leaves": unordered([winner] + others)}}
            self.steps.append(self.step("leaves", every, id="d"))
            if winner["deleted"]:
                first = {"ok": {"leaves": [winner] + [{"$any": True} for _ in others]}}
                self.steps.append(self.step("leaves", first, id="d"))
        shown = winner["rev"]
        if shown == self.seen:
            return
        self.seen = shown
        if winner["deleted"]:
            self.steps.append(self.step("read", not_found("deleted"), id="d"))
            self.cite("WIN-007")
        else:
            body = {"n": state["get"]["n"]}
            expect = {"ok": {"rev": shown, "deleted": False, "body": body}}
            self.steps.append(self.step("read", expect, id="d"))
            tombstone = any(leaf["deleted"] for leaf in others)
            self.cite("WIN-001" if tombstone else "WIN-002")

    def conclude(self, state, difference):
        """Paths and bodies of all leaves, the row of the feed, and a difference."""
        leaves = state["leaves"]
        if leaves:
            asked = [{"id": "d", "revs": [leaf["rev"] for leaf in leaves]}]
            answers = []
            for leaf in leaves:
                record = {"path": leaf_path(leaf)}
                if leaf["deleted"]:
                    record["deleted"] = True
                record["body"] = leaf_body(leaf)
                answers.append({"id": "d", "rev": leaf["rev"], "records": [record]})
            expect = {"ok": {"results": answers}}
            self.steps.append(self.step("getRevisions", expect, docs=asked))
            row = state["changes"][0]
            flags = {leaf["rev"]: leaf["deleted"] for leaf in leaves}
            listed = [{"rev": rev, "deleted": flags[rev]} for rev in row["revs"]]
            expected = listed if len(listed) < 3 else unordered(listed)
            rows = [{"id": "d", "deleted": row["deleted"], "leaves": expected}]
        else:
            rows = []
        self.steps.append(self.step("changes", {"ok": {"rows": rows, "more": False}}))
        self.cite("REC-001", "CHG-003")
        if difference:
            found = difference["resp"].get("d")
            results = []
            if found:
                above = unordered(found.get("possible_ancestors", []))
                results = [
                    {"id": "d", "missing": unordered(found["missing"]), "possibleAncestors": above}
                ]
            asked = [{"id": "d", "revs": difference["req"]["d"]}]
            self.steps.append(self.step("revsDiff", {"ok": {"results": results}}, revs=asked))
            self.cite("DIFF-001", "DIFF-002", "DIFF-004")

    def vector(self):
        words = {
            "repl": "replicated",
            "repl_ext": "replicated on top",
            "edit_leaf": "edited",
            "edit_stale": "edited by an old revision",
            "edit_unknown": "edited by an unknown revision",
            "create": "created",
            "delete_leaf": "deleted",
            "delete_stale": "deleted by an old revision",
            "put_deleted": "deleted with a body",
            "bulk2": "edited twice in one request",
            "purge": "purged",
        }
        story = ", ".join(f"{words[k]} {n}x" if n > 1 else words[k] for k, n in self.kinds.items())
        kept = f", history limit {self.limit}" if self.limit < 1000 else ""
        vector = {
            "id": f"couchdb-history-{self.case:03}",
            "clauses": self.clauses,
            "profile": "couchdb",
        }
        if self.capabilities:
            vector["capabilities"] = self.capabilities
        vector["note"] = f"What the server did with one document: {story}{kept}."
        vector["provenance"] = {**PROVENANCE, "source": f"recorded history {self.case}"}
        vector["steps"] = self.steps
        return vector


def not_found(reason):
    return {"error": {"kind": "notFound", "reason": reason}}


def unordered(elements):
    return list(elements) if len(elements) < 2 else {"$unordered": list(elements)}


def choose(conversions):
    """Again and again the one that shows most that is new; the first of equals."""
    chosen, shown = [], Counter()
    left = list(conversions)
    while left and len(chosen) < WANTED:
        best = max(left, key=lambda c: (novelty(c, shown), -c.case))
        left.remove(best)
        chosen.append(best)
        shown.update(best.features)
    return sorted(chosen, key=lambda c: c.case)


def novelty(conversion, shown):
    """Much for what is new, less for what is rare; in millionths, so that the sum has no order."""
    return sum(1_000_000 // (1 + shown[feature]) ** 2 for feature in conversion.features)


def text(string):
    out = []
    for character in string:
        if character != " " and unicodedata.category(character)[0] in "CMZ":
            units = character.encode("utf-16-be")
            out += [f"\\u{units[i:i + 2].hex()}" for i in range(0, len(units), 2)]
        else:
            out.append("\\" + character if character in '"\\' else character)
    return '"' + "".join(out) + '"'


def inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(k)}: {inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(inline(v) for v in value) + "]"
    return text(value) if isinstance(value, str) else json.dumps(value)


def pretty(value, indent=0, before=0):
    """Two spaces of indent; what fits into 100 columns stands on one line."""
    line = inline(value)
    if not isinstance(value, (dict, list)) or not value or indent + before + len(line) < 100:
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [
            f"{pad}{text(k)}: {pretty(v, indent + 2, len(text(k)) + 2)}" for k, v in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [pad + pretty(v, indent + 2) for v in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("histories", help="the recorded histories, one per line")
    arguments.add_argument("folder", nargs="?", default="Vectors/observed")
    options = arguments.parse_args()
    folder = options.folder
    with open(options.histories, encoding="utf-8") as file:
        conversions = [Conversion(json.loads(line)) for line in file]
    enough = [c for c in conversions if c.requests >= STEPS_MIN]
    chosen = choose(enough)
    cuts = Counter(c.cut for c in chosen if c.cut)
    about = ABOUT.format(
        total=len(conversions),
        kept=len(chosen),
        cut=sum(cuts.values()),
        reasons=" and ".join(REASONS[key].format(n=cuts[key]) for key in REASONS if cuts[key]),
        short=len(conversions) - len(enough),
        least=STEPS_MIN,
        rest=len(enough) - len(chosen),
    )
    parts, size = [[]], 0
    for vector in (c.vector() for c in chosen):
        length = len(pretty(vector, 4).encode())
        if parts[-1] and size + length > FILE_BYTES_MAX - 5_000:
            parts.append([])
            size = 0
        parts[-1].append(vector)
        size += length + 6
    report = []
    os.makedirs(folder, exist_ok=True)
    for stale in sorted(os.listdir(folder)):
        if stale.startswith("couchdb-histories") and stale.endswith(".json"):
            os.remove(os.path.join(folder, stale))
    for number, vectors in enumerate(parts, 1):
        name = "couchdb-histories" + (f"-{number}" if len(parts) > 1 else "") + ".json"
        part = f" Part {number} of {len(parts)}." if len(parts) > 1 else ""
        value = {"family": "couchdb-history", "about": about + part, "vectors": vectors}
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(pretty(value) + "\n")
        report.append(f"{name}: {len(vectors)} vectors")
    every = Counter(c.cut for c in conversions)
    report.append(f"ended early, of all histories: { {key: every[key] for key in REASONS} }")
    print("\n".join(report))


if __name__ == "__main__":
    main()
