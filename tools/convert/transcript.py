#!/usr/bin/env python3
"""Converts recorded HTTP exchanges with Apache CouchDB to vectors.

    python3 tools/convert/transcript.py couchdb-transcript.jsonl [Vectors/observed]

Each line of the input is a request and its response; each scenario has its own database. Exchanges with a
counterpart in the contract become one vector for each document of a scenario, and one for its feed, list and
counts. A refusal for which the contract accepts several outcomes becomes the last step of a separate vector.
"""

import json
import sys
from collections import Counter
from urllib.parse import parse_qs, unquote

import shared
from revision_ids import integers
from shared import Conversion, Edit, Script, Twins, body_of, failed, not_found, unordered

SOURCE = "couchdb-transcript.jsonl"
PLACE = "couchdb/transcript"
FAMILY = "couchdb-transcript"
ABOUT = (
    "Scripted exchanges with Apache CouchDB 3.4.3, as far as they map to the contract: edits with "
    "the revision ids that the server computed, replicated revisions, reads, differences, the "
    "feed, the list, local documents, purges, history limits, compaction and validation. An edit "
    "that a store may refuse arrives as a record of what it made. A document of which nothing is "
    "asked has no vector of its own where its scenario has one."
)
HTTP = "belongs to HTTP or to the server: methods, headers, parameters, its own pages"
FORM = "a form of request or response without a counterpart"
SEVERAL = "a request with several errors, of which a store may name any"
BATCH = "a call of several writes that is refused as a whole"
ATTACHMENT = "attachments; those of the scenario of this name are in couchdb/attachments"
FOREIGN = "a document that the contract does not have (id with NUL, odd revision, special members)"
INNER = "a body of a non-leaf revision, which a store may drop"
FEED = "a part of the feed, which needs a guarantee beyond this profile"
DIFFERENT = "answered differently from the contract"
LIMITS = "limits of sizes, set for the recording"
SAME = "duplicates the exchange before it"


class Skip(Exception):
    """An exchange that does not become a step, with the reason."""


class Item:
    """A step, and the documents to which it applies; None for all."""

    def __init__(self, number, ids, op, expect=None, clauses=(), capabilities=(), **arguments):
        self.number, self.ids, self.op, self.expect = number, ids, op, expect
        self.clauses, self.capabilities, self.arguments = clauses, capabilities, arguments
        self.mutates = False
        self.last = False


