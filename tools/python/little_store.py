"""A complete small document store, written only from `Vectors/README.md` and `Vectors/clauses.json`.

It keeps everything in memory. It offers every operation, every capability except `delayedDurability` and
`replicate`, and every profile. It is written to be read: where a faster or shorter form would be harder to
follow, it uses the plain one.

    store = LittleStore()
    store.perform({"op": "open", "store": "a"})
    store.perform({"op": "create", "store": "a", "id": "d", "body": {"n": 1}})

`perform` takes an operation and returns an outcome, both as plain JSON values.
"""

from __future__ import annotations

import contextlib
import copy
import math
import re
import uuid
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Iterator

from attachments import (
    LARGEST_CONTENT,
    LARGEST_PIECE,
    AttachmentSet,
    Contents,
    check_attachments,
    check_piece,
    digests,
)
from collection_operations import COLLECTION_OPERATIONS, Clients
from context_objects import FailedSave
from context_operations import CONTEXT_OPERATIONS, Contexts
from find_operations import FINDING
from find_selectors import read_selector, same_value
from object_model import Model
from object_operations import STORELESS, coordinate
from object_store import ObjectStore
from revision_ids import (
    COLLATIONS,
    LARGEST_GENERATION,
    REVISION_IDS,
    Object,
    Refusal,
    check_revision,
    generation_of,
    is_text,
    order_by_bytes,
)
from stack_operations import STACK_OPERATIONS, Stacks

# The largest depth of a body, where {} has depth 1, and of an operation, which is copied recursively.
LARGEST_DEPTH = 150
LARGEST_OPERATION_DEPTH = 200


# Names and values


def check_id(value: Any) -> str:
    """Returns the id of a document, or refuses it."""
    value = check_local_id(value)
    if value.startswith("_") and not (value.startswith("_design/") and len(value) > len("_design/")):
        raise Refusal("badID")
    return value


def check_local_id(value: Any) -> str:
    """Returns the id of a local document, which may begin with `_`, or refuses it."""
    if not is_text(value) or value == "" or "\0" in value:
        raise Refusal("badID")
    return value


def check_body(value: Any) -> Object:
    """Returns a body, or refuses it."""
    if not isinstance(value, dict) or any(str(name).startswith("_") for name in value):
        raise Refusal("badBody")
    for depth, part in parts(value):
        if isinstance(part, (dict, list)) and depth > LARGEST_DEPTH:
            raise Refusal("tooLarge", limit=LARGEST_DEPTH)
        if isinstance(part, float) and not math.isfinite(part):
            raise Refusal("badBody")
        if isinstance(part, str) and not is_text(part):
            raise Refusal("badBody")
    return value


def parts(value: Any) -> Iterator[tuple[int, Any]]:
    """Yields a JSON value, and all values and member names in it, each with its depth."""
    waiting = [(1, value)]
    while waiting:
        depth, part = waiting.pop()
        yield depth, part
        if isinstance(part, dict):
            waiting += [(depth + 1, name) for name in part]
            waiting += [(depth + 1, member) for member in part.values() if part]
        elif isinstance(part, list):
            waiting += [(depth + 1, element) for element in part]


def check_limit(operation: Object, smallest: int) -> int | None:
    """Returns the `limit` of an operation, or refuses one that is too small or not an integer."""
    limit = operation.get("limit")
    if limit is None and smallest == 0:
        return None
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < smallest:
        raise Refusal("badRequest", path="limit")
    return limit


# The revision tree


@dataclass(frozen=True)
class Revision:
    """One revision. Without `body` it was compacted; without `deleted` it is known only from the path of another."""

    parent: str | None = None
    body: Object | None = None
    deleted: bool | None = None
    attachments: Object = field(default_factory=dict)


