"""Attachments: their syntax, the storage of their bytes, and their replication.

Written only from `Vectors/README.md` and `Vectors/clauses.json`.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

from revision_ids import Object, Refusal, is_text

# The largest sizes in bytes: of content in one operation or result, of content, and of a name.
LARGEST_PIECE = 2**20
LARGEST_CONTENT = 2**26
LARGEST_NAME = 240
PLACES = ("data", "stub", "chunks", "file")


# Syntax


def digest_of(content: bytes) -> str:
    """Returns the digest of content."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def encoded(content: bytes) -> str:
    """Returns bytes as base64."""
    return base64.b64encode(content).decode()


def decoded(text: Any) -> bytes:
    """Returns the bytes of base64 in its canonical encoding. Raises Refusal for other texts."""
    try:
        content = base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        raise Refusal("badAttachment") from None
    if encoded(content) != text:
        raise Refusal("badAttachment")
    if len(content) > LARGEST_PIECE:
        raise Refusal("tooLarge", limit=LARGEST_PIECE)
    return content


def check_digest(text: Any) -> str:
    """Returns a well-formed digest, or refuses it."""
    if not isinstance(text, str) or not text.startswith("sha256-"):
        raise Refusal("badAttachment")
    if len(decoded(text.removeprefix("sha256-"))) != 32:
        raise Refusal("badAttachment")
    return text


