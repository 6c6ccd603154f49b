"""Shared code of the converters of recorded behaviour. Standard library only.

A converter is a module with `SOURCE` (the name of its recording), `PLACE` (the folder of its files below
`Vectors/observed`), `FAMILY`, `ABOUT` and `convert(path)`, which returns a `Conversion`: vectors, and the
result for each recording. `run` writes files of at most 200 kB and a section of
`Vectors/observed/README.md`. Equal input gives equal output, byte for byte.
"""

import argparse
import json
import os
import re
import unicodedata
from collections import Counter

FILE_BYTES_MAX = 195_000
LINE_MAX = 100
OBSERVED = os.path.join("Vectors", "observed")
COUCHDB = {"product": "Apache CouchDB", "version": "3.4.3"}
POUCHDB = {"product": "PouchDB", "version": "master of 2025-10-22, memory adapter"}


# Revisions


def generation(rev):
    return int(rev.split("-", 1)[0])


def suffix(rev):
    return rev.split("-", 1)[1]


def order(rev):
    return generation(rev), suffix(rev)


def path_of(start, suffixes):
    """Returns a path, newest first, from a generation and the suffixes."""
    return [f"{start - index}-{each}" for index, each in enumerate(suffixes)]


def revision_path(document):
    """Returns the path of a document with `_revisions`, or with only `_rev`."""
    if "_revisions" in document:
        return path_of(document["_revisions"]["start"], document["_revisions"]["ids"])
    return [document["_rev"]]


def body_of(document):
    return {name: value for name, value in document.items() if not name.startswith("_")}


class Tree:
    """The revisions of one document, as far as a conversion must predict them.

    `adopts` selects one of the two outcomes that the contract accepts: whether a known revision that arrives
    with a longer history adopts it.
    """

    def __init__(self, adopts=True):
        self.adopts = adopts
        self.parents = {}
        self.deleted = {}  # of revisions that came with a body

    def leaves(self):
        inner = set(self.parents.values())
        return [rev for rev in self.parents if rev not in inner]

    def path(self, rev):
        found = []
        while rev is not None:
            found.append(rev)
            rev = self.parents[rev]
        return found

    def merge(self, path, deleted):
        if path[0] in self.parents and not self.adopts:
            self.deleted.setdefault(path[0], deleted)
            return
        known = next((i for i, rev in enumerate(path) if rev in self.parents), len(path))
        for rev, parent in zip(path[:known], path[1:] + [None]):
            self.parents[rev] = parent
        for rev, parent in zip(path[known:], path[known + 1 :]):
            if self.parents.get(rev, "") is None:
                self.parents.setdefault(parent, None)
                self.parents[rev] = parent
        self.deleted.setdefault(path[0], deleted)

    def stem(self, limit):
        kept = {rev for leaf in self.leaves() for rev in self.path(leaf)[:limit]}
        self.parents = {r: p if p in kept else None for r, p in self.parents.items() if r in kept}
        self.deleted = {r: d for r, d in self.deleted.items() if r in kept}

    def purge(self, revs):
        gone = [rev for rev in self.leaves() if rev in revs]
        kept = {rev for leaf in self.leaves() if leaf not in gone for rev in self.path(leaf)}
        self.parents = {rev: p for rev, p in self.parents.items() if rev in kept}
        self.deleted = {rev: d for rev, d in self.deleted.items() if rev in kept}


