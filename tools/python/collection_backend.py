"""The backend of collections: entities as documents of a store, and requests for them.

Written from `Vectors/README.md`, "Collections". A database is any object with `documents`, `ordered_leaves`, `create`,
`update` and `delete` like `little_store.Database`.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Iterator

from collection_filters import selected
from find_patterns import NoPattern, Pattern
from find_selectors import MISSING, kind_of, read_path, same_value, value_at
from object_values import is_whole
from revision_ids import Object, Refusal

OK, CREATED, INVALID, NOT_FOUND = 200, 201, 400, 404
KINDS = ("string", "number", "integer", "boolean", "array", "object")
FUNCTIONS = ("COUNT", "SUM", "MIN", "MAX", "AVERAGE")


@dataclass
class Request:
    """A request of a client."""

    method: str
    collection: str
    path: str | None
    parameters: Object
    body: Any
    is_of_drain: bool = False

    def json(self) -> Object:
        """Returns the request in the form of results."""
        told: Object = {"method": self.method, "collection": self.collection}
        for name in ("path", "parameters", "body"):
            value = getattr(self, name)
            told |= {} if value is None or name == "parameters" and not value else {name: value}
        return told


@dataclass
class Answer:
    """The response to a request: entities with their versions, or an error with its name and the field of a rule."""

    status: int
    content: Any = None
    name: str | None = None
    field: str | None = None


class Backend:
    """The collections of one store."""

    def __init__(self, database: Any, rules: dict[str, list[Object]]) -> None:
        self.database = database
        self.rules = rules

    # Documents

    def stored(self, collection: str, identifier: str) -> tuple[str, Object] | None:
        """Returns the revision and the entity of a document."""
        name = f"{collection}/{identifier}"
        document = self.database.documents.get(name)
        if document is None:
            return None
        rev = self.database.ordered_leaves(document)[0]
        revision = document.revisions[rev]
        if revision.deleted or revision.body.get("collection") != collection:
            return None
        entity = revision.body.get("entity")
        return (rev, entity) if isinstance(entity, dict) else None

    def entities(self, collection: str) -> Iterator[Object]:
        """Yields the entities of a collection in the order of their ids."""
        prefix = f"{collection}/"
        for name in sorted(self.database.documents, key=str.encode):
            found = self.stored(collection, name[len(prefix) :]) if name.startswith(prefix) else None
            if found is not None:
                yield found[1]

    def version(self, collection: str, identifier: str) -> str | None:
        """Returns the version of an entity."""
        found = self.stored(collection, identifier)
        return None if found is None else found[0]

    # Requests

    def perform(self, request: Request) -> Answer:
        """Performs a request."""
        method, collection, path, body = request.method, request.collection, request.path, request.body
        parameters = request.parameters
        try:
            if method == "GET":
                return self.get(collection, path, parameters)
            if method == "DELETE":
                return self.delete(collection, path, parameters)
            if path == "_group":
                said = {"query": body.get("condition", {})}
                return Answer(OK, groups(selected(list(self.entities(collection)), said), body))
            return self.save(collection, path, body)
        except Refusal as refusal:
            return Answer(INVALID, name=refusal.error["kind"])

    def get(self, collection: str, path: str | None, parameters: Object) -> Answer:
        """Returns entities, their versions or their number."""
        if path is not None and path not in ("_count", "_versions"):
            found = self.stored(collection, path)
            return Answer(OK, [found[1]]) if found is not None else Answer(NOT_FOUND, name="EntityNotFound")
        entities = selected(list(self.entities(collection)), parameters)
        if path == "_versions":
            ids = [entity["_id"] for entity in entities]
            return Answer(OK, [{"_id": each, "version": self.version(collection, each)} for each in ids])
        return Answer(OK, len(entities) if path == "_count" else entities)

    def save(self, collection: str, identifier: str | None, body: Object) -> Answer:
        """Replaces an entity, or creates one with a new id."""
        broken = next((rule["field"] for rule in self.rules.get(collection, []) if not keeps(body, rule)), None)
        if broken is not None:
            return Answer(INVALID, name="ValidationError", field=broken)
        is_new = identifier is None
        identifier = uuid.uuid4().hex[:24] if identifier is None else identifier
        entity = body | {"_id": identifier}
        name, found = f"{collection}/{identifier}", self.stored(collection, identifier)
        written = {"id": name, "body": {"collection": collection, "entity": entity}}
        if found is None:
            self.database.create(written)
        else:
            self.database.update(written | {"rev": found[0]})
        return Answer(CREATED if is_new else OK, [entity])

    def delete(self, collection: str, identifier: str | None, parameters: Object) -> Answer:
        """Removes one entity, or those that a query selects."""
        if identifier is not None:
            found = [identifier] if self.stored(collection, identifier) is not None else []
            if not found:
                return Answer(NOT_FOUND, name="EntityNotFound")
        else:
            found = [each["_id"] for each in selected(list(self.entities(collection)), parameters)]
        for each in found:
            self.database.delete({"id": f"{collection}/{each}", "rev": self.version(collection, each)})
        return Answer(OK, len(found))


# Rules


def check_rules(rules: list[Object]) -> None:
    """Refuses invalid rules."""
    for place, rule in enumerate(rules):
        try:
            Pattern(rule.get("pattern", ""))
        except NoPattern:
            raise Refusal("badRequest", path=f"rules[{place}].pattern") from None
        if rule.get("type", KINDS[0]) not in KINDS:
            raise Refusal("badRequest", path=f"rules[{place}].type")


def keeps(entity: Object, rule: Object) -> bool:
    """Returns whether an entity keeps a rule."""
    value = value_at(entity, read_path(rule["field"]) or ())
    if value is MISSING or value is None:
        return not rule.get("required", False)
    kind, wanted = kind_of(value), rule.get("type", "")
    if wanted == "integer" and not is_whole(value) or wanted not in ("", "integer", kind):
        return False
    if kind == "number" and not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        return False
    return kind != "string" or "pattern" not in rule or Pattern(rule["pattern"]).is_found(value, whole=True)


# Groups


def groups(entities: list[Object], said: Object) -> list[Object]:
    """Returns the result of a function for each group of entities with equal values of some fields."""
    found: list[tuple[Object, list[Object]]] = []
    for entity in entities:
        key = {}
        for name in said["key"]:
            value = value_at(entity, read_path(name) or ())
            key[name] = None if value is MISSING else value
        members = next((each for known, each in found if same_value(known, key)), None)
        if members is None:
            found.append((key, [entity]))
        else:
            members.append(entity)
    return [key | {"result": total(members, said)} for key, members in found]


def total(entities: list[Object], said: Object) -> Any:
    """Returns the result of a function over the numbers of a field."""
    if said["function"] == "COUNT":
        return len(entities)
    values = [value_at(entity, read_path(said["field"]) or ()) for entity in entities]
    numbers = [value for value in values if value is not MISSING and kind_of(value) == "number"]
    if said["function"] == "SUM":
        return sum(numbers)
    if not numbers:
        return None
    if said["function"] == "AVERAGE":
        return sum(numbers) / len(numbers)
    return min(numbers) if said["function"] == "MIN" else max(numbers)
