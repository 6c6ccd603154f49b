"""Revision ids: syntax, order and computation, for each option of a store.

Written only from `Vectors/README.md` and `Vectors/clauses.json`.
"""

from __future__ import annotations

import functools
import hashlib
import re
import struct
import uuid
import zlib
from decimal import Decimal
from typing import Any, Callable

Object = dict[str, Any]

LARGEST_GENERATION = 2**53 - 1
# Types of contents that CouchDB compresses with gzip, in addition to all text types.
COMPRESSIBLE = ("application/javascript", "application/json", "application/xml")


class Refusal(Exception):
    """A refused operation. `error` is the member of the outcome."""

    def __init__(self, kind: str, **fields: Any) -> None:
        super().__init__(kind)
        self.error: Object = {"kind": kind, **fields}


def is_text(value: Any) -> bool:
    """Returns whether a value is a text with an encoding in UTF-8, so without lone surrogates."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


# Syntax and order


def check_revision(value: Any, fold: bool) -> str:
    """Returns a revision id, or refuses it. `fold` applies the collation `couchdb`."""
    parsed = re.fullmatch("([1-9][0-9]{0,15})-(.+)", value, re.DOTALL) if is_text(value) else None
    if parsed is None or int(parsed[1]) > LARGEST_GENERATION:
        raise Refusal("badRevision")
    if fold and len(parsed[2].encode()) == 32:
        if not is_hex_suffix(parsed[2]):
            raise Refusal("badRevision")
        return f"{parsed[1]}-{parsed[2].lower()}"
    return value


def split(rev: str) -> tuple[int, str]:
    """Returns the generation and the suffix of a revision id."""
    generation, _, suffix = rev.partition("-")
    return int(generation), suffix


def generation_of(rev: str | None) -> int:
    """Returns the generation of a revision id; 0 for None."""
    return 0 if rev is None else split(rev)[0]


def is_hex_suffix(suffix: str) -> bool:
    """Returns whether a suffix encodes 16 bytes."""
    return re.fullmatch("[0-9a-fA-F]{32}", suffix) is not None


def suffix_bytes(suffix: str) -> bytes:
    """Returns the bytes that CouchDB compares and digests: the 16 bytes that a suffix encodes, or its own."""
    return bytes.fromhex(suffix) if is_hex_suffix(suffix) else suffix.encode()


def order_by_bytes(rev: str) -> Any:
    """Sort key: generations as numbers, then suffixes as bytes."""
    generation, suffix = split(rev)
    return generation, suffix.encode()


def order_of_couchdb(rev: str) -> Any:
    """Sort key: generations as numbers, then the decoded suffixes. The suffix itself breaks a tie."""
    generation, suffix = split(rev)
    return generation, suffix_bytes(suffix), suffix.encode()


def compare_as_cdt(a: str, b: str) -> int:
    """Returns a negative number if `a` is the lower revision id under the collation `cdt`."""
    digits = [rev.index("-") for rev in (a, b)]
    if max(digits) > 8 or digits == [1, 1]:
        low, high = (a.encode(), b.encode())
        return (low > high) - (low < high)
    return (order_by_bytes(a) > order_by_bytes(b)) - (order_by_bytes(a) < order_by_bytes(b))


COLLATIONS: dict[str, Callable[[str], Any]] = {
    "bytes": order_by_bytes,
    "couchdb": order_of_couchdb,
    "cdt": functools.cmp_to_key(compare_as_cdt),
}


# The attachments of an edit in the order of the call: name, stub and bytes as they are stored.
Attached = list[tuple[str, Object, bytes]]


def own_suffix(parent: str | None, deleted: bool, body: Object, attached: Attached) -> str:
    """Returns a unique suffix."""
    return uuid.uuid4().hex


def cdt_suffix(parent: str | None, deleted: bool, body: Object, attached: Attached) -> str:
    """Returns the suffix under the profile `cdt-digest`, which does not depend on attachments."""
    name = (parent or "").encode()
    if len(name) > 255:
        raise Refusal("badRevision")
    text = canonical(body) if body else ""
    return hashlib.md5(bytes([len(name)]) + name + bytes([deleted]) + text.encode()).hexdigest()


def canonical(value: Any) -> str:
    """Returns the canonical text of a JSON value under the profile `cdt-digest`."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{quoted(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return spelled(value)
    return str(value)


