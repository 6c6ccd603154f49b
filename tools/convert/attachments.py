#!/usr/bin/env python3
"""Converts recorded HTTP exchanges with Apache CouchDB about attachments to vectors.

    python3 tools/convert/attachments.py couchdb-transcript.jsonl [Vectors/observed]

Each line of the input is a request and its response; only the scenario `attachments` is used. Exchanges with
a counterpart in the contract become one vector for each document. An exchange for which the contract accepts
several outcomes becomes the last step of a separate vector.
"""

import base64
import json
import sys
from urllib.parse import parse_qs, unquote

import shared
from shared import Conversion, Script, body_of, failed, not_found

SOURCE = "couchdb-transcript.jsonl"
PLACE = "couchdb/attachments"
FAMILY = "couchdb-attachments"
ABOUT = (
    "Scripted exchanges with Apache CouchDB 3.4.3 about attachments, as far as they map to the "
    "contract: with the revision ids that the server computed, which follow from what it stores, and "
    "that is gzip for texts. Its digests, which are MD5, are not compared. An attachment that is put "
    "or deleted by itself is an update that keeps the others by stubs."
)
SCENARIO = "attachments"
HTTP = "belongs to HTTP: methods, headers, ranges, multipart, copies"
FORM = "a form of request or response without a counterpart"
DIFFERENT = "answered differently from the contract"
OTHER_ID = "the server makes an id that depends on more than the term"
SAME = "duplicates the exchange before it"


class Skip(Exception):
    """An exchange that does not become a step, with the reason."""


def base64_of(body):
    """Returns the bytes of a recorded body, as base64."""
    if isinstance(body, dict) and set(body) == {"base64"}:
        return body["base64"]
    return base64.b64encode(body.encode()).decode()


class Document:
    """The steps of one document, and the attachments of its leaf."""

    def __init__(self, id):
        self.id = id
        self.steps = []  # number, operation, expectation, clauses, whether it changes anything
        self.rev = None
        self.names = []
        self.deleted = False

    def add(self, number, op, expect, clauses, mutates=False, **arguments):
        self.steps.append((number, op, expect, clauses, mutates, arguments))


