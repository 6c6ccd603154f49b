"""The modes of variation: permitted differences between a correct store and the bundled ones.

A mode is a class with a name and hooks:

    request(message)            changes a line of the runner; may return a response instead of sending it
    reply(message, request)     changes a line of the adapter
    syntax(syntax)              changes how the lines of the adapter are encoded
    send(out, line)             writes the bytes of a line to the pipe
"""

import sys
import time

import json_text
from json_text import Number
from sequences import SEQUENCE_MODES


class Mode:
    name = ""

    def __init__(self, random):
        self.random = random

    def request(self, message):
        return None

    def reply(self, message, request):
        pass

    def syntax(self, syntax):
        pass

    send = None


def mode(name, **hooks):
    """Returns a mode whose hooks are functions."""
    return type(name, (Mode,), {"name": name, "__doc__": None, **hooks})


def objects(value):
    """Yields all objects of a value outside of bodies."""
    if isinstance(value, dict):
        yield value
        for name, member in value.items():
            if name == "attachments" and isinstance(member, dict):
                # An attachment may have any name, such as "body".
                for attachment in member.values():
                    yield from objects(attachment)
            elif name not in ("body", "entity"):
                yield from objects(member)
    elif isinstance(value, list):
        for element in value:
            yield from objects(element)


# Members, numbers, texts and blanks.

def reversed_members(mode, syntax):
    syntax.members = lambda members: members[::-1]


def sorted_members(mode, syntax):
    syntax.members = lambda members: sorted(members, key=lambda member: member[0].encode())


def shuffled_members(mode, syntax):
    syntax.members = lambda members: mode.random.sample(members, len(members))


def is_small(number):
    return number.is_integer and abs(int(number)) <= 1 << 53


def with_exponent(number):
    """1 as 1e0 and 1200 as 12e2. Numbers above 2^53 are unchanged, because doubles round them."""
    if not is_small(number) or number.startswith("-0"):
        return str(number)
    digits = number.rstrip("0")
    if digits in ("", "-"):
        return "0e0"
    return f"{digits}e{len(number) - len(digits)}"


def with_fraction(number):
    """1 as 1.0, and 1.5 as 1.500."""
    if is_small(number):
        return f"{number}.0"
    return f"{number}00" if "." in number and "e" not in number.lower() else str(number)


def with_long_exponent(number):
    """1 as 1.00E+00, and 10 as 100.00E-01."""
    if not is_small(number):
        return number.replace("e", "E") if "e+" in number or "e-" in number else str(number)
    return f"{number}.00E+00" if len(number) % 2 else f"{number}0.00E-01"


def number_mode(name, write):
    def syntax(mode, syntax):
        syntax.number = write
    return mode(name, syntax=syntax)


def escape_mode(name, escape):
    def syntax(mode, syntax):
        syntax.escape = escape
    return mode(name, syntax=syntax)


def blanks(mode, syntax):
    syntax.blanks = lambda: mode.random.choice(["", " ", "\t", "  "])


# Lists without an order.

def reorder(reply, request, order):
    ok = reply.get("ok")
    operation = request.get("perform") or {}
    name = operation.get("op")
    if not isinstance(ok, dict):
        return
    if name == "leaves":
        ok["leaves"] = ok["leaves"][:1] + order(ok["leaves"][1:])
    elif name == "changes":
        for row in ok["rows"]:
            row["leaves"] = row["leaves"][:1] + order(row["leaves"][1:])
    elif name == "revsDiff":
        ok["results"] = order(ok["results"])
        for result in ok["results"]:
            result["missing"] = order(result["missing"])
            result["possibleAncestors"] = order(result["possibleAncestors"])
    elif name == "purge":
        ok["purged"] = order(ok["purged"])
    elif name == "resolve":
        ok["tombstones"] = order(ok["tombstones"])
    elif name == "getRevisions":
        latest = [query.get("latest") for query in operation["docs"] for _ in query["revs"]]
        for result, is_latest in zip(ok["results"], latest):
            if is_latest and "records" in result:
                result["records"] = order(result["records"])
    elif name == "batch":
        for write, result in zip(operation["writes"], ok["results"]):
            if write.get("op") == "resolve":
                result["tombstones"] = order(result["tombstones"])


def reverse_unordered(mode, reply, request):
    reorder(reply, request, lambda values: values[::-1])


def shuffle_unordered(mode, reply, request):
    reorder(reply, request, lambda values: mode.random.sample(values, len(values)))


# Optional members.

def omit_deleted(mode, reply, request):
    for value in objects(reply.get("ok")):
        if value.get("deleted") is False:
            del value["deleted"]


def say_deleted(mode, reply, request):
    """Adds `deleted: false` at every place where it is optional and absent."""
    ok, name = reply.get("ok"), (request.get("perform") or {}).get("op")
    if not isinstance(ok, dict):
        return
    if name == "read":
        ok.setdefault("deleted", False)
    for row in ok.get("rows", []) if name == "changes" else []:
        for value in [row] + row["leaves"]:
            value.setdefault("deleted", False)
    for leaf in ok.get("leaves", []) if name == "leaves" else []:
        leaf.setdefault("deleted", False)
    for result in ok.get("results", []) if name == "getRevisions" else []:
        for record in result.get("records", []):
            record.setdefault("deleted", False)


