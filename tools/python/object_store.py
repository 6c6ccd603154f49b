"""Object stores: a database of documents, one of which describes the model.

Written from `Vectors/README.md`, "Objects". A database is any object with `look_up`, `create`, `update`,
`delete`, `batch`, `list_documents` and `contents` like `little_store.Database`.
"""

from __future__ import annotations

import re
import uuid
from typing import Any, Iterator
from urllib.parse import quote, unquote_to_bytes

from object_fetching import entity_of, fetch, matching
from object_mapping import (
    IDENTIFIER,
    LARGEST_VERSION,
    NAME,
    VERSION,
    ManagedObject,
    Mapping,
    bad,
    meta_name,
    read_object,
)
from object_model import Entity, Model
from object_values import TYPES, to_base64
from revision_ids import Object, Refusal

METADATA = "CDTISMetaData"
TYPE_NAMES = {*TYPES, "relation-to-one", "relation-to-many"}
STORE_IDENTIFIER, VERSION_HASHES = "NSStoreUUID", "NSStoreModelVersionHashes"


class ObjectStore:
    """The objects of a model in a database. Each call has the database, because it may be an attempt."""

    def __init__(self, database: Any, model: Model, migrates: bool, form: str) -> None:
        self.model, self.mapping = model, Mapping(model, form)
        self.identifier = ""
        self.settle(database, migrates)

    # The metadata

    def settle(self, database: Any, migrates: bool) -> None:
        """Finds or creates the metadata document."""
        found = find(database, METADATA)
        described = {"objectModel": self.model.described()}
        fresh = f"CDTIS-NSStore-{str(uuid.uuid4()).upper()}"
        if found is None:
            self.identifier = fresh
            meta = {STORE_IDENTIFIER: fresh, "NSStoreType": "CDTIncrementalStore"}
            meta[VERSION_HASHES] = self.model.hashes()
            database.create({"id": METADATA, "body": described | {"metaData": meta}})
            return
        rev, body, _ = found
        check_metadata(body)
        known = body["metaData"].get(STORE_IDENTIFIER)
        self.identifier = known if isinstance(known, str) else fresh
        meta = body["metaData"] | {STORE_IDENTIFIER: self.identifier}
        old = {name: entity["versionHash"].lower() for name, entity in body["objectModel"].items()}
        if old != self.model.hashes():
            if not migrates:
                raise bad("modelMismatch")
            meta[VERSION_HASHES] = self.model.hashes()
            body = Migration(self.model, self.mapping, body).run(database)
            body = body | described
        if (found[1]["metaData"], found[1]["objectModel"]) != (meta, body["objectModel"]):
            database.update({"id": METADATA, "rev": rev, "body": body | {"metaData": meta}})

    # Saving

    def save(self, database: Any, operation: Object) -> Object:
        """Writes inserted, then updated, then deleted objects, atomically."""
        writes, saved = [], []
        inserted, updated = (
            [read_object(each, self.model) for each in operation.get(part, [])]
            for part in ("inserted", "updated")
        )
        for shown in inserted:
            writes.append(self.insertion(shown))
            saved.append({"id": shown.id, "version": 1})
        for change in updated:
            writes.append(self.update(database, change))
            saved.append({"id": change.id, "version": int(writes[-1]["body"][VERSION])})
        for identifier in operation.get("deleted", []):
            rev, body, _ = self.stored(database, identifier)
            self.mapping.entity_of(body)
            writes.append({"op": "delete", "id": identifier, "rev": rev})
        database.batch({"writes": writes})
        return {"saved": saved}

    def insertion(self, shown: ManagedObject) -> Object:
        """Returns the write that creates the document of a new object."""
        shown.version = 1
        shown.identifier = shown.identifier if shown.identifier is not None else self.uri(shown)
        self.fill(shown)
        body, attachments = self.mapping.encode(shown)
        return {"op": "create", "id": shown.id, "body": body, "attachments": attachments}

    def stored(
        self, database: Any, identifier: str, rev: str | None = None
    ) -> tuple[str, Object, Object]:
        """Returns the document of a stored object: its winner, or one of its revisions."""
        found = find(database, identifier, rev)
        if found is None or identifier == METADATA:
            raise Refusal("notFound", reason="missing")
        return found

    def update(self, database: Any, change: ManagedObject, leaf: str | None = None) -> Object:
        """Returns the write that changes the given values, and keeps everything else."""
        rev, body, attachments = self.stored(database, change.id, leaf)
        old, _ = self.mapping.decode(change.id, body, attachments)
        if old.entity != change.entity:
            raise bad("unknownEntity", change.entity)
        if old.version == LARGEST_VERSION:
            raise bad("badEnvelope", VERSION)
        entity, claims = self.model.entities[old.entity], {name: {"stub": True} for name in attachments}
        body[VERSION] = str(old.version + 1)
        body[IDENTIFIER] = old.identifier if old.identifier is not None else self.uri(old)
        for name, value in change.values.items():
            described = entity.properties[name]
            if described.is_stored:
                if body.get(name) == name:
                    claims.pop(name, None)
                self.mapping.write(value, described, body, claims)
        return {"op": "update", "id": change.id, "rev": rev, "body": body, "attachments": claims}

    # Loading

    def load(self, database: Any, operation: Object) -> Object:
        """Returns one object, by its id or its URI."""
        identifier = operation.get("id")
        if identifier is None:
            identifier = self.find_uri(database, operation["identifier"])
        _, body, attachments = self.stored(database, identifier)
        shown, warnings = self.read(identifier, body, attachments)
        return {"object": shown.json()} | ({"warnings": warnings} if warnings else {})

    def find_uri(self, database: Any, uri: str) -> str:
        """Returns the id of the document with a URI: the id in the URI, or that of a document with this URI."""
        named = identifier_of(uri)
        if named not in (None, METADATA) and find(database, named) is not None:
            return named
        rows = [row["id"] for row in database.list_documents({})["rows"]]
        told = [name for name in rows if find(database, name)[1].get(IDENTIFIER) == uri]
        if not told and named is None:
            raise bad("badIdentifier")
        return told[0] if told else named

    def read(
        self, identifier: str, body: Object, attachments: Object
    ) -> tuple[ManagedObject, list[Object]]:
        """Returns the object of a document, with its URI."""
        shown, warnings = self.mapping.decode(identifier, body, attachments)
        if shown.identifier is None:
            shown.identifier = self.uri(shown)
        self.fill(shown)
        return shown, warnings

    def fill(self, shown: ManagedObject) -> None:
        """Sets attributes of type `id` without a value to the URI of their object."""
        for each in self.model.entities[shown.entity].stored():
            if each.type_name == "id" and shown.values.get(each.name) is None:
                shown.values[each.name] = shown.identifier

    def everything(self, database: Any) -> Iterator[tuple[str, Object, ManagedObject | Refusal]]:
        """Yields each document except the metadata, in the order of ids, with its object or the error."""
        for row in database.list_documents({})["rows"]:
            if row["id"] != METADATA:
                _, body, attachments = self.stored(database, row["id"])
                try:
                    yield row["id"], body, self.read(row["id"], body, attachments)[0]
                except Refusal as refusal:
                    yield row["id"], body, refusal

    def list(self, database: Any, operation: Object) -> Object:
        """Returns the objects of an entity."""
        entity, objects = operation["entity"], []
        if entity not in self.model.entities:
            raise bad("unknownEntity", entity)
        for _, body, found in self.everything(database):
            if body.get(NAME) == entity:
                if isinstance(found, Refusal):
                    raise found
                objects.append(found.json())
        return {"objects": objects}

    def objects(self, database: Any, entity: Any) -> dict[str, ManagedObject]:
        """Returns all objects by id. Raises the error of an object of this entity that cannot be decoded."""
        objects = {}
        for name, body, found in self.everything(database):
            if isinstance(found, ManagedObject):
                objects[name] = found
            elif body.get(NAME) == entity:
                raise found
        return objects

    def fetch(self, database: Any, operation: Object) -> Object:
        """Returns the objects for which a predicate is true, or aggregates of them."""
        return fetch(self.objects(database, operation["entity"]), self.model, operation)

    def update_all(self, database: Any, operation: Object) -> Object:
        """Sets values of all objects for which a predicate is true."""
        entity, values = operation["entity"], operation["values"]
        # Invalid values are refused even if no object matches.
        entity_of(self.model, entity)
        self.mapping.encode(read_object({"id": "none", "entity": entity, "values": values}, self.model))
        found = matching(self.objects(database, entity), self.model, operation)
        updated = [{"id": shown.id, "entity": entity, "values": values} for shown in found]
        self.save(database, {"updated": updated})
        return {"updated": [shown.id for shown in found]}

    def check(self, database: Any, operation: Object) -> Object:
        """Returns the documents that are neither the metadata nor objects."""
        found = self.everything(database)
        faults = [(name, each.error["what"]) for name, _, each in found if isinstance(each, Refusal)]
        return {"faults": [{"id": name, "what": what} for name, what in faults]}

    def uri(self, shown: ManagedObject) -> str:
        """Returns the URI of an object without one; it is always the same."""
        store, entity, name = (quote(part, safe="") for part in (self.identifier, shown.entity, shown.id))
        return f"x-coredata://{store}/{entity}/p{name}"


