"""The capability `find`. Written from `Vectors/README.md`, "Selectors".

Each query reads all documents. Indexes are stored, but no query uses them. A database is any object with
`documents`, `ordered_leaves` and `indexes` like `little_store.Database`.
"""

from __future__ import annotations

from typing import Any

from find_geography import nearest, required_place
from find_selectors import MISSING, Path, Selects, read_path, read_selector, sort_rank, value_at
from revision_ids import Object, Refusal


def bad_request(path: str) -> Refusal:
    """Returns the error of an invalid argument."""
    return Refusal("badRequest", path=path)


def read_paths(texts: Any, argument: str) -> list[Path]:
    """Returns a list of paths."""
    if not isinstance(texts, list) or not texts:
        raise bad_request(argument)
    paths = []
    for place, text in enumerate(texts):
        path = read_path(text)
        if path is None:
            raise bad_request(f"{argument}[{place}]")
        paths.append(path)
    return paths


def read_sort(keys: Any) -> list[tuple[Path, bool]]:
    """Returns the paths of a sort, each with whether it is descending."""
    if not isinstance(keys, list):
        raise bad_request("sort")
    read = []
    for place, key in enumerate(keys):
        said = list(key.items()) if isinstance(key, dict) else []
        path = read_path(said[0][0]) if len(said) == 1 else None
        if path is None or said[0][1] not in ("asc", "desc"):
            raise bad_request(f"sort[{place}]")
        read.append((path, said[0][1] == "desc"))
    return read


class Question:
    """The arguments of `find` and `explain`."""

    def __init__(self, operation: Object) -> None:
        if not isinstance(operation.get("selector"), dict):
            raise bad_request("selector")
        self.selects: Selects = read_selector(operation["selector"])
        self.sort = read_sort(operation.get("sort", []))
        self.near = required_place(operation["selector"]) if not self.sort else None
        self.fields = read_paths(operation["fields"], "fields") if "fields" in operation else None
        for name in ("skip", "limit"):
            value = operation.get(name, 0)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise bad_request(name)
        self.skip, self.limit = operation.get("skip", 0), operation.get("limit")


def find(database: Any, operation: Object) -> Object:
    """Returns the documents whose live winner is selected, in order."""
    question = Question(operation)
    found = []
    for identifier in sorted(database.documents, key=str.encode):
        document = database.documents[identifier]
        rev = database.ordered_leaves(document)[0]
        winner = document.revisions[rev]
        if not winner.deleted:
            shown = {**winner.body, "_id": identifier, "_rev": rev}
            if question.selects(shown):
                found.append(shown)
    if question.near is not None:
        path, place = read_path(question.near[0]) or (), question.near[1]
        found.sort(key=lambda shown: nearest(place, value_at(shown, path)) or 0.0)
    # The last key first: sorting is stable, so documents with equal keys keep the order of later keys.
    for path, is_down in reversed(question.sort):
        found.sort(key=lambda shown: sort_rank(value_at(shown, path)), reverse=is_down)
    end = None if question.limit is None else question.skip + question.limit
    return {"docs": [row(shown, question.fields) for shown in found[question.skip : end]]}


def row(shown: Object, fields: list[Path] | None) -> Object:
    """Returns the result for a document."""
    body = dict(shown)
    identifier, rev = body.pop("_id"), body.pop("_rev")
    return {"id": identifier, "rev": rev, "body": body if fields is None else cut(body, fields)}


def cut(body: Object, fields: list[Path]) -> Object:
    """Returns the parts of a body at some paths, with the objects on these paths."""
    kept: Object = {}
    # A shorter path already includes the longer ones.
    for path in sorted(fields, key=len):
        value = value_at(body, path)
        if value is MISSING or value_at(kept, path) is not MISSING:
            continue
        inside = kept
        for name in path[:-1]:
            inside = inside.setdefault(name, {})
        inside[path[-1]] = value
    return kept


def explain(database: Any, operation: Object) -> Object:
    """Checks the arguments of `find`, and returns that no index is used."""
    Question(operation)
    return {"index": None, "plan": "all documents, one after the other"}


def create_index(database: Any, operation: Object) -> Object:
    """Stores an index."""
    name, fields = operation["name"], operation["fields"]
    if name == "":
        raise bad_request("name")
    paths = read_paths(fields, "fields")
    if len(set(paths)) < len(paths):
        raise bad_request("fields")
    index = {"name": name, "type": operation.get("type", "json"), "fields": fields}
    known = database.indexes.setdefault(name, index)
    if known != index:
        raise bad_request("name")
    return {"created": known is index}


def drop_index(database: Any, operation: Object) -> Object:
    """Removes an index."""
    if operation["name"] not in database.indexes:
        raise Refusal("notFound", reason="missing")
    del database.indexes[operation["name"]]
    return {}


def list_indexes(database: Any, operation: Object) -> Object:
    """Returns the indexes by the bytes of their names."""
    return {"indexes": [database.indexes[name] for name in sorted(database.indexes, key=str.encode)]}


FINDING = {
    "find": find,
    "explain": explain,
    "createIndex": create_index,
    "dropIndex": drop_index,
    "listIndexes": list_indexes,
}