def errors(reply, request):
    """Yields all errors of a response, including those of single records."""
    if "error" in reply and "hello" not in request:
        yield reply["error"]
    if (request.get("perform") or {}).get("op") == "insertRevisions" and "ok" in reply:
        yield from (result["error"] for result in reply["ok"]["results"] if "error" in result)


def say_messages(mode, reply, request):
    for error in errors(reply, request):
        error["message"] = "\x00\x1b[31m::error::\u202e \"<&>\\ " + "\U0001f4a5" * 50


def omit_messages(mode, reply, request):
    for error in errors(reply, request):
        error.pop("message", None)


def own_digests(mode, reply, request):
    """Attachments have `ownDigest`, the digest that a product itself computes."""
    for value in objects(reply.get("ok")):
        attachments = value.get("attachments")
        for attachment in attachments.values() if isinstance(attachments, dict) else []:
            if "digest" in attachment:
                attachment["ownDigest"] = "md5-" + attachment["digest"][7:29] + "=="


def bare_hello(mode, reply, request):
    """Removes the optional members of `hello`; their defaults are the least capable ones."""
    if "hello" in request and "ok" in reply:
        for name in ("language", "homepage", "limits", "deterministic", "crashes", "pipelining"):
            reply["ok"].pop(name, None)


# Pieces and pages.

def small_pieces(mode, request):
    """Content is read in pieces of 65,536 bytes, the smallest limit of a store."""
    operation = request.get("perform")
    if operation and operation.get("op") == "readAttachment":
        limit = operation.get("limit")
        if limit is None or int(limit) > 65536:
            operation["limit"] = Number(65536)


# Time and bytes.

def slowly(mode, out, line):
    """Delays each line by 1 ms, and every 200th line by 100 ms."""
    mode.count = getattr(mode, "count", 0) + 1
    time.sleep(0.1 if mode.count % 200 == 0 else 0.001)
    write(out, line)


def late_ends(mode, out, line):
    """Sends the line feed 0.5 ms after the line."""
    write(out, line[:-1])
    time.sleep(0.0005)
    write(out, line[-1:])


def single_bytes(mode, out, line):
    """Sends single bytes; only the first and the last 128 KiB of a long line, because a write takes 1 µs."""
    edge = 1 << 17
    for place in range(min(len(line), edge)):
        write(out, line[place:place + 1])
    end = max(edge, len(line) - edge)
    write(out, line[edge:end])
    for place in range(end, len(line)):
        write(out, line[place:place + 1])


def odd_chunks(mode, out, line):
    """Sends chunks of 1 to 4,099 bytes, which split characters and lines anywhere."""
    place = 0
    while place < len(line):
        count = mode.random.choice([1, 2, 3, 5, 7, 31, 509, 4099])
        write(out, line[place:place + count])
        place += count


def long_lines(mode, out, line):
    """Every 10th line ends with 300,000 blanks, more than the capacity of a pipe."""
    mode.count = getattr(mode, "count", 0) + 1
    write(out, line[:-1] + b" " * 300_000 + b"\n" if mode.count % 10 == 0 else line)


def noise(mode, out, line):
    """The adapter logs before each response, every 500th time more than the capacity of a pipe."""
    mode.count = getattr(mode, "count", 0) + 1
    text = "é::warning::\x1b[0m" * (20_000 if mode.count % 500 == 0 else 1)
    sys.stderr.buffer.write(text.encode() + b"\xff\n")
    sys.stderr.buffer.flush()
    write(out, line)


def write(out, data):
    out.write(data)
    out.flush()


def modes():
    """Returns all modes by name."""
    from limits import LeastLimits
    from pages import RepeatedChanges
    known = [
        mode("members-reversed", syntax=reversed_members),
        mode("members-sorted", syntax=sorted_members),
        mode("members-shuffled", syntax=shuffled_members),
        number_mode("numbers-exponent", with_exponent),
        number_mode("numbers-fraction", with_fraction),
        number_mode("numbers-long", with_long_exponent),
        escape_mode("escapes-ascii", json_text.escape_ascii),
        escape_mode("escapes-all", json_text.escape_all),
        escape_mode("escapes-slashes", json_text.escape_slashes),
        mode("blanks", syntax=blanks),
        *SEQUENCE_MODES,
        mode("unordered-reversed", reply=reverse_unordered),
        mode("unordered-shuffled", reply=shuffle_unordered),
        mode("deleted-omitted", reply=omit_deleted),
        mode("deleted-explicit", reply=say_deleted),
        mode("errors-explained", reply=say_messages),
        mode("errors-bare", reply=omit_messages),
        mode("own-digests", reply=own_digests),
        mode("hello-bare", reply=bare_hello),
        LeastLimits,
        RepeatedChanges,
        mode("small-pieces", request=small_pieces),
        mode("slow", send=slowly),
        mode("late-ends", send=late_ends),
        mode("single-bytes", send=single_bytes),
        mode("odd-chunks", send=odd_chunks),
        mode("long-lines", send=long_lines),
        mode("noise", send=noise),
    ]
    return {mode.name: mode for mode in known}