class Scenario:
    def __init__(self, name, exchanges, conversion):
        self.name = name
        self.conversion = conversion
        self.documents = {}
        self.foreign = set()  # documents without a counterpart
        self.nameless = set()  # documents with an id of the server
        self.items = []
        self.locals = set()
        self.limit = 1000
        self.compacted = False
        self.ended = None
        for exchange in exchanges:
            self.number = exchange["n"]
            before = len(self.items)
            try:
                if self.ended:
                    raise Skip(self.ended)
                self.perform(exchange)
                if len(self.items) == before:
                    raise Skip(SAME)
            except Skip as skip:
                del self.items[before:]
                self.leave_out(exchange, str(skip))

    def leave_out(self, exchange, reason):
        """Leaves out the documents of an exchange without a step, and everything about them."""
        answer = exchange["body"]
        if exchange["method"] != "GET" and isinstance(answer, dict) and "id" in answer:
            self.foreign.add(answer["id"])
        if reason == FOREIGN and self.name == "attachments":
            reason = ATTACHMENT
        self.conversion.leave_out(reason, (self.name, self.number))

    def document(self, id):
        if id in self.foreign:
            raise Skip(FOREIGN)
        return self.documents.setdefault(id, Twins(self.limit))

    @property
    def hidden(self):
        """Returns documents in the lists of the server that the vector of the scenario does not have."""
        return {id for id in self.foreign if not id.startswith("_local/")} | self.nameless

    def add(self, ids, op, expect=None, clauses=(), capabilities=(), **arguments):
        item = Item(self.number, ids, op, expect, clauses, capabilities, **arguments)
        self.items.append(item)
        return item

    def change(self, *rest, **arguments):
        self.add(*rest, **arguments).mutates = True

    # Requests

    def perform(self, exchange):
        method, status, answer = exchange["method"], exchange["status"], exchange["body"]
        target, _, query = exchange["path"].partition("?")
        parameters = {name: values[-1] for name, values in parse_qs(query, True).items()}
        segments = target.split("/")[1:]
        if segments[0] != self.name:
            raise Skip(HTTP)
        headers = exchange.get("req_headers", {})
        if set(headers) - {"Content-Type", "Accept", "If-Match"} or status in (304, 405, 415):
            raise Skip(HTTP)
        body = request_body(exchange)
        rest = [unquote(segment) for segment in segments[1:] if segment]
        first = rest[0] if rest else ""
        if first in ("_local", "_design") and len(rest) > 1:
            rest = ["/".join(rest[:2])] + rest[2:]
        if method == "HEAD":
            raise Skip(HTTP)
        if not rest and method == "GET":
            return self.info(answer)
        if not rest and method == "POST":
            id = body.get("_id") if isinstance(body, dict) else None
            return self.write(id, body, exchange, {})
        name = {"_bulk_docs": "bulk", "_bulk_get": "bulk_get", "_revs_diff": "revs_diff"}
        name |= {"_missing_revs": "missing_revs", "_changes": "changes", "_all_docs": "list"}
        name |= {"_purge": "purge", "_compact": "compact", "_revs_limit": "revs_limit"}
        if rest[0] in name and len(rest) == 1:
            if status == 500:
                raise Skip(HTTP)
            return getattr(self, name[rest[0]])(method, body, parameters, status, answer)
        if len(rest) > 1:
            self.foreign.add(rest[0])
            raise Skip(HTTP if rest[0].startswith("_") and "/" not in rest[0] else ATTACHMENT)
        illegal = isinstance(answer, dict) and answer.get("error") == "illegal_docid"
        if rest[0].startswith("_") and "/" not in rest[0] and not illegal:
            raise Skip(HTTP)
        id = rest[0]
        if method == "PUT":
            return self.write(id, body, exchange, parameters)
        if method == "DELETE":
            return self.delete(id, parameters, status, answer)
        if method == "GET":
            return self.read(id, parameters, status, answer)
        raise Skip(HTTP)

    def write(self, id, body, exchange, parameters):
        status, answer = exchange["status"], exchange["body"]
        if set(parameters) - {"rev", "new_edits"} or status in (202, 401, 500):
            raise Skip(HTTP)
        if status == 413 or answer.get("reason") == "Document id is too long":
            raise Skip(LIMITS)
        if isinstance(body, dict) and "_attachments" in body:
            if status < 300:
                self.foreign.add(id)
            raise Skip(ATTACHMENT)
        if body is MALFORMED or not isinstance(body, dict) and status != 400:
            if status < 300:
                self.foreign.add(id)
            raise Skip(HTTP)
        if any(not -(2**63) <= each < 2**64 for each in integers(body)):
            self.foreign.add(id)
            raise Skip(FOREIGN)
        if status == 400 and not isinstance(body, dict):
            arguments = {"id": id} if id else {}
            self.add({id or ""}, "create", failed("badBody"), ["BODY-001"], body=body, **arguments)
            return
        given = [parameters.get("rev"), body.get("_rev")]
        given.append(exchange.get("req_headers", {}).get("If-Match", "").strip('"') or None)
        revs = {rev for rev in given if rev is not None}
        if len(revs) > 1 or "_rev" in body and not isinstance(body["_rev"], str):
            raise Skip(FORM)
        rev = next(iter(revs), None)
        if "new_edits" in parameters:
            if status >= 400:
                raise Skip(FORM)
            return self.records([{**body, "_id": id}], set())
        id = answer.get("id", id)
        if isinstance(id, str) and id.startswith("_local/"):
            if status >= 400:
                if status == 400 and id == "_local/":
                    self.add({id}, "writeLocal", failed("badID"), ["ID-001"], id="", body={})
                    return
                raise Skip(DIFFERENT)
            return self.write_local(id, body_of(body))
        self.edit(id, rev, body, status, answer, "_id" in body or exchange["method"] == "PUT")

    def write_local(self, id, body):
        self.locals.add(id)
        clauses = ["LOCAL-001", "LOCAL-002"]
        self.change({id}, "writeLocal", None, clauses, id=id[len("_local/") :], body=body)

    def edit(self, id, rev, body, status, answer, named=True):
        """Adds an edit, from a single request or from one of several edits."""
        content, deleted = body_of(body), body.get("_deleted", False)
        special = [
            name for name in body if name.startswith("_") and name not in PLAIN
        ]
        error = answer.get("error")
        if error == "illegal_docid" and isinstance(id, str):
            clause = "ID-001" if not id else "ID-002"
            self.add({id}, "create", failed("badID"), [clause], id=id, body=content)
        elif error == "doc_validation" and special:
            taken = {**content, **{name: body[name] for name in special}}
            self.add({id}, "create", failed("badBody"), ["BODY-002"], id=id, body=taken)
        elif answer.get("reason") == "Invalid rev format" and isinstance(rev, str):
            if id not in self.documents:
                raise Skip(SEVERAL)
            arguments = {"id": id, "rev": rev, "body": content}
            self.add({id}, "update", failed("badRevision"), ["REV-001"], **arguments)
        elif error == "forbidden" and "locked" in content and self.documents.get("_design/v"):
            arguments = {"id": id, "body": content} | ({"rev": rev} if rev else {})
            op = "update" if rev else "create"
            expect, clauses = failed("forbidden"), ["VALID-001", "VALID-005"]
            self.add({id}, op, expect, clauses, ["validation"], **arguments)
        elif status >= 400 and error != "conflict":
            raise Skip(FORM)
        elif "locked" in content and self.documents.get("_design/v"):
            raise Skip(DIFFERENT)  # design documents are not validated
        elif special or "\0" in id:
            if status < 300:
                self.foreign.add(id)
            raise Skip(FOREIGN)
        elif not named:
            self.nameless.add(id)
            expect = {"ok": {"id": {"$bind": "id"}, "rev": answer["rev"]}}
            self.change({id}, "create", expect, ["EDIT-002", "REV-020"], body=content)
            self.add({id}, "read", {"ok": {"rev": answer["rev"], "body": content}}, ["EDIT-002"],
                     id={"$ref": "id"})
        else:
            self.known_edit(id, rev, deleted, content, answer.get("rev"))
        if id == "_design/v" and status == 201 and "validate_doc_update" in content:
            refuse = {"bodyFieldEquals": {"field": "locked", "value": 1}}
            self.change(None, "setValidation", None, ["VALID-005"], ["validation"], refuse=refuse)
        if id == "_design/v2" and status == 201:
            self.ended = "after a validation function that does not compile"

    def known_edit(self, id, rev, deleted, content, made):
        document = self.document(id)
        edit = Edit(document, id, rev, deleted, content, made)
        if edit.kind == "none":
            raise Skip(FORM)
        if edit.kind == "record":
            self.conversion.notes["edits that a store may refuse, replayed as records"] += 1
            self.record(id, edit.path, deleted, content)
        else:
            item = self.add({id}, edit.op, edit.expect, edit.clauses, edit.capabilities,
                            **edit.arguments)
            item.mutates, item.last = bool(made), edit.kind == "last"
        if made:
            document.merge(edit.path, deleted)
            document.stem()

    def record(self, id, path, deleted, content, error=None):
        record = {"id": id, "path": path} | ({"deleted": True} if deleted else {})
        record["body"] = content
        clauses = self.document(id).clauses(path) if not error else []
        expect = {"ok": {"results": [{"error": {"kind": error}} if error else {"ok": {}}]}}
        if error == "badRevision":
            clauses = ["REC-010", "REV-022" if len(path[0]) == 34 else "REV-001"]
        if error == "forbidden":
            clauses = ["VALID-002"]
        needs = ["validation"] if error == "forbidden" else []
        item = self.add({id}, "insertRevisions", expect, clauses, needs, records=[record])
        item.mutates = not error

    def records(self, documents, forbidden):
        for each in documents:
            id = each["_id"]
            if id.startswith("_local/"):
                self.write_local(id, body_of(each))
                continue
            path = shared.revision_path(each)
            if any(shared.generation(rev) < 1 or not shared.suffix(rev) for rev in path):
                self.foreign.add(id)
                raise Skip(FOREIGN)
            deleted = each.get("_deleted", False)
            if id in forbidden:
                self.record(id, path, deleted, body_of(each), "forbidden")
                continue
            self.record(id, path, deleted, body_of(each))
            document = self.document(id)
            document.merge([folded(rev) for rev in path], deleted)
            document.stem()

    def delete(self, id, parameters, status, answer):
        if id.startswith("_local/"):
            if status >= 400:
                raise Skip(DIFFERENT)
            self.change({id}, "writeLocal", None, ["LOCAL-003"], id=id[len("_local/") :], body=None)
            return
        if "rev" not in parameters:
            raise Skip(FORM)
        rev = parameters["rev"]
        if status == 400:
            self.add({id}, "delete", failed("badRevision"), ["REV-001"], id=id, rev=rev)
            return
        self.known_edit(id, rev, True, {}, answer.get("rev"))

    def bulk(self, method, body, parameters, status, answer):
        if not isinstance(body, dict) or not isinstance(body.get("docs"), list) or not body["docs"]:
            raise Skip(HTTP)
        docs = body["docs"]
        if not all(isinstance(each, dict) for each in docs) or status == 417:
            raise Skip(HTTP)
        if any("_attachments" in each for each in docs):
            self.foreign |= {each["_id"] for each in docs}
            raise Skip(ATTACHMENT)
        if status == 413:
            raise Skip(LIMITS)
        if body.get("new_edits") is False:
            if status == 400:
                if answer["reason"] != "Invalid rev format" or len(docs) > 1:
                    raise Skip(FORM)
                path = shared.revision_path(docs[0])
                self.record(docs[0]["_id"], path, False, body_of(docs[0]), "badRevision")
                return
            failures = {each["id"]: each["error"] for each in answer}
            if any(error != "forbidden" for error in failures.values()):
                docs = [each for each in docs if failures.get(each["_id"]) in (None, "forbidden")]
            locked = {each["_id"] for each in docs if "locked" in each}
            if {id for id, error in failures.items() if error == "forbidden"} - locked:
                raise Skip("a validation that looks at the old document")
            self.records(docs, set(failures))
            return
        if status == 400:
            if len(docs) > 1:
                raise Skip(BATCH)
            return self.edit(docs[0]["_id"], docs[0].get("_rev"), docs[0], status, answer)
        for each, result in zip(docs, answer, strict=True):
            if result.get("error") in ("unauthorized", "unknown_error", "compilation_error"):
                continue
            if each.get("_id", "").startswith("_local/"):
                self.write_local(each["_id"], body_of(each))
                continue
            status = 201 if "rev" in result else 409
            self.edit(result["id"], each.get("_rev"), each, status, result, "_id" in each)

    def purge(self, method, body, parameters, status, answer):
        for id, revs in body.items():
            document = self.document(id)
            if status == 400:
                refused = failed("badRevision")
                self.add({id}, "purge", refused, ["REV-001"], ["purge"], id=id, revs=revs)
                continue
            purged = answer["purged"][id]
            document.purge(revs)
            clauses = ["PURGE-001", "PURGE-002", "PURGE-003"] if purged else ["PURGE-005"]
            if purged and not document.leaves():
                clauses[2] = "PURGE-004"
            expect = {"ok": {"purged": unordered(purged)}}
            self.change({id}, "purge", expect, clauses, ["purge"], id=id, revs=revs)

    def compact(self, method, body, parameters, status, answer):
        self.compacted = True
        self.change(None, "compact", None, ["COMP-001", "COMP-003"], ["compact"])

    def revs_limit(self, method, body, parameters, status, answer):
        if method != "PUT":
            raise Skip(HTTP)
        self.limit = int(body)
        for document in self.documents.values():
            document.limit = self.limit
        self.change(None, "historyLimit", None, ["LIMIT-001"], ["historyLimit"], limit=self.limit)

    # Queries

    def info(self, answer):
        if "doc_count" not in answer:
            raise Skip(HTTP)
        if self.hidden:
            raise Skip(FOREIGN)
        expect = {"documents": answer["doc_count"], "deletedDocuments": answer["doc_del_count"]}
        self.add(None, "info", {"ok": expect}, ["STORE-007"])

    def list(self, method, body, parameters, status, answer):
        parameters.pop("include_docs", None)
        if method != "GET" or set(parameters) - {"startkey", "limit", "descending"}:
            raise Skip(FORM)
        clauses = ["LIST-001", "LIST-002"]
        arguments = {}
        if "startkey" in parameters:
            if status == 400:
                raise Skip(HTTP)
            arguments["from"] = json.loads(parameters["startkey"])
            clauses.append("LIST-003")
        if "limit" in parameters:
            arguments["limit"] = int(parameters["limit"])
            clauses.append("LIST-004")
            if self.hidden:
                raise Skip(FOREIGN)
        if "descending" in parameters:
            arguments["descending"] = parameters["descending"] == "true"
            clauses.append("LIST-005")
        if status == 400:
            self.add(None, "list", failed("badRequest", path="limit"), ["LIST-004"], **arguments)
            return
        rows = [{"id": row["id"], "rev": row["value"]["rev"]} for row in answer["rows"]]
        rows = [row for row in rows if row["id"] not in self.hidden]
        self.add(None, "list", {"ok": {"rows": rows}}, clauses, **arguments)

    def changes(self, method, body, parameters, status, answer):
        for name in ("include_docs", "conflicts"):
            parameters.pop(name, None)
        if parameters.get("since") == "0":
            del parameters["since"]
        if method != "GET" or not isinstance(answer, dict) or "results" not in answer:
            raise Skip(HTTP)
        style = parameters.pop("style", "main_only")
        if parameters == {"limit": "0"}:
            self.add(None, "changes", {"ok": {"rows": []}}, ["CHG-007"], limit=0)
            return
        if set(parameters) & {"filter", "feed", "seq_interval", "descending"}:
            raise Skip(HTTP)
        if parameters:
            raise Skip(DIFFERENT if parameters.get("limit") == "-1" else FEED)
        rows = []
        for row in answer["results"]:
            if row["id"] in self.hidden:
                continue
            leaves = self.document(row["id"]).leaves()
            expected = {"id": row["id"], "deleted": row.get("deleted", False)}
            listed = [change["rev"] for change in row["changes"]]
            if style == "all_docs" and leaves is not None and set(listed) == set(leaves):
                elements = [{"rev": rev, "deleted": leaves[rev]} for rev in listed]
                expected["leaves"] = elements if len(listed) < 3 else unordered(elements)
            rows.append(expected)
        clauses = ["CHG-001", "CHG-004"] + (["CHG-003"] if style == "all_docs" else [])
        self.add(None, "changes", {"ok": {"rows": unordered(rows), "more": False}}, clauses)

    def revs_diff(self, method, body, parameters, status, answer):
        if not isinstance(body, dict) or any(id.startswith("_local/") for id in body):
            raise Skip(HTTP)
        asked = [{"id": id, "revs": revs} for id, revs in body.items()]
        ids = set(body) if len(body) == 1 else None
        if status == 400:
            self.add(ids, "revsDiff", failed("badRevision"), ["REV-001"], revs=asked)
            return
        if any(len(set(revs)) < len(revs) for revs in body.values()):
            raise Skip(DIFFERENT)
        results = []
        for id, revs in body.items():
            document, found = self.document(id), answer.get(id, {"missing": []})
            missing = document.missing(revs)
            if missing is None or set(missing) != set(found["missing"]):
                raise Skip(DIFFERENT)
            if missing:
                above = unordered(found.get("possible_ancestors", []))
                entry = {"id": id, "missing": unordered(found["missing"])}
                results.append({**entry, "possibleAncestors": above})
        clauses = ["DIFF-001", "DIFF-002", "DIFF-004", "DIFF-005"]
        self.add(ids, "revsDiff", {"ok": {"results": unordered(results)}}, clauses, revs=asked)

    def missing_revs(self, method, body, parameters, status, answer):
        answer = {id: {"missing": revs} for id, revs in answer["missing_revs"].items()}
        self.revs_diff(method, body, parameters, status, answer)
        for result in shown(self.items[-1].expect["ok"]["results"]):
            del result["possibleAncestors"]

    def read(self, id, parameters, status, answer):
        if id.startswith("_local/"):
            if "rev" in parameters or "open_revs" in parameters:
                raise Skip(FORM)
            if id in self.foreign:
                raise Skip(FOREIGN)
            expect = not_found("missing") if status == 404 else {"ok": {"body": body_of(answer)}}
            self.add({id}, "readLocal", expect, ["LOCAL-001"], id=id[len("_local/") :])
            return
        document = self.document(id)
        if status in (301, 500) or "atts_since" in parameters or "attachments" in parameters:
            raise Skip(HTTP)
        if "open_revs" in parameters:
            return self.open_revs(id, document, parameters, status, answer)
        if "rev" in parameters and parameters.get("latest") != "true":
            return self.read_revision(id, document, parameters, status, answer)
        if "latest" in parameters or "deleted" in parameters:
            raise Skip(DIFFERENT)
        if status == 404:
            reason = answer["reason"]
            clause = {"missing": "READ-001", "deleted": "READ-002"}[reason]
            self.add({id}, "read", not_found(reason), [clause], id=id)
            return
        leaves, rev = document.leaves(), answer["_rev"]
        conflicts = answer.get("_conflicts", [])
        dead = answer.get("_deleted_conflicts", [])
        if leaves is None or rev not in leaves or rev in conflicts:
            raise Skip(DIFFERENT)
        expect = {"ok": {"id": id, "rev": rev, "deleted": False, "body": body_of(answer)}}
        clauses = Script().winner_clauses(leaves, rev) + ["READ-003"]
        self.add({id}, "read", expect, clauses, id=id)
        live = {rev: False for rev in [rev] + conflicts}
        if "conflicts" in parameters or "meta" in parameters:
            every = live | {rev: True for rev in dead}
            whole = "deleted_conflicts" in parameters or "meta" in parameters
            if every == leaves:
                self.leaves(id, every, rev)
            elif whole or live != {rev: gone for rev, gone in leaves.items() if not gone}:
                raise Skip(DIFFERENT)
        if "_revisions" in answer:
            self.revisions(id, document, [answer], False)
        for entry in answer.get("_revs_info", []):
            if entry["status"] == "missing" and document.missing([entry["rev"]]) == []:
                if entry["rev"] in document.first.deleted and not self.compacted:
                    continue
                self.name_only(id, entry["rev"])

    def name_only(self, id, rev):
        gone = rev in self.documents[id].first.deleted
        clauses, needs = (["COMP-002"], ["compact"]) if gone else (["READ-006"], [])
        self.add({id}, "read", not_found("bodyMissing"), clauses, needs, id=id, rev=rev)

    def leaves(self, id, leaves, winner):
        script = Script()
        script.steps.clear()
        script.leaves(id, leaves, winner)
        for step in script.steps:
            self.add({id}, "leaves", step["expect"], ["WIN-005"], id=id)

    def read_revision(self, id, document, parameters, status, answer):
        rev = parameters["rev"]
        if status == 400:
            self.add({id}, "read", failed("badRevision"), ["REV-001"], id=id, rev=rev)
            return
        missing = document.missing([rev])
        if missing is None:
            raise Skip(DIFFERENT)
        if status == 404:
            if missing:
                self.add({id}, "read", not_found("missing"), ["READ-005"], id=id, rev=rev)
            elif document.is_leaf(rev) or rev in document.filled:
                raise Skip(DIFFERENT)
            else:
                self.name_only(id, rev)
            return
        if not document.is_leaf(rev):
            raise Skip(INNER)
        expect = {"rev": rev, "deleted": answer.get("_deleted", False), "body": body_of(answer)}
        self.add({id}, "read", {"ok": expect}, ["READ-004"], id=id, rev=rev)
        if "_revisions" in answer:
            self.revisions(id, document, [answer], False)

    def revisions(self, id, document, documents, bodies=True):
        """Adds `getRevisions` of the leaves in a response."""
        results = []
        for each in documents:
            path = document.path(each["_rev"])
            record = {}
            if "_revisions" in each and path is not None:
                if path != shared.revision_path(each):
                    raise Skip(DIFFERENT)
                record["path"] = path
            if each.get("_deleted"):
                record["deleted"] = True
            record["body"] = body_of(each)
            results.append({"id": id, "rev": each["_rev"], "records": [record]})
        asked = [{"id": id, "revs": [each["_rev"] for each in documents]}]
        expect = {"ok": {"results": results}}
        self.add({id}, "getRevisions", expect, ["REC-001", "REC-002"], docs=asked)

    def open_revs(self, id, document, parameters, status, answer):
        if parameters["open_revs"] == "all":
            if status == 404:
                self.add({id}, "leaves", not_found("missing"), ["READ-001"], id=id)
                return
            found = [each["ok"] for each in answer]
            flags = {each["_rev"]: each.get("_deleted", False) for each in found}
            if len(flags) < len(found) or flags != document.leaves():
                raise Skip(DIFFERENT)
            self.leaves(id, flags, None)
            return self.revisions(id, document, found)
        if status == 400 and parameters["open_revs"].startswith('["bad'):
            asked = [{"id": id, "revs": ["bad"]}]
            self.add({id}, "getRevisions", failed("badRevision"), ["REV-001"], docs=asked)
            return
        if status != 200 or not isinstance(answer, list):
            raise Skip(HTTP)
        revs = list(dict.fromkeys(json.loads(parameters["open_revs"])))
        self.asked(id, document, revs, "latest" in parameters, answer)

    def asked(self, id, document, revs, latest, answer):
        """Adds a query of certain revisions, with the found and the missing ones."""
        found = {each["ok"]["_rev"]: each["ok"] for each in answer if "ok" in each}
        if latest and len(revs) > 1:
            raise Skip(FORM)
        results = []
        for rev in revs:
            entry = {"id": id, "rev": rev}
            if latest and found or rev in found:
                documents = list(found.values()) if latest else [found[rev]]
                if any(not document.is_leaf(each["_rev"]) for each in documents):
                    raise Skip(INNER)
                records = []
                for each in documents:
                    record = {}
                    path = document.path(each["_rev"])
                    if "_revisions" in each and path is not None:
                        if path != shared.revision_path(each):
                            raise Skip(DIFFERENT)
                        record["path"] = path
                    if each.get("_deleted"):
                        record["deleted"] = True
                    records.append({**record, "body": body_of(each)})
                entry["records"] = unordered(records)
            elif document.missing([rev]):
                entry["missing"] = "missing"
            elif rev in document.filled or rev in document.first.deleted and not self.compacted:
                raise Skip(DIFFERENT)
            else:
                entry["missing"] = "bodyMissing"
            results.append(entry)
        question = {"id": id, "revs": revs} | ({"latest": True} if latest else {})
        clauses = ["REC-002", "REC-004" if latest else "REC-003"]
        needs = ["compact"] if self.compacted else []
        expect = {"ok": {"results": results}}
        self.add({id}, "getRevisions", expect, clauses, needs, docs=[question])

    def bulk_get(self, method, body, parameters, status, answer):
        if status != 200:
            raise Skip(HTTP)
        for wanted, result in zip(body["docs"], answer["results"], strict=True):
            if not isinstance(wanted, dict) or not {"id", "rev"} <= set(wanted):
                continue
            if wanted["rev"] == "bad":
                continue
            latest, document = "latest" in parameters, self.document(wanted["id"])
            self.asked(wanted["id"], document, [wanted["rev"]], latest, result["docs"])

    # Vectors

    def vectors(self):
        ids = []
        for item in self.items:
            for id in item.ids or ():
                if id not in ids:
                    ids.append(id)
        kept = []
        if any(item.ids is None and not item.mutates for item in self.items):
            kept = [
                item
                for item in self.items
                if item.ids is None or item.mutates and not item.ids & self.nameless
            ]
            yield self.vector("store", kept, "feed, list and counts")
        names = Counter()
        for id in ids:
            about = [item for item in self.items if item.ids is None or id in item.ids]
            about = [item for item in about if item.mutates or item.ids is not None]
            plain = [item for item in about if not item.last]
            if any(item.expect and item not in kept for item in plain):
                number = next(item.number for item in about if item.ids is not None)
                names[number] += 1
                name = f"document-{number}" + (f"-{names[number]}" if names[number] > 1 else "")
                called = json.dumps(id, ensure_ascii=False)[:60]
                yield self.vector(name, plain, f"document {called}")
            for item in about:
                if item.last:
                    before = [each for each in about[: about.index(item)] if each.mutates]
                    yield self.vector(f"refusal-{item.number}", before + [item], "a refusal")

    def vector(self, name, items, what):
        script = Script()
        for item in items:
            for capability in item.capabilities:
                script.need(capability)
            script.add(item.op, item.expect, item.clauses, **item.arguments)
        used = [item.number for item in items]
        source = f"transcript {self.name}, exchanges {shared.ranges(list(dict.fromkeys(used)))}"
        note = f"Scripted exchanges, scenario {self.name}: {what}."
        return script.vector(f"{FAMILY}-{self.name}-{name}", note, shared.COUCHDB, source)