@dataclass
class Document:
    """The revisions of one document, and the sequence of its latest change."""

    revisions: dict[str, Revision] = field(default_factory=dict)
    sequence: int = 0

    def leaves(self) -> list[str]:
        """Returns the revisions without children."""
        parents = {revision.parent for revision in self.revisions.values()}
        return [rev for rev in self.revisions if rev not in parents]

    def live_leaves(self) -> list[str]:
        """Returns the leaves that are not deleted."""
        return [rev for rev in self.leaves() if not self.revisions[rev].deleted]

    def path(self, rev: str) -> list[str]:
        """Returns a revision and its ancestors, newest first."""
        path = []
        step: str | None = rev
        while step is not None:
            path.append(step)
            step = self.revisions[step].parent
        return path

    def holds(self, rev: str) -> bool:
        """Returns whether a revision is stored with its body."""
        return rev in self.revisions and self.revisions[rev].body is not None

    def merge(self, path: list[str], deleted: bool, body: Object, attachments: Object) -> None:
        """Adds the new parts of a record, and never replaces known ones."""
        if not self.holds(path[0]):
            known = self.revisions.get(path[0], Revision())
            flag = deleted if known.deleted is None else known.deleted
            self.revisions[path[0]] = replace(known, body=body, deleted=flag, attachments=attachments)
        for child, parent in zip(path, path[1:]):
            known_child = self.revisions.get(child)
            if known_child is not None and known_child.parent is None:
                self.revisions.setdefault(parent, Revision())
                self.revisions[child] = replace(known_child, parent=parent)

    def inherited(self, path: list[str]) -> Object:
        """Returns the attachments of the nearest stored ancestor on a path, to which stubs of a record may refer."""
        merged = Document(dict(self.revisions))
        merged.merge(path, False, {}, {})
        nearest = next((rev for rev in merged.path(path[0])[1:] if self.holds(rev)), None)
        return {} if nearest is None else self.revisions[nearest].attachments

    def keep(self, kept: set[str]) -> None:
        """Removes all revisions except the given ones."""
        self.revisions = {
            rev: revision if revision.parent in kept else replace(revision, parent=None)
            for rev, revision in self.revisions.items()
            if rev in kept
        }

    def keep_newest(self, limit: int) -> None:
        """Removes all revisions that are not among the newest `limit` of any leaf."""
        self.keep({rev for leaf in self.leaves() for rev in self.path(leaf)[:limit]})

    def remove_leaves(self, leaves: set[str]) -> None:
        """Removes the given leaves, and the ancestors that no other leaf has."""
        self.keep({rev for leaf in self.leaves() if leaf not in leaves for rev in self.path(leaf)})