def identifier_of(uri: Any) -> str | None:
    """Returns the id in a URI of this project, from any store; None for other URIs."""
    match = re.fullmatch("x-coredata://[^/]*/[^/]*/p([^/]+)", uri)
    return as_text(percent_decoded(match[1])) if match else None


def percent_decoded(text: str) -> bytes | None:
    """Returns the percent-decoded bytes of a text; None for an invalid `%XX`."""
    return None if re.search("%(?![0-9a-fA-F]{2})", text) else unquote_to_bytes(text)


def as_text(content: bytes | None) -> str | None:
    """Returns the text of UTF-8; None for invalid bytes."""
    try:
        return None if content is None else content.decode()
    except UnicodeDecodeError:
        return None


def find(
    database: Any, identifier: str, rev: str | None = None
) -> tuple[str, Object, Object] | None:
    """Returns the revision id, a copy of the body, and the attachments of a live document, or None."""
    try:
        _, rev, revision = database.look_up({"id": identifier} | ({} if rev is None else {"rev": rev}))
    except Refusal as refusal:
        if refusal.error["kind"] != "notFound":
            raise
        return None
    attachments = {}
    for name, stub in revision.attachments.items():
        attachments[name] = {key: stub[key] for key in ("type", "digest", "encoding") if key in stub}
        # The bytes of encoded contents are not those of the value.
        if "encoding" not in stub:
            attachments[name]["data"] = to_base64(database.contents.stored[stub["digest"]])
    return rev, dict(revision.body), attachments