class Twins:
    """A document in both states that the contract accepts. Expectations hold in both."""

    def __init__(self, limit=1000):
        self.limit = limit
        self.both = (Tree(True), Tree(False))
        self.filled = set()  # revisions whose body arrived when they were known without one

    @property
    def first(self):
        return self.both[0]

    def clauses(self, path):
        """Returns the clauses that the merge of a path tests. Call it before the merge."""
        tree = self.first
        if path[0] in tree.parents:
            return ["TREE-006"]
        known = [rev for rev in path if rev in tree.parents]
        if not known:
            return ["TREE-003"] if tree.parents else ["TREE-001"]
        found = ["TREE-001"]
        at = path.index(known[0])
        if len(tree.path(known[0])) > len(path) - at:
            found.append("TREE-009")
        if tree.parents[known[0]] is None and at + 1 < len(path):
            joined = any(rev in tree.parents for rev in path[at + 1 :])
            found.append("TREE-005" if joined else "TREE-014")
        if any(tree.parents[rev] is None for rev in tree.leaves()) and len(tree.leaves()) > 1:
            found.append("TREE-004")
        return found

    def brings_other_flag(self, path, deleted):
        """Returns whether a path is a longer history of a known revision, with a different deleted flag."""
        tree = self.first
        known = path[0] in tree.parents and path[0] in tree.deleted
        return known and tree.deleted[path[0]] != deleted and len(path) > len(tree.path(path[0]))

    def merge(self, path, deleted):
        if path[0] in self.first.parents and path[0] not in self.first.deleted:
            self.filled.add(path[0])
        for tree in self.both:
            tree.merge(path, deleted)

    def stem(self, limit=None):
        for tree in self.both:
            tree.stem(limit or self.limit)

    def purge(self, revs):
        for tree in self.both:
            tree.purge(revs)

    def leaves(self):
        """Returns the deleted flag of each leaf, or None if the two states differ."""
        first, second = ({leaf: t.deleted.get(leaf) for leaf in t.leaves()} for t in self.both)
        return first if first == second else None

    def path(self, rev):
        """Returns the path in a result, or None if the two states differ."""
        first, second = (
            tree.path(rev)[: self.limit] if rev in tree.parents else [] for tree in self.both
        )
        return first if first == second else None

    def missing(self, revs):
        """Returns the missing ones of some revisions, or None if the two states differ."""
        first, second = ([rev for rev in revs if rev not in tree.parents] for tree in self.both)
        return first if first == second else None

    def has_body(self, rev):
        return rev in self.first.deleted and rev not in self.filled

    def is_leaf(self, rev):
        return rev in self.first.leaves()


# Steps


def unordered(elements):
    listed = list(elements)
    return listed if len(listed) < 2 else {"$unordered": listed}


def failed(kind, **fields):
    return {"error": {"kind": kind, **fields}}


def not_found(reason):
    return failed("notFound", reason=reason)


class Script:
    """The steps of one vector, with their capabilities and clauses."""

    def __init__(self, couchdb=True):
        self.steps = []
        self.capabilities = []
        self.clauses = []
        self.couchdb = couchdb
        if couchdb:
            self.add("open", revisionIDs="couchdb", collation="couchdb")

    def mark(self):
        return len(self.steps), len(self.capabilities), len(self.clauses)

    def back_to(self, mark):
        for each, length in zip((self.steps, self.capabilities, self.clauses), mark):
            del each[length:]

    def need(self, capability):
        if capability not in self.capabilities:
            self.capabilities.append(capability)

    def cite(self, *clauses):
        self.clauses += [clause for clause in dict.fromkeys(clauses) if clause not in self.clauses]

    def add(self, op, expect=None, clauses=(), store="a", **arguments):
        operation = {"op": op, "store": store, **arguments}
        step = {"do": operation}
        self.steps.append(step if expect is None else {**step, "expect": expect})
        self.cite(*clauses)

    def directive(self, name, **arguments):
        """Adds a directive of the runner."""
        self.steps.append({name: arguments})

    def limit(self, limit):
        self.need("historyLimit")
        self.add("historyLimit", clauses=["LIMIT-001"], limit=limit)

    def insert(self, records, clauses, errors=()):
        """Adds records. The default expectation is that all are accepted."""
        expect = None
        if errors:
            results = [{"error": {"kind": e}} if e else {"ok": {}} for e in errors]
            expect = {"ok": {"results": results}}
        self.add("insertRevisions", expect, clauses, records=records)

    def leaves(self, id, leaves, winner, store="a"):
        """Adds the comparison of all leaves, the winner first."""
        elements = [{"rev": rev, "deleted": deleted} for rev, deleted in leaves.items()]
        elements.sort(key=lambda leaf: leaf["rev"] != winner)
        if winner is None or len(elements) < 3:
            listed = elements if len(elements) < 2 or winner else unordered(elements)
            self.add("leaves", {"ok": {"leaves": listed}}, store=store, id=id)
            return
        self.add("leaves", {"ok": {"leaves": unordered(elements)}}, store=store, id=id)
        first = {"ok": {"leaves": elements[:1] + [{"$any": True}] * (len(elements) - 1)}}
        self.add("leaves", first, store=store, id=id)

    def winner_clauses(self, leaves, winner):
        if winner is None or not leaves:
            return []
        if leaves[winner]:
            return ["WIN-007"]
        if any(leaves.values()):
            return ["WIN-001"]
        same = [rev for rev in leaves if rev != winner and generation(rev) == generation(winner)]
        return ["WIN-003"] if same else ["WIN-002"] if len(leaves) > 1 else ["READ-003"]

    def vector(self, id, note, provenance, source):
        profile = "couchdb" if self.couchdb else "core"
        vector = {"id": id, "clauses": self.clauses, "profile": profile}
        if self.capabilities:
            vector["capabilities"] = self.capabilities
        vector["note"] = note
        vector["provenance"] = {**provenance, "source": source}
        longest = max((len(id.encode()) for step in self.steps for id in written(step.get("do", {}))), default=0)
        if longest > EVERY_ID:
            # The product has no limit, but other stores may have one.
            vector["needs"] = {"idBytes": longest}
        vector["steps"] = self.steps
        return vector


