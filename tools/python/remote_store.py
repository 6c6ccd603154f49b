"""A remote store with the CouchDB protocol, for the replicator of this folder.

`RemoteStore.perform` performs the operations of a session and returns outcomes like the little store; each
operation is one request. `exchange` sends a request and returns the response, or None if it is lost.
"""

from __future__ import annotations

import json
from typing import Any, Callable
from urllib.parse import quote

from revision_ids import generation_of

Object = dict[str, Any]
# Members of an attachment in a record, and their names in documents.
MEMBERS = {"type": "content_type", "digest": "digest", "length": "length", "revpos": "revpos"}


class RemoteStore:
    """One remote database."""

    def __init__(self, path: str, exchange: Callable[[Object], Object | None]) -> None:
        self.path = path
        self.exchange = exchange

    def perform(self, operation: Object) -> Object:
        """Performs an operation. An invalid or lost response is an error of the kind `storage`."""
        response = self.exchange(self.request(operation))
        if response is None:
            return failure("no response")
        if response["status"] == 404 and operation["op"] == "readLocal":
            return {"error": {"kind": "notFound", "reason": "missing"}}
        if not 200 <= response["status"] < 300:
            return failure(f"status {response['status']}")
        try:
            return {"ok": getattr(self, "read_" + operation["op"])(operation, response["body"])}
        except (KeyError, TypeError, ValueError) as error:
            return failure(f"invalid response: {error!r}")

    # Requests

    def request(self, operation: Object) -> Object:
        """Returns the request of an operation."""
        name = operation["op"]
        if name == "info":
            return {"method": "GET", "path": self.path}
        if name in ("readLocal", "writeLocal"):
            path = f"{self.path}/_local/{quote(operation['id'], safe='')}"
            if name == "readLocal":
                return {"method": "GET", "path": path}
            return {"method": "PUT", "path": path, "body": operation["body"]}
        if name == "changes":
            query = f"style=all_docs&limit={operation['limit']}"
            if "since" in operation:
                since = operation["since"]
                query += f"&since={quote(parameter(since), safe='')}"
            return {"method": "GET", "path": self.path + "/_changes", "query": query}
        path, query, body = getattr(self, "send_" + name)(operation)
        request = {"method": "POST", "path": self.path + path, "body": body}
        return request | ({"query": query} if query else {})

    def send_revsDiff(self, operation: Object) -> tuple[str, str, Object]:
        return "/_revs_diff", "", {each["id"]: each["revs"] for each in operation["revs"]}

    def send_getRevisions(self, operation: Object) -> tuple[str, str, Object]:
        query = "revs=true&latest=true"
        docs = []
        for each in operation["docs"]:
            since = each.get("attachmentsSince")
            if since is not None:
                query = "revs=true&latest=true&attachments=true"
            said = {"atts_since": since} if since else {}
            docs += [{"id": each["id"], "rev": rev, **said} for rev in each["revs"]]
        return "/_bulk_get", query, {"docs": docs}

    def send_insertRevisions(self, operation: Object) -> tuple[str, str, Object]:
        docs = [document(record) for record in operation["records"]]
        return "/_bulk_docs", "", {"new_edits": False, "docs": docs}

    # Responses

    def read_info(self, operation: Object, body: Object) -> Object:
        return {"incarnation": body["instance_start_time"]}

    def read_readLocal(self, operation: Object, body: Object) -> Object:
        return {"body": {name: body[name] for name in body if name not in ("_id", "_rev")}}

    def read_writeLocal(self, operation: Object, body: Object) -> Object:
        return {}

    def read_changes(self, operation: Object, body: Object) -> Object:
        rows = [
            {"id": row["id"], "leaves": [dict(leaf) for leaf in row["changes"]]}
            for row in body["results"]
        ]
        return {"rows": rows, "last": body["last_seq"], "more": body["pending"] > 0}

    def read_revsDiff(self, operation: Object, body: Object) -> Object:
        return {
            "results": [
                {
                    "id": id,
                    "missing": said["missing"],
                    "possibleAncestors": said.get("possible_ancestors", []),
                }
                for id, said in body.items()
            ]
        }

    def read_getRevisions(self, operation: Object, body: Object) -> Object:
        asked = [(each["id"], rev) for each in operation["docs"] for rev in each["revs"]]
        if len(body["results"]) != len(asked):
            raise ValueError("expected one result for each revision")
        results = []
        for (id, rev), result in zip(asked, body["results"]):
            answer: Object = {"id": id, "rev": rev}
            errors = [doc["error"] for doc in result["docs"] if "error" in doc]
            if errors:
                lacks_body = errors[0].get("reason") == "body missing"
                answer["missing"] = "bodyMissing" if lacks_body else "missing"
            else:
                answer["records"] = [record(doc["ok"]) for doc in result["docs"]]
            results.append(answer)
        return {"results": results}

    def read_insertRevisions(self, operation: Object, body: list[Object]) -> Object:
        failed = {(each["id"], each.get("rev")): each for each in body}
        results = []
        for each in operation["records"]:
            error = failed.get((each["id"], each["path"][0]))
            kind = "forbidden" if error and error["error"] in ("forbidden", "unauthorized") else "storage"
            results.append({"error": {"kind": kind}} if error else {"ok": {}})
        return {"results": results}


def parameter(sequence: Any) -> str:
    """Returns a sequence as a parameter: a text is sent as it is, unless it looks like JSON."""
    if isinstance(sequence, str) and sequence:
        try:
            json.loads(sequence)
        except ValueError:
            return sequence
    return json.dumps(sequence)


def failure(reason: str) -> Object:
    """Returns an error that ends a session."""
    return {"error": {"kind": "storage", "reason": reason}}


def document(record: Object) -> Object:
    """Returns a record as a document of the protocol."""
    path = record["path"]
    revisions = {"start": generation_of(path[0]), "ids": [rev.split("-", 1)[1] for rev in path]}
    own: Object = {"_id": record["id"], "_rev": path[0], "_revisions": revisions}
    if record.get("deleted"):
        own["_deleted"] = True
    if record.get("attachments"):
        own["_attachments"] = {
            name: renamed(each, MEMBERS) for name, each in record["attachments"].items()
        }
    return own | record["body"]


def renamed(attachment: Object, names: Object) -> Object:
    """Returns an attachment with its members renamed; the content is `data` or a stub."""
    own = {names[name]: attachment[name] for name in names if name in attachment}
    return own | ({"data": attachment["data"]} if "data" in attachment else {"stub": True})


def record(document: Object) -> Object:
    """Returns a document of the protocol as a record."""
    revisions = document["_revisions"]
    start = revisions["start"]
    path = [f"{start - place}-{suffix}" for place, suffix in enumerate(revisions["ids"])]
    own = {
        "id": document["_id"],
        "path": path,
        "body": {name: document[name] for name in document if not name.startswith("_")},
    }
    if document.get("_deleted"):
        own["deleted"] = True
    if document.get("_attachments"):
        own["attachments"] = {
            name: renamed(said, {MEMBERS[key]: key for key in MEMBERS})
            for name, said in document["_attachments"].items()
        }
    return own