class Database:
    """One named store from its creation to its destruction."""

    def __init__(self, revision_ids: str, collation: str) -> None:
        self.revision_ids = revision_ids
        self.collation = collation
        self.incarnation = uuid.uuid4().hex
        self.documents: dict[str, Document] = {}
        self.locals: dict[str, Object] = {}
        self.contents = Contents()
        self.last = 0
        self.history_limit: int | None = None
        self.refused: Object | None = None
        self.indexes: dict[str, Object] = {}

    # Shared by the operations

    def rev(self, value: Any) -> str:
        """Checks the revision id of an argument."""
        return check_revision(value, fold=self.collation == "couchdb")

    def revs(self, values: Any) -> list[str]:
        """Checks the revision ids of an argument."""
        return [self.rev(value) for value in values]

    def sequence(self, number: int) -> str:
        """Returns the text of a sequence. It names the incarnation to which the sequence belongs."""
        return f"{self.incarnation}-{number}"

    def position(self, sequence: Any) -> int:
        """Returns the number of a sequence of this incarnation."""
        number = sequence.rpartition("-")[2] if isinstance(sequence, str) else ""
        if not re.fullmatch("[0-9]{1,18}", number) or int(number) > self.last:
            raise Refusal("badSequence")
        if sequence != self.sequence(int(number)):
            raise Refusal("badSequence")
        return int(number)

    def document(self, identifier: str) -> Document:
        """Returns the document with an id."""
        if identifier not in self.documents:
            raise Refusal("notFound", reason="missing")
        return self.documents[identifier]

    def ordered_leaves(self, document: Document) -> list[str]:
        """Returns the leaves, the winner first."""
        order = COLLATIONS[self.collation]
        leaves = sorted(document.leaves(), key=order, reverse=True)
        return sorted(leaves, key=lambda rev: document.revisions[rev].deleted)

    def leaf_rows(self, document: Document) -> list[Object]:
        """Returns the leaves in the form of `leaves` and `changes`."""
        revisions = document.revisions
        return [{"rev": rev, "deleted": revisions[rev].deleted} for rev in self.ordered_leaves(document)]

    def check_allowed(self, identifier: str, rev: str, deleted: bool, body: Object) -> None:
        """Refuses a revision that the validation describes, unless it is already stored."""
        document = self.documents.get(identifier)
        held = document is not None and document.holds(rev)
        if self.refused is not None and not held and describes(self.refused, identifier, deleted, body):
            raise Refusal("forbidden")

    def settle(self, identifier: str, before: dict[str, Revision]) -> None:
        """Ends a change: applies the history limit, and assigns the next sequence if anything differs from before."""
        document = self.documents[identifier]
        if document.revisions != before and self.history_limit is not None:
            document.keep_newest(self.history_limit)
        if document.revisions != before:
            self.last += 1
            document.sequence = self.last
        if not document.revisions:
            del self.documents[identifier]

    def attach(self, identifier: str, parent: str | None, claims: Object) -> AttachmentSet:
        """Returns the attachments of an edit. New ones have its generation as revpos."""
        document = self.documents.get(identifier, Document())
        inherited = {} if parent is None else document.revisions[parent].attachments
        return self.contents.settle(claims, inherited, lambda said: generation_of(parent) + 1)

    def edit(
        self, identifier: str, parent: str | None, deleted: bool, body: Object, claims: Object | None = None
    ) -> str:
        """Adds a child of a leaf, or a root, and returns its id."""
        generation = generation_of(parent) + 1
        if generation > LARGEST_GENERATION:
            raise Refusal("badRevision")
        attached = self.attach(identifier, parent, check_attachments(claims or {}))
        stored = [(name, stub, attached.contents[stub["digest"]]) for name, stub in attached.stubs.items()]
        rev = f"{generation}-{REVISION_IDS[self.revision_ids](parent, deleted, body, stored)}"
        self.check_allowed(identifier, rev, deleted, body)
        document = self.documents.setdefault(identifier, Document())
        before = dict(document.revisions)
        document.merge([rev] if parent is None else [rev, parent], deleted, body, attached.stubs)
        self.contents.keep(attached)
        self.settle(identifier, before)
        return rev

    def edit_leaf(self, operation: Object, deleted: bool, body: Object) -> Object:
        """Adds a child of the leaf that the operation names."""
        identifier, parent = check_id(operation.get("id")), self.rev(operation.get("rev"))
        if parent not in self.document(identifier).leaves():
            raise Refusal("conflict")
        rev = self.edit(identifier, parent, deleted, body, operation.get("attachments"))
        return {"id": identifier, "rev": rev}

    # Documents

    def info(self, operation: Object) -> Object:
        """Counts the documents."""
        live = sum(1 for document in self.documents.values() if document.live_leaves())
        return {
            "documents": live,
            "deletedDocuments": len(self.documents) - live,
            "last": self.sequence(self.last),
            "incarnation": self.incarnation,
        }

    def create(self, operation: Object) -> Object:
        """Creates a document, or a live child of the winner of a deleted one."""
        identifier = check_id(operation.get("id", uuid.uuid4().hex))
        body = check_body(operation.get("body"))
        document = self.documents.get(identifier)
        if document is not None and document.live_leaves():
            raise Refusal("conflict")
        parent = self.ordered_leaves(document)[0] if document is not None else None
        rev = self.edit(identifier, parent, False, body, operation.get("attachments"))
        return {"id": identifier, "rev": rev}

    def update(self, operation: Object) -> Object:
        """Adds a live child of a leaf."""
        return self.edit_leaf(operation, False, check_body(operation.get("body")))

    def delete(self, operation: Object) -> Object:
        """Adds a tombstone below a leaf."""
        return self.edit_leaf(operation, True, check_body(operation.get("body", {})))

    def look_up(self, operation: Object) -> tuple[str, str, Revision]:
        """Returns the live winner, or the given revision, with its body."""
        identifier = check_id(operation.get("id"))
        rev = self.rev(operation["rev"]) if "rev" in operation else None
        document = self.document(identifier)
        if rev is None:
            rev = self.ordered_leaves(document)[0]
            if document.revisions[rev].deleted:
                raise Refusal("notFound", reason="deleted")
        if rev not in document.revisions:
            raise Refusal("notFound", reason="missing")
        if not document.holds(rev):
            raise Refusal("notFound", reason="bodyMissing")
        return identifier, rev, document.revisions[rev]

    def read(self, operation: Object) -> Object:
        """Returns a revision."""
        identifier, rev, revision = self.look_up(operation)
        shown = {"id": identifier, "rev": rev, "deleted": revision.deleted, "body": revision.body}
        return shown | ({"attachments": revision.attachments} if revision.attachments else {})

    def list_documents(self, operation: Object) -> Object:
        """Returns the documents with a live winner in the order of their ids."""
        limit, start = check_limit(operation, 0), operation.get("from")
        down = operation.get("descending", False)
        rows = []
        for identifier in sorted(self.documents, key=str.encode, reverse=down):
            document = self.documents[identifier]
            behind = start is None or (identifier <= start if down else identifier >= start)
            if behind and document.live_leaves():
                rows.append({"id": identifier, "rev": self.ordered_leaves(document)[0]})
        return {"rows": rows[:limit]}

    def leaves(self, operation: Object) -> Object:
        """Returns all leaves of a document."""
        return {"leaves": self.leaf_rows(self.document(check_id(operation.get("id"))))}

    def changes(self, operation: Object) -> Object:
        """Returns one row for each document that changed after `since`, the latest change last."""
        limit = check_limit(operation, 0)
        since = self.position(operation["since"]) if "since" in operation else 0
        changed = [item for item in self.documents.items() if item[1].sequence > since]
        changed.sort(key=lambda item: item[1].sequence)
        shown = changed[:limit]
        rows = [self.change_row(identifier, document) for identifier, document in shown]
        more = len(shown) < len(changed)
        last = self.last if not more else shown[-1][1].sequence if shown else since
        return {"rows": rows, "last": self.sequence(last), "more": more}

    def change_row(self, identifier: str, document: Document) -> Object:
        """One row of `changes`."""
        leaves = self.leaf_rows(document)
        seq = self.sequence(document.sequence)
        return {"seq": seq, "id": identifier, "deleted": leaves[0]["deleted"], "leaves": leaves}

    # Replication

    def revs_diff(self, operation: Object) -> Object:
        """Returns which of the given revisions are missing."""
        results = []
        for question in operation["revs"]:
            revs = dict.fromkeys(self.revs(question["revs"]))
            results.append(self.difference(check_id(question.get("id")), list(revs)))
        return {"results": [result for result in results if result["missing"]]}

    def difference(self, identifier: str, revs: list[str]) -> Object:
        """Returns the missing revisions of one document, with possible ancestors."""
        document = self.documents.get(identifier, Document())
        missing = [rev for rev in revs if rev not in document.revisions]
        highest = max(map(generation_of, missing), default=0)
        ancestors = [leaf for leaf in document.leaves() if generation_of(leaf) < highest]
        return {"id": identifier, "missing": missing, "possibleAncestors": ancestors}

    def get_revisions(self, operation: Object) -> Object:
        """Returns one result with records for each requested revision."""
        results = []
        for question in operation["docs"]:
            identifier, latest = check_id(question.get("id")), question.get("latest", False)
            since = self.revs(question["attachmentsSince"]) if "attachmentsSince" in question else None
            for rev in self.revs(question["revs"]):
                found = self.found(identifier, rev, latest, since)
                results.append({"id": identifier, "rev": rev, **found})
        return {"results": results}

    def found(self, identifier: str, rev: str, latest: bool, since: list[str] | None) -> Object:
        """Returns the records of one revision, or the reason why there are none."""
        document = self.documents.get(identifier, Document())
        if rev not in document.revisions:
            return {"missing": "missing"}
        if latest:
            leaves = [leaf for leaf in self.ordered_leaves(document) if rev in document.path(leaf)]
            return {"records": [self.record(identifier, document, leaf, since) for leaf in leaves]}
        if not document.holds(rev):
            return {"missing": "bodyMissing"}
        return {"records": [self.record(identifier, document, rev, since)]}

    def record(self, identifier: str, document: Document, rev: str, since: list[str] | None) -> Object:
        """Returns one revision with as much of its history as the history limit allows."""
        revision, attachments = document.revisions[rev], document.revisions[rev].attachments
        flag = {"deleted": True} if revision.deleted else {}
        path = document.path(rev)
        if since is not None:
            newest = next((ancestor for ancestor in path if ancestor in since), None)
            attachments = self.contents.sent(attachments, generation_of(newest))
        shown = {"id": identifier, "path": path[: self.history_limit], **flag, "body": revision.body}
        return shown | ({"attachments": attachments} if attachments else {})

    def insert_revisions(self, operation: Object) -> Object:
        """Merges records. The history limit applies, and rows move, when all records are merged."""
        results: list[Object] = []
        changed: dict[str, dict[str, Revision]] = {}
        for record in operation["records"]:
            try:
                self.insert(record, changed)
                results.append({"ok": {}})
            except Refusal as refusal:
                results.append({"error": refusal.error})
        for identifier, before in changed.items():
            self.settle(identifier, before)
        return {"results": results}

    def insert(self, record: Object, changed: dict[str, dict[str, Revision]]) -> None:
        """Merges one record. `changed` has the former revisions of changed documents, the latest change last."""
        identifier = check_id(record.get("id"))
        path = self.revs(record["path"])
        generations = [generation_of(rev) for rev in path]
        if not path or any(upper != lower + 1 for upper, lower in zip(generations, generations[1:])):
            raise Refusal("badRevision")
        body, deleted = check_body(record.get("body")), record.get("deleted", False)
        # A tombstone has no attachments, even if the record has some.
        claims = {} if deleted else check_attachments(record.get("attachments", {}))
        self.check_allowed(identifier, path[0], deleted, body)
        document, attached = self.documents.get(identifier, Document()), AttachmentSet()
        if claims and not document.holds(path[0]):
            revpos: Callable[[int], int] = lambda said: min(said or generations[0], generations[0])
            attached = self.contents.settle(claims, document.inherited(path), revpos)
        self.documents[identifier] = document
        before = dict(document.revisions)
        document.merge(path, deleted, body, attached.stubs)
        self.contents.keep(attached)
        if document.revisions != before:
            changed[identifier] = changed.pop(identifier, before)

    # Local documents

    def read_local(self, operation: Object) -> Object:
        """Returns a local document."""
        identifier = check_local_id(operation.get("id"))
        if identifier not in self.locals:
            raise Refusal("notFound", reason="missing")
        return {"body": self.locals[identifier]}

    def write_local(self, operation: Object) -> Object:
        """Replaces or deletes a local document."""
        identifier = check_local_id(operation.get("id"))
        if operation.get("body") is None:
            self.locals.pop(identifier, None)
        else:
            self.locals[identifier] = check_body(operation["body"])
        return {}

    # Capabilities

    def resolve(self, operation: Object) -> Object:
        """Ends a conflict: keeps one live leaf, and deletes the others."""
        identifier = check_id(operation.get("id"))
        leaves, keep = set(self.revs(operation["leaves"])), self.rev(operation.get("keep"))
        body = check_body(operation["body"]) if "body" in operation else None
        if keep not in leaves:
            raise Refusal("badRequest", path="keep")
        if body is None and "attachments" in operation:
            raise Refusal("badRequest", path="attachments")
        if leaves != set(self.documents.get(identifier, Document()).live_leaves()):
            raise Refusal("conflict")
        losers = sorted(leaves - {keep}, key=order_by_bytes)
        kept = {name: {"stub": True} for name in self.documents[identifier].revisions[keep].attachments}
        claims = operation.get("attachments", kept)
        rev = keep if body is None else self.edit(identifier, keep, False, body, claims)
        return {"rev": rev, "tombstones": [self.edit(identifier, loser, True, {}) for loser in losers]}

    def compact(self, operation: Object) -> Object:
        """Drops bodies and attachments of all revisions that are not leaves, and unused contents."""
        for document in self.documents.values():
            for rev in document.revisions.keys() - set(document.leaves()):
                document.revisions[rev] = replace(document.revisions[rev], body=None, attachments={})
        revisions = [rev for document in self.documents.values() for rev in document.revisions.values()]
        self.contents.keep_only(digests(revision.attachments for revision in revisions))
        return {}

    def purge(self, operation: Object) -> Object:
        """Removes leaves without leaving tombstones."""
        identifier, revs = check_id(operation.get("id")), self.revs(operation["revs"])
        document = self.documents.get(identifier)
        if document is None:
            return {"purged": []}
        purged = [leaf for leaf in document.leaves() if leaf in revs]
        before = dict(document.revisions)
        document.remove_leaves(set(purged))
        self.settle(identifier, before)
        return {"purged": purged}

    def set_history_limit(self, operation: Object) -> Object:
        """Sets how many revisions of each leaf a document keeps from its next change on."""
        self.history_limit = check_limit(operation, 1)
        return {}

    def batch(self, operation: Object) -> Object:
        """Performs writes in order. The caller discards this database if one fails."""
        results = []
        for place, write in enumerate(operation["writes"]):
            if write.get("op") not in BATCH_OPERATIONS:
                raise Refusal("badRequest", path=f"writes[{place}].op", write=place)
            try:
                results.append(OPERATIONS[write["op"]](self, write))
            except Refusal as refusal:
                raise Refusal(**refusal.error, write=place) from None
        return {"results": results}

    def set_validation(self, operation: Object) -> Object:
        """Sets which writes are refused."""
        self.refused = operation["refuse"]
        return {}

    def read_attachment(self, operation: Object) -> Object:
        """Returns a part of an attachment."""
        check_piece(operation)
        attachments = self.look_up(operation)[2].attachments
        if operation.get("name") not in attachments:
            raise Refusal("notFound", reason="missing")
        return self.contents.read(attachments[operation["name"]], operation)

    def put_blob(self, operation: Object) -> Object:
        """Stores a part of content that a later write refers to."""
        return self.contents.put(operation)

    def flush(self, operation: Object) -> Object:
        """Does nothing: everything is in memory."""
        return {}


