"""Objects as documents, and documents as objects.

Written from `Vectors/README.md`, "Objects".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from object_model import Entity, Model, Property
from object_values import (
    INFINITY,
    INTEGERS,
    LARGEST_FLOAT,
    MINUS_INFINITY,
    NUMERAL,
    TOKENS,
    Decimal,
    Double,
    NoValue,
    double_text,
    from_base64,
    from_call,
    in_range,
    is_number,
    is_whole,
    read_image,
    through_doubles,
    to_base64,
    to_call,
)
from revision_ids import Object, Refusal, is_text

NAME, IDENTIFIER, VERSION = "CDTISEntityName", "CDTISIdentifier", "CDTISObjectVersion"
OBJECT_MEMBERS = {"id", "entity", "values", "identifier", "version"}
LARGEST_VERSION = 2**53
WIDTHS = {"double": 64, "float": 32}
IMAGES = {"double": "ieee754_double", "float": "ieee754_single"}


def meta_name(name: str) -> str:
    """Returns the name of the metadata member of a property."""
    return f"CDTISMeta_{name}"


def bad(what: str, name: str | None = None) -> Refusal:
    """Returns the error of a document or an object that cannot be converted."""
    return Refusal("badObject", what=what, **({} if name is None else {"name": name}))


@dataclass
class ManagedObject:
    """An object with its values by name. None is nil, and related objects are ids."""

    id: str
    entity: str
    values: Object = field(default_factory=dict)
    identifier: str | None = None
    version: int = 1
    # The document that it was read from.
    body: Object = field(default_factory=dict)

    def json(self) -> Object:
        """Returns the JSON form for results."""
        values = {name: to_call(value) for name, value in self.values.items() if value is not None}
        shown = {"id": self.id, "entity": self.entity, "values": values, "version": self.version}
        return shown | ({} if self.identifier is None else {"identifier": self.identifier})


def read_object(json_object: Any, model: Model) -> ManagedObject:
    """Parses the object in an operation."""
    good = isinstance(json_object, dict) and json_object.keys() <= OBJECT_MEMBERS
    if not good or not {"id", "entity", "values"} <= json_object.keys():
        raise bad("object")
    identifier, version = json_object.get("identifier", ""), json_object.get("version", 1)
    texts = is_text(json_object["id"]) and is_text(json_object["entity"]) and is_text(identifier)
    if not texts or not is_whole(version) or not in_range(version, "int64"):
        raise bad("object")
    entity, values = model.entities.get(json_object["entity"]), json_object["values"]
    if entity is None or not isinstance(values, dict) or not values.keys() <= entity.properties.keys():
        raise bad("object")
    read = {name: read_value(value, entity.properties[name]) for name, value in values.items()}
    return ManagedObject(json_object["id"], entity.name, read, json_object.get("identifier"), version)


def read_value(value: Any, described: Property) -> Any:
    """Parses the value of a property in an operation."""
    if value is None:
        return None
    if not described.is_relationship:
        try:
            return from_call(value, described.type_name)
        except NoValue:
            raise bad("object") from None
    ids = value if described.is_many else [value]
    if not isinstance(ids, list) or not all(map(is_text, ids)):
        raise bad("object")
    return value


class Mapping:
    """Encoding and decoding of the objects of a model. `transformers` are MIME types by class."""

    def __init__(
        self, model: Model, form: str = "documented", trusts_numbers: bool = False,
        transformers: Object | None = None,
    ) -> None:  # fmt: skip
        if form not in ("documented", "released"):
            raise Refusal("badRequest", path="form")
        self.model, self.released, self.trusts_numbers = model, form == "released", trusts_numbers
        self.transformers = transformers or {}

    # Writing

    def encode(self, shown: ManagedObject) -> tuple[Object, Object]:
        """Returns the body of the document of an object, and its attachments."""
        body: Object = {NAME: shown.entity, VERSION: str(shown.version)}
        if shown.identifier is not None:
            body[IDENTIFIER] = shown.identifier
        attachments: Object = {}
        for each in self.model.entities[shown.entity].stored():
            self.write(shown.values.get(each.name), each, body, attachments)
        return body, attachments

    def write(self, value: Any, described: Property, body: Object, attachments: Object) -> None:
        """Replaces the value of a property in a document."""
        name, meta = described.name, None
        for member in (name,) if described.is_relationship else (name, meta_name(name)):
            body.pop(member, None)
        if described.is_relationship:
            if described.is_many:
                body[name] = sorted(set(value or []), key=str.encode)
            elif value is not None or self.released:
                body[name] = "" if value is None else value
        elif value is not None:
            body[name], meta = self.written(value, described)
            if described.type_name in ("binary", "xform") and self.released:
                attachments[name] = {"type": meta["mime-type"], "data": body[name]}
                body[name] = name
        if meta is not None:
            body[meta_name(name)] = meta

    def written(self, value: Any, described: Property) -> tuple[Any, Object | None]:
        """Returns the value of an attribute in a document, and its metadata member."""
        type_name = described.type_name
        if type_name == "bool":
            return (value if self.released else int(value)), None
        if type_name == "date1970":
            return value, None
        if type_name in WIDTHS:
            return self.written_number(value, IMAGES[type_name])
        if type_name == "decimal":
            meta = {"nsdecimal": to_base64(value.image())}
            return (None, meta | {"nonFinite": "nan"}) if value.mantissa is None else (str(value), meta)
        if type_name in ("binary", "xform"):
            said = described.said
            offered = said.get("mimeType") or self.transformers.get(said.get("transformer"))
            return to_base64(value), {"mime-type": offered or "application/octet-stream"}
        if type_name in INTEGERS and not in_range(value, type_name):
            raise bad("outOfRange", described.name)
        return value, None

    def written_number(self, value: Double, member: str) -> tuple[Any, Object]:
        """Returns a double or a float in a document, with its image."""
        is_signed = self.released and value.width == 32 and value.bits >> 31
        meta: Object = {member: value.bits - (1 << 32) if is_signed else value.bits}
        if value.token is not None:
            meta["nonFinite"] = value.token
        if value.token == "nan":
            return None, meta
        number = value.shortest() if value.token is None else math.copysign(value.largest, value.value)
        return (double_text(number) if self.released and value.width == 64 else number), meta

    # Reading

    def decode(self, identifier: str, body: Any, attachments: Object) -> tuple[ManagedObject, list[Object]]:
        """Returns the object of a document, and warnings."""
        entity = self.entity_of(body)
        if not isinstance(body.get(IDENTIFIER, ""), str):
            raise bad("badEnvelope", IDENTIFIER)
        warnings: list[Object] = []
        shown = ManagedObject(identifier, entity.name, identifier=body.get(IDENTIFIER), body=body)
        shown.version = self.read_version(body.get(VERSION, "1"), warnings)
        for each in entity.stored():
            value = self.read_stored(body, each, attachments, warnings)
            if value is not None:
                shown.values[each.name] = value
        return shown, warnings

    def entity_of(self, body: Any) -> Entity:
        """Returns the entity of a document."""
        name = body.get(NAME) if isinstance(body, dict) else None
        if not isinstance(name, str) or name == "" or " " in name:
            raise bad("noEntity", NAME)
        if name not in self.model.entities:
            raise bad("unknownEntity", name)
        return self.model.entities[name]

    def read_version(self, version: Any, warnings: list[Object]) -> int:
        """Returns the version of an object: how often it was saved."""
        if is_whole(version):
            warnings.append({"kind": "versionIsNumber", "property": VERSION})
            version = str(int(version))
        good = isinstance(version, str) and version.isascii() and version.isdigit()
        if not good or not 1 <= int(version) <= LARGEST_VERSION:
            raise bad("badEnvelope", VERSION)
        return int(version)

    def read_stored(
        self, body: Object, described: Property, attachments: Object, warnings: list[Object]
    ) -> Any:
        """Returns the value of a property in a document; None for nil."""
        value, type_name = body.get(described.name), described.type_name
        if described.is_relationship:
            return read_references(value, described)
        meta = body.get(meta_name(described.name), {})
        if not isinstance(meta, dict):
            raise bad("badEnvelope", meta_name(described.name))
        # A client that removes a value may leave the metadata member. NaN has only the metadata member.
        if described.name not in body and meta.get("nonFinite") != "nan":
            return None
        noticed: list[str] = []
        if type_name in WIDTHS:
            read = self.read_number(value, meta, described.name, type_name, noticed)
        elif type_name == "decimal":
            read = read_decimal(value, meta, described.name, noticed)
        elif value is None:
            read = None
        else:
            read = read_plain(value, described, attachments.get(described.name), noticed)
        warnings += [{"kind": kind, "property": described.name} for kind in noticed]
        return read

    def read_number(
        self, value: Any, meta: Object, name: str, type_name: str, noticed: list[str]
    ) -> Double | None:
        """Returns a double or a float of a document. The image takes precedence over the number."""
        width, member = WIDTHS[type_name], IMAGES[type_name]
        token = meta.get("nonFinite")
        if "nonFinite" in meta and not (isinstance(token, str) and token in TOKENS):
            raise bad("badImage", name)
        number = read_digits(value, name, width) if token is None and value is not None else None
        if member not in meta:
            if number is not None and number.token is not None:
                raise bad("outOfRange", name)
            return number if token is None else TOKENS[token][width]
        image = read_image(meta[member], width)
        if image is None:
            raise bad("badImage", name)
        # A double represents an image of 32 bits exactly.
        may_be_rounded = width == 64 and through_doubles(meta[member])
        if token is not None and image.token != token:
            # Rounding may turn a NaN into an infinity, and an infinity into a finite number.
            ends = [INFINITY, MINUS_INFINITY] if token == "nan" else [TOKENS[token]]
            fits = any(float(each[width].bits) == float(image.bits) for each in ends)
            if not may_be_rounded or not fits:
                raise bad("badImage", name)
            noticed.append("imageMayBeRounded")
            return TOKENS[token][width]
        # Different NaNs differ only in their bits.
        if token == "nan" and image != TOKENS["nan"][width] and may_be_rounded:
            noticed.append("imageMayBeRounded")
        if number is None or number.value == image.value or not may_be_rounded:
            return image
        # A zero may have lost its sign in a JSON parser.
        for each in (number, Double.of(-number.value)) if number.value == 0 else (number,):
            if self.trusts_numbers and float(each.bits) == float(image.bits):
                return each
        noticed.append("imageMayBeRounded")
        return image

    # Transformers

    def transformed(self, shown: ManagedObject, body: Object, name: Any) -> str | None:
        """Returns the transformed value of an attribute; None for nil."""
        described = self.model.entities[shown.entity].properties.get(name)
        if described is None or described.type_name != "xform":
            raise bad("unknownProperty", name)
        if shown.values.get(name) is None:
            return None
        named = body.get(meta_name(name), {}).get("xform")
        transformer = described.said.get("transformer", named if isinstance(named, str) else None)
        if transformer not in self.transformers:
            raise bad("unknownTransformer", transformer)
        return to_base64(shown.values[name])


def read_references(value: Any, described: Property) -> Any:
    """Returns the ids of a relationship: an id or None, or a list without duplicates if it is to-many."""
    if not described.is_many:
        if not isinstance(value, str) and value is not None:
            raise bad("wrongType", described.name)
        return value or None
    ids = [] if value is None else value
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        raise bad("wrongType", described.name)
    return sorted({each for each in ids if each}, key=str.encode)


def read_digits(value: Any, name: str, width: int) -> Double:
    """Returns a double or a float that a document has as a number or as a text."""
    if isinstance(value, str) and NUMERAL.fullmatch(value):
        value = float(value)
    if not is_number(value):
        raise bad("wrongType", name)
    if math.isinf(value):
        raise bad("outOfRange", name)
    return Double.of(value, width)


def read_plain(value: Any, described: Property, attachment: Any, noticed: list[str]) -> Any:
    """Returns the value of an attribute of a type without an image."""
    name, type_name = described.name, described.type_name
    if type_name in ("utf8", "id") and isinstance(value, str):
        return value
    if type_name == "bool" and (is_number(value) or isinstance(value, bool)):
        return value != 0
    if type_name == "date1970" and is_number(value):
        return float(value)
    if type_name in INTEGERS and is_whole(value):
        if not in_range(int(value), type_name):
            raise bad("outOfRange", name)
        if abs(value) > 2**53 and through_doubles(value):
            noticed.append("integerMayBeRounded")
        return int(value)
    if type_name in ("binary", "xform") and isinstance(value, str):
        beside = value == name and attachment is not None
        content = from_base64(attachment.get("data")) if beside else from_base64(value)
        if content is None:
            raise bad("missingContent" if value == name else "badBase64", name)
        return content
    raise bad("wrongType", name)


def read_decimal(value: Any, meta: Object, name: str, noticed: list[str]) -> Decimal | None:
    """Returns the decimal of a document. Text and image must be the same number."""
    number = None
    if value is not None:
        text = repr(value) if is_number(value) else value
        if not isinstance(text, str) or not NUMERAL.fullmatch(text):
            raise bad("wrongType", name)
        number = Decimal.read(text)
        if number is None:
            raise bad("outOfRange", name)
    if "nonFinite" in meta:
        if meta["nonFinite"] != "nan":
            raise bad("badImage", name)
        number = Decimal(None)
    if "nsdecimal" in meta:
        pictured = Decimal.pictured(from_base64(meta["nsdecimal"]))
        if pictured is None:
            raise bad("badImage", name)
        if number not in (None, pictured):
            raise bad("decimalImageMismatch", name)
        number = pictured
    if number is not None and number.is_long:
        noticed.append("longDecimal")
    return number