class Names(Scenario):
    """The scenario about names of databases."""

    def perform(self, exchange):
        method, status = exchange["method"], exchange["status"]
        target, _, query = exchange["path"].partition("?")
        name = unquote(target[1:].replace("+", " "))
        if query or name.endswith("/") or "/_shards" in target or len(name) > 200:
            raise Skip(HTTP)
        if method == "PUT" and status in (201, 400):
            expect = failed("badName") if status == 400 else None
            self.add({name}, "open", expect, ["NAME-001"]).mutates = True
        elif method == "GET" and status == 200:
            expect = {"ok": {"documents": 0, "deletedDocuments": 0}}
            self.add({name}, "info", expect, ["STORE-007"])
        elif method == "DELETE" and status == 200:
            self.add({name}, "destroy", None, ["STORE-004"]).mutates = True
        elif method == "POST" and status == 404:
            body = exchange["req_body"]
            self.add({name}, "create", failed("noSuchStore"), ["STORE-001"], body=body)
        else:
            raise Skip(HTTP)

    def vectors(self):
        script = Script()
        script.steps.clear()
        for item in self.items:
            script.add(item.op, item.expect, item.clauses, **item.arguments)
            script.steps[-1]["do"]["store"] = next(iter(item.ids))
        note = "Which names of databases the server takes, and what it says of one that is gone."
        numbers = shared.ranges([item.number for item in self.items])
        source = f"transcript {self.name}, exchanges {numbers}"
        vector = script.vector(f"{FAMILY}-{self.name}", note, shared.COUCHDB, source)
        steps = vector.pop("steps")
        yield {**vector, "profile": "core", "opened": False, "steps": steps}