def describes(rule: Object, identifier: str, deleted: bool, body: Object) -> bool:
    """Returns whether a filter describes a revision."""
    if "documentIDs" in rule:
        return identifier in rule["documentIDs"]
    if "bodyFieldEquals" in rule:
        name, value = rule["bodyFieldEquals"]["field"], rule["bodyFieldEquals"]["value"]
        return name in body and same_value(body[name], value)
    if "selector" in rule:
        return read_selector(rule["selector"])({**body, "_id": identifier})
    return not deleted


OPERATIONS: dict[str, Callable[[Database, Object], Object]] = {
    "info": Database.info,
    "create": Database.create,
    "update": Database.update,
    "delete": Database.delete,
    "read": Database.read,
    "list": Database.list_documents,
    "leaves": Database.leaves,
    "changes": Database.changes,
    "revsDiff": Database.revs_diff,
    "getRevisions": Database.get_revisions,
    "insertRevisions": Database.insert_revisions,
    "readLocal": Database.read_local,
    "writeLocal": Database.write_local,
    "resolve": Database.resolve,
    "compact": Database.compact,
    "purge": Database.purge,
    "historyLimit": Database.set_history_limit,
    "batch": Database.batch,
    "setValidation": Database.set_validation,
    "flush": Database.flush,
    "readAttachment": Database.read_attachment,
    "putBlob": Database.put_blob,
    **FINDING,
}