def is_count(value: Any) -> bool:
    """Returns whether a value is an integer of 0 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def check_attachment(name: str, claim: Object) -> None:
    """Refuses an invalid attachment, without regard to the content of the store."""
    if not is_text(name) or name == "" or name.startswith("_") or "\0" in name:
        raise Refusal("badAttachment")
    if len(name.encode()) > LARGEST_NAME:
        raise Refusal("tooLarge", limit=LARGEST_NAME)
    if "digest" in claim:
        check_digest(claim["digest"])
    numbers = [claim[key] for key in ("length", "encodedLength", "revpos") if key in claim]
    if not all(map(is_count, numbers)) or claim.get("encoding", "gzip") != "gzip":
        raise Refusal("badAttachment")
    if "encodedLength" in claim and "encoding" not in claim:
        raise Refusal("badAttachment")
    if "data" in claim:
        describe(claim, decoded(claim["data"]))
    if "chunks" in claim and "digest" not in claim:
        raise Refusal("badAttachment")
    if "file" in claim:
        raise Refusal("unsupported", what="file")


def check_attachments(attachments: Object) -> Object:
    """Returns the attachments of a call, or refuses them."""
    for name, claim in attachments.items():
        check_attachment(name, claim)
    return attachments


def decoded_length(content: bytes) -> int:
    """Returns the decompressed size of gzip in bytes; it may have several members."""
    length, rest = 0, content
    while rest or not content:
        member = zlib.decompressobj(wbits=31)
        try:
            while not member.eof:
                piece = member.decompress(rest, 65536)
                rest = member.unconsumed_tail
                length += len(piece)
                if length > LARGEST_CONTENT or not piece and not rest and not member.eof:
                    raise Refusal("badAttachment")
        except zlib.error:
            raise Refusal("badAttachment") from None
        rest = member.unused_data
    return length


def describe(claim: Object, content: bytes) -> Object:
    """Returns the stub of content, without a revpos. Refuses a claim that differs from it."""
    stub = {"type": claim.get("type", "application/octet-stream"), "digest": digest_of(content)}
    if "encoding" in claim:
        stub |= {"length": decoded_length(content), "encoding": "gzip", "encodedLength": len(content)}
    else:
        stub |= {"length": len(content)}
    if any(claim.get(key, value) != value for key, value in stub.items()):
        raise Refusal("badAttachment")
    return stub


# The attachments of a revision


@dataclass
class AttachmentSet:
    """The attachments of a new revision, in the order of the call."""

    stubs: dict[str, Object] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)


@dataclass
class Contents:
    """The contents of a store by digest: those of revisions, and those of uploads."""

    stored: dict[str, bytes] = field(default_factory=dict)
    brought: dict[str, bytes] = field(default_factory=dict)

    def settle(
        self, claims: Object, inherited: dict[str, Object], revpos: Callable[[int], int]
    ) -> AttachmentSet:
        """Finds the bytes of each attachment. `revpos` maps the claimed revpos, or 0, to the stored one."""
        result = AttachmentSet()
        for name, claim in claims.items():
            if "stub" in claim:
                stub = inherited.get(name)
                said = {key: value for key, value in claim.items() if (key, value) != ("revpos", 0)}
                if stub is None or any(stub.get(key) != value for key, value in said.items()):
                    raise Refusal("missingStub")
                result.stubs[name] = stub
                result.contents[stub["digest"]] = self.stored[stub["digest"]]
                continue
            content = decoded(claim["data"]) if "data" in claim else self.find(claim["digest"])
            stub = describe(claim, content) | {"revpos": revpos(claim.get("revpos", 0)), "stub": True}
            result.stubs[name] = stub
            result.contents[stub["digest"]] = content
        return result

    def find(self, digest: str) -> bytes:
        """Returns the bytes that are stored or uploaded under a digest, without a check of the digest."""
        for place in (self.stored, self.brought):
            if digest in place:
                return place[digest]
        if digest == digest_of(b""):
            return b""
        raise Refusal("missingStub")

    def keep(self, attached: AttachmentSet) -> None:
        """Stores the bytes of a written revision."""
        for digest, content in attached.contents.items():
            self.stored[digest] = content
            self.brought.pop(digest, None)

    def keep_only(self, used: set[str]) -> None:
        """Removes contents that no revision has, and uploads."""
        self.stored = {digest: content for digest, content in self.stored.items() if digest in used}
        self.brought = {}

    def put(self, operation: Object) -> Object:
        """Stores a piece of an upload, and returns the number of stored bytes."""
        digest, piece = check_digest(operation.get("digest")), decoded(operation.get("bytes"))
        if not is_count(operation.get("offset")):
            raise Refusal("badRequest", path="offset")
        if digest in self.stored or digest == digest_of(b""):
            return {"held": len(self.stored.get(digest, b""))}
        here, offset = self.brought.get(digest, b""), operation.get("offset")
        if offset > len(here):
            raise Refusal("badRequest", path="offset")
        if offset + len(piece) > LARGEST_CONTENT:
            raise Refusal("tooLarge", limit=LARGEST_CONTENT)
        if piece:
            here = self.brought[digest] = here[:offset] + piece
        return {"held": len(here)}

    def read(self, stub: Object, operation: Object) -> Object:
        """Returns the piece of an attachment that a checked operation requests."""
        offset, limit = operation.get("offset", 0), operation.get("limit", LARGEST_PIECE)
        content = self.stored[stub["digest"]][offset : offset + min(limit, LARGEST_PIECE)]
        return stub | {"offset": offset, "bytes": encoded(content)}

    def sent(self, stubs: dict[str, Object], generation: int) -> dict[str, Object]:
        """Returns attachments for a target with an ancestor of a generation: with bytes if they are newer."""
        result = {}
        for name, stub in stubs.items():
            content = self.stored[stub["digest"]]
            if stub["revpos"] > generation:
                place = {"data": encoded(content)} if len(content) <= LARGEST_PIECE else {"chunks": True}
                stub = {key: value for key, value in stub.items() if key != "stub"} | place
            result[name] = stub
        return result


def check_piece(operation: Object) -> None:
    """Refuses an invalid offset or limit."""
    for name in ("offset", "limit"):
        if not is_count(operation.get(name, 0)):
            raise Refusal("badRequest", path=name)


def digests(sets: Iterable[dict[str, Object]]) -> set[str]:
    """Returns the digests of all attachments of some sets."""
    return {stub["digest"] for stubs in sets for stub in stubs.values()}