PLAIN = ("_id", "_rev", "_deleted")
MALFORMED = object()


def request_body(exchange):
    body = exchange.get("req_body")
    if isinstance(body, str):
        try:
            body = json.loads(body, object_pairs_hook=once, parse_constant=once)
        except ValueError:
            return MALFORMED
        if isinstance(body, float) and body in (float("inf"), float("-inf")):
            return MALFORMED
    if isinstance(body, dict) and set(body) == {"base64"}:
        return MALFORMED
    return body


def once(pairs):
    if isinstance(pairs, str) or len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a member is named twice")
    return dict(pairs)


def folded(rev):
    return rev.lower() if len(shared.suffix(rev)) == 32 else rev


def shown(elements):
    return elements["$unordered"] if isinstance(elements, dict) else elements


def convert(path):
    conversion = Conversion("Apache CouchDB 3.4.3: scripted exchanges", "exchanges")
    scenarios = {}
    for exchange in shared.lines(path):
        conversion.recorded += 1
        scenarios.setdefault(exchange["s"], []).append(exchange)
    for name, exchanges in scenarios.items():
        kind = Names if name == "dbnames" else Scenario
        scenario = kind(name, exchanges, conversion)
        conversion.vectors += list(scenario.vectors())
        conversion.kept += len({item.number for item in scenario.items})
    return conversion


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