def quoted(text: str) -> str:
    """Returns a text in quotes, with the escapes of the canonical form."""
    short = {'"': '\\"', "\\": "\\\\", "\r": "\\r", "\n": "\\n"}
    escape: Callable[[re.Match[str]], str] = lambda found: short.get(found[0], f"\\u{ord(found[0]):04x}")
    return '"' + re.sub(r'["\\\x00-\x1f]', escape, text) + '"'


def spelled(value: float) -> str:
    """Returns a double in the syntax of ECMAScript: the shortest digits that round-trip."""
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    if value == 0:
        return "0"
    if not -6 < point <= 21:
        power = f"e{point - 1:+d}"
        text = text[0] + ("." + text[1:] if len(text) > 1 else "") + power
    elif point <= 0:
        text = "0." + "0" * -point + text
    else:
        text = text.ljust(point, "0")
        text = text[:point] + ("." + text[point:] if len(text) > point else "")
    return "-" * sign + text


def couchdb_suffix(parent: str | None, deleted: bool, body: Object, attached: Attached) -> str:
    """Returns the suffix under the profile `couchdb`: the MD5 of the edit as an Erlang external term."""
    generation, suffix = split(parent) if parent else (0, None)
    edit = [
        erlang_term(deleted),
        erlang_term(generation),
        erlang_term(0) if suffix is None else erlang_binary(suffix_bytes(suffix)),
        erlang_term(body),
        erlang_list([attachment_term(*each) for each in reversed(attached)]),
    ]
    return hashlib.md5(b"\x83" + erlang_list(edit)).hexdigest()


def attachment_term(name: str, stub: Object, content: bytes) -> bytes:
    """Returns an attachment as CouchDB digests it: name, type, and the MD5 of the stored bytes."""
    media = stub["type"].lower().split(";")[0].strip()
    packed = media.startswith("text/") or media in COMPRESSIBLE
    if packed and "encoding" not in stub:
        packer = zlib.compressobj(8, wbits=31)
        content = packer.compress(content) + packer.flush()
    parts = [name.encode(), stub["type"].encode(), hashlib.md5(content).digest()]
    return b"\x68\x03" + b"".join(map(erlang_binary, parts))


def erlang_term(value: Any) -> bytes:
    """Returns a JSON value as an Erlang external term, without the leading 131."""
    if value is None or isinstance(value, bool):
        atom = {None: b"null", True: b"true", False: b"false"}[value]
        return struct.pack(">BH", 100, len(atom)) + atom
    if isinstance(value, int):
        return erlang_integer(value)
    if isinstance(value, float):
        return struct.pack(">Bd", 70, value)
    if isinstance(value, str):
        return erlang_binary(value.encode())
    if isinstance(value, dict):
        pairs = [b"\x68\x02" + erlang_term(name) + erlang_term(value[name]) for name in value]
        return b"\x68\x01" + erlang_list(pairs)
    if 0 < len(value) <= 65535 and all(map(is_byte, value)):
        return struct.pack(">BH", 107, len(value)) + bytes(value)
    return erlang_list([erlang_term(element) for element in value])


def is_byte(value: Any) -> bool:
    """Returns whether a JSON value is an integer from 0 to 255."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 255


def erlang_integer(value: int) -> bytes:
    """Returns an integer in the shortest of its 3 forms."""
    if 0 <= value <= 255:
        return bytes([97, value])
    if -(2**31) <= value < 2**31:
        return struct.pack(">Bi", 98, value)
    digits = abs(value).to_bytes((abs(value).bit_length() + 7) // 8, "little")
    return bytes([110, len(digits), value < 0]) + digits


def erlang_binary(content: bytes) -> bytes:
    """Returns bytes as an Erlang binary."""
    return struct.pack(">BI", 109, len(content)) + content


def erlang_list(terms: list[bytes]) -> bytes:
    """Returns a list of terms. An empty list has only the terminator."""
    return (struct.pack(">BI", 108, len(terms)) + b"".join(terms) if terms else b"") + b"\x6a"


REVISION_IDS: dict[str, Callable[[str | None, bool, Object, Attached], str]] = {
    "own": own_suffix,
    "cdt-digest": cdt_suffix,
    "couchdb": couchdb_suffix,
}