def check_metadata(body: Object) -> None:
    """Refuses an invalid metadata document."""
    meta, described = body.get("metaData"), body.get("objectModel")
    if not isinstance(meta, dict):
        raise bad("badEnvelope", "metaData")
    if not isinstance(described, dict):
        raise bad("badEnvelope", "objectModel")
    if not isinstance(body.get("run", ""), str):
        raise bad("badEnvelope", "run")
    for entity in described.values():
        if not is_hash(entity) or not isinstance(entity.get("properties"), dict):
            raise bad("badEnvelope", "objectModel")
        for name, each in entity["properties"].items():
            good = is_hash(each) and each.get("typeName") in TYPE_NAMES and each.get("name", name) == name
            is_relationship = good and each["typeName"].startswith("relation-")
            misplaced = "xform" in each and good and each["typeName"] != "xform"
            if not good or misplaced or is_relationship != ("destination" in each):
                raise bad("badEnvelope", "objectModel")


def is_hash(described: Any) -> bool:
    """Returns whether a description has a valid version hash."""
    value = described.get("versionHash") if isinstance(described, dict) else None
    return isinstance(value, str) and re.fullmatch("[0-9a-fA-F]{64}", value) is not None


class Migration:
    """Migration of the objects of an earlier model to this one."""

    def __init__(self, model: Model, mapping: Mapping, metadata: Object) -> None:
        self.model, self.mapping, self.metadata = model, mapping, metadata
        self.plans = {name: self.plan(name, said) for name, said in metadata["objectModel"].items()}

    def plan(self, old: str, described: Object) -> tuple[Entity, dict[str, str | None]] | None:
        """Returns the new entity and the new names of its properties; None if the entity was removed."""
        names = {name: entity.renamed_from for name, entity in self.model.entities.items()}
        entity = self.model.entities.get(heirs(names, self.metadata["objectModel"]).get(old))
        if entity is None:
            return None
        properties = described["properties"]
        now = heirs({each.name: each.said.get("renamedFrom") for each in entity.stored()}, properties)
        for name, said in properties.items():
            if name in now and entity.properties[now[name]].type_name != said["typeName"]:
                raise bad("migration", name)
        return entity, {name: now.get(name) for name in properties}

    def run(self, database: Any) -> Object:
        """Rewrites the documents, and returns the metadata."""
        for row in database.list_documents({})["rows"]:
            found = find(database, row["id"])
            name = found[1].get(NAME) if found else None
            plan = self.plans.get(name) if isinstance(name, str) else None
            if found is None or plan is None or row["id"] == METADATA:
                continue
            rev, body, attachments = found
            claims = {each: {"stub": True} for each in attachments}
            changed = self.migrated(body, attachments, claims, *plan)
            if changed != body:
                database.update({"id": row["id"], "rev": rev, "body": changed, "attachments": claims})
        return self.metadata

    def migrated(
        self, body: Object, attachments: Object, claims: Object, entity: Entity, moves: dict[str, str | None]
    ) -> Object:
        """Returns the new body of one document, and updates the claims of its attachments."""
        changed = body | {NAME: entity.name}
        moved = {old: new for old, new in moves.items() if old != new}
        contents = {old for old in moved if body.get(old) == old and old in attachments}
        # Remove all old names first, because two properties may have swapped their names.
        for old in moved:
            changed.pop(old, None)
            changed.pop(meta_name(old), None)
        for old in contents:
            claims.pop(old)
        for old, new in moved.items():
            if new is None:
                continue
            for source, target in ((old, new), (meta_name(old), meta_name(new))):
                # A member of another client under the new name is not a value of this property.
                changed.pop(target, None)
                if source in body:
                    changed[target] = body[source]
            if old in contents:
                named = {key: value for key, value in attachments[old].items() if key != "data"}
                changed[new], claims[new] = new, named | {"chunks": True}
        for each in entity.stored():
            if "default" in each.said and each.name not in moves.values() and each.name not in changed:
                self.mapping.write(each.said["default"], each, changed, claims)
        return changed


def heirs(names: dict[str, str | None], before: Any) -> dict[str, str]:
    """Returns the new name for each name of the earlier model. `names` maps new names to old ones."""
    found: dict[str, str] = {}
    for now, old in names.items():
        if old in before:
            found.setdefault(old, now)
    for now, old in names.items():
        if now in before and old not in before:
            found.setdefault(now, now)
    return found