# The largest size of an id that every store accepts, in bytes.
EVERY_ID = 240


def written(operation):
    """Returns the ids in an operation and in its parts."""
    parts = [operation]
    for name in ("records", "docs", "revs", "writes"):
        parts += [part for part in operation.get(name, []) if isinstance(part, dict)]
    return [part["id"] for part in parts if isinstance(part.get("id"), str)]


# Edits

DELETED = not_found("deleted")
EDIT_009 = {"oneOf": [not_found("missing"), failed("conflict")]}
EDIT_010 = {"oneOf": [{"ok": {}}, failed("conflict"), DELETED]}
EDIT_011 = {"oneOf": [failed("conflict"), DELETED]}


class Edit:
    """The conversion of an edit that a product accepted or refused.

    `made` is the new revision, or None. `kind` is "step" for an operation with one accepted outcome; "record"
    if a store may refuse the edit, so that its revision is inserted as a record; "last" if it was refused and
    several outcomes are accepted, so that it can only be the last step; "none" if it was refused and has no
    counterpart.
    """

    def __init__(self, document, id, rev, deleted, body, made):
        leaves, known = document.leaves(), document.first.parents
        best = max(leaves, key=order, default=None)
        self.path = [made] + ([rev or best] if rev or best else []) if made else None
        self.capabilities, self.clauses = [], ["REV-020"] if made else ["EDIT-015"]
        self.op, self.arguments = "create", {"id": id}
        self.expect = {"ok": {"rev": made}} if made else failed("conflict")
        self.kind = "step"
        if rev is None and deleted:
            self.kind = "record" if made else "none"
            return
        if rev is None:
            self.arguments["body"] = body
            self.cite("EDIT-003" if not made else "EDIT-004" if leaves else "EDIT-001")
            return
        self.op = "delete" if deleted else "update"
        self.arguments["rev"] = rev
        if body or not deleted:
            self.arguments["body"] = body
        if deleted and body:
            self.capabilities.append("tombstoneBodies")
            self.cite("TOMB-001")
        if leaves.get(rev) or rev not in known and (made or not leaves):
            self.kind = "record" if made else "last"
            self.clauses = ["EDIT-010" if leaves.get(rev) else "EDIT-009"]
            self.expect = EDIT_010 if leaves.get(rev) else EDIT_009
        elif not made and all(leaves.values()):
            self.kind, self.clauses, self.expect = "last", ["EDIT-011"], EDIT_011
        elif made:
            self.cite("EDIT-005")
            if sum(not deleted for deleted in leaves.values()) > 1:
                self.cite("EDIT-006")
        else:
            self.cite("EDIT-007" if rev in known else "EDIT-008")

    def cite(self, *clauses):
        self.clauses += clauses


# Results


class Conversion:
    """The results for the recordings of one source."""

    def __init__(self, title, unit):
        self.title = title
        self.unit = unit
        self.recorded = 0
        self.vectors = []
        self.kept = 0
        self.cuts = {}  # reason to names
        self.left_out = {}  # reason to names
        self.notes = Counter()  # changes of recordings that are kept

    def cut(self, reason, name):
        self.cuts.setdefault(reason, []).append(name)

    def leave_out(self, reason, name):
        self.left_out.setdefault(reason, []).append(name)

    def section(self, files):
        every = self.kept == self.recorded
        count = f"all {self.kept}" if every else f"{self.kept} of {self.recorded}"
        lines = [f"## {self.title}", ""]
        vectors = f"{len(self.vectors)} vectors ({files})"
        lines.append(f"Kept: {count} {self.unit}, in {vectors}.")
        for head, reasons in (("Cut early", self.cuts), ("Left out", self.left_out)):
            if reasons:
                total = sum(len(names) for names in reasons.values())
                lines += ["", f"{head}: {total}.", ""]
                lines += ["| reason | count | which |", "|---|---|---|"]
                for reason, names in sorted(reasons.items(), key=lambda i: (-len(i[1]), i[0])):
                    lines.append(f"| {reason} | {len(names)} | {ranges(names)} |")
        if self.notes:
            lines += ["", "Inside what is kept:", ""]
            lines += [f"* {note}: {count}" for note, count in sorted(self.notes.items())]
        return "\n".join(lines) + "\n"