class Scenario:
    def __init__(self, exchanges, conversion):
        self.documents = {}
        self.conversion = conversion
        self.kept = set()
        for exchange in exchanges:
            self.number = exchange["n"]
            try:
                self.perform(exchange)
                self.kept.add(self.number)
            except Skip as skip:
                conversion.leave_out(str(skip), self.number)

    def perform(self, exchange):
        target, _, query = exchange["path"].partition("?")
        segments = [unquote(segment) for segment in target.split("/")[2:]]
        parameters = {name: values[-1] for name, values in parse_qs(query, True).items()}
        headers = set(exchange.get("req_headers", {})) - {"Content-Type"}
        method, encoding = exchange["method"], exchange.get("req_headers", {}).get("Content-Encoding")
        if method in ("HEAD", "COPY") or headers & {"Range", "Accept", "Accept-Encoding"}:
            raise Skip(HTTP)
        if "multipart" in exchange.get("req_headers", {}).get("Content-Type", ""):
            raise Skip(HTTP)
        if segments == ["_bulk_docs"]:
            return self.records(exchange)
        document = self.documents.setdefault(segments[0], Document(segments[0]))
        if len(segments) > 1:
            name = "/".join(segments[1:])
            if method == "GET":
                return self.content(document, name, exchange)
            return self.standalone(document, name, exchange, parameters, encoding)
        if method == "PUT":
            return self.write(document, exchange)
        if method == "DELETE":
            document.add(
                self.number, "delete", {"ok": {"rev": exchange["body"]["rev"]}}, ["ATT-025", "REV-020"],
                True, id=document.id, rev=parameters["rev"],
            )
            document.rev, document.names, document.deleted = exchange["body"]["rev"], [], True
            return None
        return self.read(document, exchange, parameters)

    # Edits

    def edit(self, document, attachments, body, rev, exchange, clauses=("ATT-002",)):
        """Adds a create, or an update of a revision, with the outcome of the server."""
        status, answer = exchange["status"], exchange["body"]
        arguments = {"id": document.id} | ({"rev": rev} if rev else {})
        arguments |= {"body": body, "attachments": attachments}
        mutates = status < 300
        if mutates:
            expect, clauses = {"ok": {"rev": answer["rev"]}}, [*clauses, "ATT-050", "REV-020"]
        elif answer["error"] == "missing_stub":
            expect, clauses = failed("missingStub"), ["ATT-008"]
        elif answer["error"] == "conflict":
            expect, clauses = failed("conflict"), ["EDIT-008" if rev else "EDIT-003"]
        elif answer.get("reason") == "missing_rev":
            expect, clauses = failed("conflict"), ["EDIT-008"]
        else:
            expect, clauses = failed("badAttachment"), ["ATT-009"]
        if "" in attachments:
            expect, clauses = {"oneOf": [expect, failed("badAttachment")]}, ["ATT-018"]
        elif not mutates and any(each.get("revpos") for each in attachments.values()):
            expect, clauses = {"oneOf": [expect, {"ok": {}}]}, ["ATT-017"]
        op = "update" if rev else "create"
        document.add(self.number, op, expect, clauses, mutates, **arguments)
        if mutates:
            document.rev, document.names = answer["rev"], list(attachments)

    def write(self, document, exchange):
        body = exchange["req_body"]
        attachments = body.get("_attachments")
        if not isinstance(attachments, dict):
            raise Skip(FORM)
        brought = {}
        for name, each in attachments.items():
            if not isinstance(each, dict) or not {"stub", "data"} & each.keys():
                raise Skip(FORM)
            if {"data", "digest"} <= each.keys():
                raise Skip(DIFFERENT)
            brought[name] = self.brought(each)
        rev = body.get("_rev")
        stubs = any("stub" in each for each in brought.values())
        clauses = ["ATT-002", "ATT-003"] if stubs else ["ATT-002"]
        self.edit(document, brought, body_of(body), rev, exchange, clauses)

    def brought(self, each):
        """Returns an attachment for an operation, without the digest of the server."""
        kept = {"type": each["content_type"]} if "content_type" in each else {}
        if "revpos" in each:
            kept["revpos"] = each["revpos"]
        return kept | ({"stub": True} if "stub" in each else {"data": each["data"]})

    def standalone(self, document, name, exchange, parameters, encoding):
        rev, status = parameters.get("rev"), exchange["status"]
        if "Content-MD5" in exchange.get("req_headers", {}) and exchange.get("note"):
            raise Skip(DIFFERENT)
        attachments = {each: {"stub": True} for each in document.names if each != name}
        if exchange["method"] == "DELETE":
            if status >= 400:
                raise Skip(FORM)
        elif document.deleted:
            raise Skip(OTHER_ID)
        else:
            type = exchange.get("req_headers", {}).get("Content-Type", "application/octet-stream")
            brought = {"type": type, "data": base64_of(exchange["req_body"])}
            brought |= {"encoding": encoding} if encoding else {}
            # The server sorts it before the others.
            attachments = {name: brought, **attachments}
        self.edit(document, attachments, {}, rev, exchange)

    def records(self, exchange):
        (each,) = exchange["req_body"]["docs"]
        document = self.documents.setdefault(each["_id"], Document(each["_id"]))
        attachments = {name: self.brought(value) for name, value in each["_attachments"].items()}
        path = shared.revision_path(each)
        if any(not 1 <= value.get("revpos", 0) <= len(path) for value in attachments.values()):
            raise Skip(DIFFERENT)
        record = {"id": each["_id"], "path": path, "body": body_of(each), "attachments": attachments}
        failure = exchange["status"] == 412
        stubs = any("stub" in value for value in attachments.values())
        clauses = ["ATT-008", "ATT-022"] if failure else ["ATT-021"] if stubs else ["ATT-020"]
        result = {"error": {"kind": "missingStub"}} if failure else {"ok": {}}
        document.add(
            self.number, "insertRevisions", {"ok": {"results": [result]}}, clauses, not failure,
            records=[record],
        )
        if not failure:
            document.rev = path[0]

    # Reads

    def content(self, document, name, exchange):
        if exchange["status"] == 404:
            clauses, expect = ["ATT-034"], not_found("missing")
        elif any("encoding" in each for step in document.steps for each in brought_by(step)):
            raise Skip(DIFFERENT)  # the server decodes content that a client encoded
        else:
            clauses, expect = ["ATT-001"], {"ok": {"bytes": base64_of(exchange["body"])}}
        document.add(self.number, "readAttachment", expect, clauses, id=document.id, name=name)

    def read(self, document, exchange, parameters):
        answer = exchange["body"]
        if "atts_since" in parameters:
            return self.fetched(document, answer, json.loads(parameters["atts_since"]))
        if exchange["status"] != 200 or answer["_rev"] != document.rev:
            raise Skip(FORM)
        shown = {name: self.shown(each) for name, each in answer.get("_attachments", {}).items()}
        clauses = ["ATT-002", "ATT-004", "ATT-007"]
        if any("encoding" in brought for step in document.steps for brought in brought_by(step)):
            clauses.append("ATT-012")
        elif "att_encoding_info" in parameters:
            raise Skip(DIFFERENT)  # it shows how the server stores unencoded content
        if "attachments" in parameters:
            for name, each in answer["_attachments"].items():
                document.add(
                    self.number, "readAttachment", {"ok": {"bytes": each["data"]}}, ["ATT-001"],
                    id=document.id, name=name,
                )
            return
        ok = {"rev": answer["_rev"], "body": body_of(answer), "attachments": shown}
        document.add(self.number, "read", {"ok": ok}, clauses, id=document.id)

    def shown(self, each):
        """Returns an attachment in a result."""
        kept = {"type": each["content_type"], "revpos": each["revpos"]}
        if "encoding" in each:
            kept |= {"encoding": each["encoding"], "encodedLength": each["encoded_length"]}
        elif "length" in each:
            kept["length"] = each["length"]
        return kept | ({"stub": True} if "stub" in each else {"data": each["data"]})

    def fetched(self, document, answer, since):
        answer = answer[0]["ok"] if isinstance(answer, list) else answer
        shown = {name: self.shown(each) for name, each in answer["_attachments"].items()}
        record = {"body": body_of(answer), "attachments": shown}
        results = [{"id": document.id, "rev": answer["_rev"], "records": [record]}]
        question = {"id": document.id, "revs": [answer["_rev"]], "attachmentsSince": since}
        steps = [step[5] for step in document.steps]
        if {"docs": [question]} in steps:
            raise Skip(SAME)
        document.add(
            self.number, "getRevisions", {"ok": {"results": results}}, ["ATT-026", "ATT-027"],
            docs=[question],
        )

    # Vectors

    def vectors(self):
        for document in self.documents.values():
            plain = [step for step in document.steps if "oneOf" not in (step[2] or {})]
            if plain:
                yield self.vector(f"document-{plain[0][0]}", plain, f"document {document.id}")
            for step in document.steps:
                if "oneOf" in (step[2] or {}):
                    before = [each for each in plain if each[4] and each[0] < step[0]]
                    yield self.vector(f"choice-{step[0]}", [*before, step], "more than one answer")

    def vector(self, name, steps, what):
        script = Script()
        script.need("attachment")
        if any("encoding" in brought for step in steps for brought in brought_by(step)):
            script.need("attachmentEncoding")
        for _, op, expect, clauses, _, arguments in steps:
            script.add(op, expect, clauses, **arguments)
        numbers = list(dict.fromkeys(step[0] for step in steps))
        source = f"transcript {SCENARIO}, exchanges {shared.ranges(numbers)}"
        note = f"Scripted exchanges, scenario {SCENARIO}: {what}."
        return script.vector(f"{FAMILY}-{name}", note, shared.COUCHDB, source)


def brought_by(step):
    """Returns the attachments in a step."""
    return step[5].get("attachments", {}).values()


def convert(path):
    conversion = Conversion("Apache CouchDB 3.4.3: attachments", "exchanges")
    exchanges = [each for each in shared.lines(path) if each["s"] == SCENARIO]
    conversion.recorded = len(exchanges)
    scenario = Scenario(exchanges, conversion)
    conversion.vectors = list(scenario.vectors())
    conversion.kept = len(scenario.kept)
    return conversion


if __name__ == "__main__":
    shared.run(sys.modules[__name__])
