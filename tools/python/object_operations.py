"""The operations on objects without a store, and the coordinator.

Written from `Vectors/README.md`, "Objects".
"""

from __future__ import annotations

import re
from typing import Any, Callable

from object_fetching import predicate_warnings
from object_mapping import Mapping, bad, read_object
from object_model import Model, portability_warnings, validation_codes
from object_store import ObjectStore, as_text, percent_decoded
from object_values import from_base64
from revision_ids import Object, Refusal

TYPE = "CDTIncrementalStore"


def describe_model(operation: Object) -> Object:
    """Returns the description of a model in documents, and portability warnings."""
    model = Model(operation["model"])
    warnings = list(portability_warnings(model, operation.get("transformers", {})))
    warnings += predicate_warnings(model, operation.get("predicates", []))
    return {"objectModel": model.described(), "warnings": warnings}


def validate_object(operation: Object) -> Object:
    """Returns the validation errors of an object."""
    model = Model(operation["model"])
    shown = read_object(operation["object"], model)
    return {"codes": list(validation_codes(model.entities[shown.entity], shown.values))}


def encode_object(operation: Object) -> Object:
    """Returns the document of an object."""
    model = Model(operation["model"])
    form, transformers = operation.get("form", "documented"), operation.get("transformers")
    mapping = Mapping(model, form, transformers=transformers)
    body, attachments = mapping.encode(read_object(operation["object"], model))
    return {"body": body} | ({"attachments": attachments} if attachments else {})


def decode_object(operation: Object) -> Object:
    """Returns the object of a document, and optionally a transformed value."""
    mapping = Mapping(
        Model(operation["model"]), "documented", operation.get("trustsNumbers", False),
        operation.get("transformers"),
    )  # fmt: skip
    given, body = operation.get("attachments", {}), operation["body"]
    attachments = {
        name: each
        for name, each in given.items()
        if from_base64(each.get("data")) is not None and "encoding" not in each
    }
    shown, warnings = mapping.decode(operation["id"], body, attachments)
    result: Object = {"object": shown.json()}
    value = mapping.transformed(shown, body, operation["value"]) if "value" in operation else None
    if warnings:
        result["warnings"] = warnings
    return result | ({"value": value} if value is not None else {})


# The coordinator


def store_name(url: str, mends: bool) -> tuple[str, str | None]:
    """Returns the name of a store from its URL, and the remote if the URL has a host."""
    match = re.fullmatch(r"(?:[^/:?#]*:)?(?://([^/?#]*))?([^?#]*)(?:[?#].*)?", url, re.DOTALL)
    name = percent_decoded(match[2].rstrip("/").rpartition("/")[2]) if match else None
    if not name or match is None:
        raise bad("badURL")
    if mends:
        name = re.sub(rb"[^a-z0-9_$()+/-]", b"_", name.lower())
        name = name if re.match(b"[a-z]", name) else b"db_" + name
    text = as_text(name)
    if text is None:
        raise bad("badURL")
    return text, (url if match[1] else None)


class Coordinator:
    """The stores of one call. `open_store` opens and returns the database with a name."""

    def __init__(self, operation: Object, open_store: Callable[..., Any]) -> None:
        self.model, self.open_store = Model(operation["model"]), open_store
        registration = operation.get("registration", 1)
        ours = {TYPE} if registration == "automatic" or registration > 0 else set()
        self.types = ours | set(operation.get("others", []))
        # The description of each store by URL; None for stores of other types.
        self.stores: dict[str, Object | None] = {}

    def add(self, said: Object) -> Object:
        """Adds a store."""
        if said["url"] in self.stores:
            raise bad("alreadyAdded")
        if said["type"] not in self.types:
            raise bad("unknownType", said["type"])
        if said["type"] != TYPE:
            self.stores[said["url"]] = None
            return {}
        name, remote = store_name(said["url"], said.get("mendsNames", False))
        choices = said.get("migrates", False), "documented"
        self.open_store(name, lambda database: ObjectStore(database, self.model, *choices))
        self.stores[said["url"]] = {"name": name} | ({} if remote is None else {"remote": remote})
        return dict(self.stores[said["url"]] or {})

    def target(self, question: Object) -> Object:
        """Returns the remote with which a store would replicate."""
        found = self.stores.get(question["url"])
        if found is None:
            raise bad("badURL")
        remote = question.get("remote", found.get("remote"))
        if remote is None:
            raise bad("noRemote")
        return {"remote": remote}


def coordinate(operation: Object, open_store: Callable[..., Any]) -> Object:
    """Adds stores in order, and returns the requested information about them."""
    coordinator = Coordinator(operation, open_store)
    added = [attempt(coordinator.add, said) for said in operation["stores"]]
    return {
        "type": TYPE,
        "added": added,
        "stores": [url for url, store in coordinator.stores.items() if store is not None],
        "found": [coordinator.stores.get(url) or {} for url in operation.get("find", [])],
        "targets": [attempt(coordinator.target, question) for question in operation.get("targets", [])],
    }


def attempt(ask: Callable[[Any], Object], argument: Any) -> Object:
    """Returns a result, or the error."""
    try:
        return ask(argument)
    except Refusal as refusal:
        return {"error": refusal.error}


STORELESS = {
    "describeModel": describe_model,
    "validateObject": validate_object,
    "encodeObject": encode_object,
    "decodeObject": decode_object,
}