def ranges(names):
    """Returns numbers as ranges, and pairs of a name and a number as ranges for each name."""
    if names and isinstance(names[0], tuple):
        groups = {}
        for name, number in names:
            groups.setdefault(name, []).append(number)
        return "; ".join(f"{name} {ranges(numbers)}" for name, numbers in groups.items())
    parts = []
    for number in sorted(names):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in parts)


# Files


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
    """Returns JSON with an indent of 2 spaces; values up to 100 columns are on one line.

    Operations and expectations are on one line each, of any length: one revision id per line would double the
    size of the recordings.
    """
    line = inline(value)
    if not isinstance(value, (dict, list)) or not value:
        return line
    if indent + before + len(line) < LINE_MAX:
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict) and ("do" in value or "replicate" in value):
        parts = [f"{pad}{text(k)}: {inline(v)}" for k, v in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    if isinstance(value, dict):
        parts = [
            f"{pad}{text(k)}: {pretty(v, indent + 2, len(text(k)) + 2)}" for k, v in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [pad + pretty(v, indent + 2) for v in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"


def split(vectors):
    """Returns parts of the vectors, each for a file within the limit."""
    parts, size = [[]], 0
    for vector in vectors:
        length = len(pretty(vector, 4).encode()) + 6
        if parts[-1] and size + length > FILE_BYTES_MAX - 3_000:
            parts.append([])
            size = 0
        parts[-1].append(vector)
        size += length
    return parts


def write(folder, name, family, about, vectors):
    """Writes the files of one source, removes its old ones, and returns their names."""
    os.makedirs(folder, exist_ok=True)
    for stale in sorted(os.listdir(folder)):
        if re.fullmatch(rf"{name}(-\d+)?\.json", stale):
            os.remove(os.path.join(folder, stale))
    parts = split(vectors)
    names = []
    for number, part in enumerate(parts, 1):
        several = len(parts) > 1
        names.append(f"{name}-{number:02}.json" if several else f"{name}.json")
        more = f" Part {number} of {len(parts)}." if several else ""
        value = {"family": family, "about": about + more, "vectors": part}
        with open(os.path.join(folder, names[-1]), "w", encoding="utf-8", newline="\n") as file:
            file.write(pretty(value) + "\n")
    return names


README_HEAD = """# Recorded behaviour

Vectors that replay the recorded behaviour of real products, with the product and its version in every
vector. The scripts in `tools/convert` write these files and this page from recordings; they are not
edited by hand.

A recording is replayed as far as it follows the rules of the contract. If a product deviates,
the vector ends before the deviation (cut early), or the recording is omitted (left out). The behaviour of
products at such a point is listed under `observed` in `clauses.json`. An expectation holds for every result that
the contract accepts: if a store may or may not adopt a longer history (TREE-013)
or a late body (TREE-012), no expectation depends on it.
"""
SECTIONS = [
    "couchdb/histories",
    "couchdb/merges",
    "couchdb/revision-ids",
    "couchdb/transcript",
    "couchdb/attachments",
    "couchdb/replicas",
    "pouchdb/merges",
    "pouchdb/documents",
    "pouchdb/replications",
]


def update_readme(root, place, section):
    """Replaces a section of the page, and keeps the others. Sections have a fixed order."""
    path = os.path.join(root, "README.md")
    sections = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = re.split(r"<!-- (\S+) -->\n", file.read())
        sections = dict(zip(found[1::2], found[2::2]))
    sections[place] = section
    pages = [README_HEAD]
    for each in SECTIONS:
        if each in sections:
            pages.append(f"<!-- {each} -->\n{sections[each].strip()}\n")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(pages))


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def run(module):
    """Runs the command line of a converter."""
    arguments = argparse.ArgumentParser(
        description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("recording", help=f"the file {module.SOURCE}")
    arguments.add_argument("folder", nargs="?", default=OBSERVED, help=f"default: {OBSERVED}")
    options = arguments.parse_args()
    produce(module, options.recording, options.folder)


def produce(module, recording, folder):
    conversion = module.convert(recording)
    product, name = module.PLACE.split("/")
    names = write(
        os.path.join(folder, product), name, module.FAMILY, module.ABOUT, conversion.vectors
    )
    files = f"`{product}/{names[0]}`"
    if len(names) > 1:
        files += f" to `{names[-1]}`"
    update_readme(folder, module.PLACE, conversion.section(files))
    kept = f"{conversion.kept} of {conversion.recorded} {conversion.unit} kept"
    made = f"{len(conversion.vectors)} vectors in {len(names)} files"
    print(f"{module.PLACE}: {kept}, {made}")