BATCH_OPERATIONS = {"create", "update", "delete", "resolve", "writeLocal"}
ALL_OR_NOTHING = {"batch", "resolve"}
OBJECT_OPERATIONS = {
    "saveObjects": ObjectStore.save,
    "loadObject": ObjectStore.load,
    "listObjects": ObjectStore.list,
    "checkObjects": ObjectStore.check,
    "fetchObjects": ObjectStore.fetch,
    "updateObjects": ObjectStore.update_all,
}


class LittleStore:
    """All databases by name: the store that the runner tests."""

    profiles = (
        "exact-numbers",
        "dense-changes",
        "incarnation-sequences",
        "cdt-digest",
        "cdt-collation",
        "couchdb",
    )
    capabilities = (
        "resolve",
        "compact",
        "purge",
        "historyLimit",
        "atomicBatch",
        "validation",
        "flush",
        "tombstoneBodies",
        "attachment",
        "objects",
        "find",
        "regex",
        "decimals",
        "geography",
        "contexts",
        "stacks",
        "collections",
    )

    # Larger values are `tooLarge`; bodies and ids may have any length.
    limits = {"depth": LARGEST_DEPTH, "inlineBytes": LARGEST_PIECE, "attachmentBytes": LARGEST_CONTENT}

    def __init__(self) -> None:
        self.databases: dict[str, Database] = {}
        self.opened: set[str] = set()
        # The object stores of open databases, until they are closed.
        self.objects: dict[str, ObjectStore] = {}
        self.contexts: dict[str, Contexts] = {}
        self.stacks: dict[str, Stacks] = {}
        self.clients: dict[str, Clients] = {}

    def perform(self, operation: Object) -> Object:
        """Performs one operation. Nothing is shared with the caller."""
        try:
            if any(depth > LARGEST_OPERATION_DEPTH for depth, _ in parts(operation)):
                raise Refusal("tooLarge", limit=LARGEST_DEPTH)
            return {"ok": copy.deepcopy(self.dispatch(copy.deepcopy(operation)))}
        except Refusal as refusal:
            return {"error": refusal.error}

    def dispatch(self, operation: Object) -> Object:
        """Finds the store and the method."""
        name, op = operation.get("store"), operation.get("op")
        if op == "open":
            return self.open(name, operation)
        if op in ("close", "destroy"):
            self.opened.discard(name)
            self.objects.pop(name, None)
            self.contexts.pop(name, None)
            self.stacks.pop(name, None)
            self.clients.pop(name, None)
            if op == "destroy":
                self.databases.pop(name, None)
            return {}
        if op in STORELESS:
            return STORELESS[op](operation)
        if op == "coordinate":
            return coordinate(operation, self.open_objects)
        of_objects = op in OBJECT_OPERATIONS or op in CONTEXT_OPERATIONS or op in STACK_OPERATIONS
        of_collections = op in COLLECTION_OPERATIONS or op in ("setBackendRules", "migrateObjects")
        if op not in OPERATIONS and not of_objects and not of_collections and op != "openObjects":
            raise Refusal("unsupported", what=op)
        if name not in self.opened or of_objects and name not in self.objects:
            raise Refusal("noSuchStore")
        if op == "openObjects":
            choices = operation.get("migrates", False), operation.get("form", "documented")
            model = Model(operation["model"])
            self.objects[name] = self.attempt(name, lambda attempt: ObjectStore(attempt, model, *choices))
            self.contexts[name] = Contexts(self.objects[name])
            self.stacks[name] = Stacks(lambda act: self.in_contexts(name, act))
            return {"identifier": self.objects[name].identifier}
        if of_collections:
            return self.in_collections(name, operation)
        if op in CONTEXT_OPERATIONS:
            perform = CONTEXT_OPERATIONS[op]
            stacks = self.stacks[name]
            watch = stacks.watching(operation) if op == "saveContext" else contextlib.nullcontext([])
            with watch as saved:
                saved.append(self.in_contexts(name, lambda contexts: perform(contexts, operation)))
                return saved[0]
        if op in STACK_OPERATIONS:
            return self.stacks[name].perform(operation)
        if op in OBJECT_OPERATIONS:
            store = self.objects[name]
            return self.attempt(name, lambda attempt: OBJECT_OPERATIONS[op](store, attempt, operation))
        if op in ALL_OR_NOTHING:
            return self.attempt(name, lambda attempt: OPERATIONS[op](attempt, operation))
        return OPERATIONS[op](self.databases[name], operation)

    def attempt(self, name: str, change: Callable[[Database], Any]) -> Any:
        """Changes a database, and undoes the change if it fails."""
        attempt = copy.deepcopy(self.databases[name])
        result = change(attempt)
        self.databases[name] = attempt
        return result

    def in_contexts(self, name: str, act: Callable[[Contexts], Any]) -> Any:
        """Changes contexts and their database, and undoes both changes if one fails."""
        database = copy.deepcopy(self.databases[name])
        attempt = self.contexts[name].attempt(database)
        try:
            result = act(attempt)
        except FailedSave as failed:
            self.contexts[name].remember(failed)
            raise
        self.databases[name], self.contexts[name] = database, attempt
        return result

    def in_collections(self, name: str, operation: Object) -> Object:
        """Performs an operation of a client, which may migrate the objects of another store."""

        def source(of: str) -> tuple[ObjectStore, Database]:
            if of not in self.objects:
                raise Refusal("noSuchStore")
            return self.objects[of], self.databases[of]

        return self.clients.setdefault(name, Clients()).perform(self.databases[name], operation, source)

    def open_objects(self, name: str, change: Callable[[Database], Any]) -> None:
        """Opens the database that a coordinator adds, as an object store."""
        self.open(name, {})
        self.attempt(name, change)

    def open(self, name: Any, operation: Object) -> Object:
        """Creates a database, or reopens it with the options of its creation."""
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_$()+/-]*", name):
            raise Refusal("badName")
        for choice, known in (("revisionIDs", REVISION_IDS), ("collation", COLLATIONS)):
            if operation.get(choice) not in (None, *known):
                raise Refusal("unsupported", what=operation[choice])
        if name not in self.databases:
            chosen = operation.get("revisionIDs", "own"), operation.get("collation", "bytes")
            self.databases[name] = Database(*chosen)
        database = self.databases[name]
        if operation.get("revisionIDs", database.revision_ids) != database.revision_ids:
            raise Refusal("badRequest", path="revisionIDs")
        if operation.get("collation", database.collation) != database.collation:
            raise Refusal("badRequest", path="collation")
        self.opened.add(name)
        return {}
