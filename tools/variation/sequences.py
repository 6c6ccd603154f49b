"""Other forms of sequences: texts, integers with gaps, arrays. The store receives its own sequences."""

import json
import zlib

import json_text
from json_text import Number


class Sequences:
    """Rewrites the sequences of `info` and `changes`, and restores those of the store in `since`."""

    name = ""
    send = None

    def __init__(self, random):
        self.random = random
        # The sequence of the store, by the rewritten one.
        self.own = {}
        # Numbers of sequences that do not begin with a number.
        self.numbers = {}

    def request(self, message):
        operation = message.get("perform")
        if operation and operation.get("op") == "changes" and "since" in operation:
            own = self.own.get(self.key(operation["since"]))
            if own is not None:
                operation["since"] = own
        return None

    def reply(self, message, request):
        name, ok = (request.get("perform") or {}).get("op"), message.get("ok")
        if name not in ("info", "changes") or not isinstance(ok, dict):
            return
        ok["last"] = self.shown(ok["last"])
        for row in ok.get("rows", []):
            row["seq"] = self.shown(row["seq"])

    def syntax(self, syntax):
        pass

    def shown(self, own):
        shown = self.form(own)
        self.own[self.key(shown)] = own
        return shown

    @staticmethod
    def key(sequence):
        return json.dumps(sequence) + type(sequence).__name__

    @staticmethod
    def text(own):
        return json_text.Syntax().write(own)

    def place(self, own):
        """Returns the number in a sequence of the bundled stores, and the rest of the text.

        Sequences of other stores are numbered in the order in which they appear.
        """
        number, _, rest = str(own).partition("-")
        if number.isascii() and number.isdecimal():
            return int(number), rest
        text = self.text(own)
        return self.numbers.setdefault(text, len(self.numbers) + 1), text


class Texts(Sequences):
    name = "sequences-text"

    def form(self, own):
        return "~" + self.text(own).encode().hex()


class LongTexts(Sequences):
    name = "sequences-long"

    def form(self, own):
        return "\"\\/ é\U0001f4a5\u2028" * 500 + self.text(own)


class JSONTexts(Sequences):
    """Texts that look like JSON, and like integers."""

    name = "sequences-like-json"

    def form(self, own):
        number, rest = self.place(own)
        return str((number << 20) + zlib.crc32(rest.encode()) % (1 << 20))


class Integers(Sequences):
    """Integers with gaps, which are distinct for each incarnation."""

    name = "sequences-integers"

    def form(self, own):
        number, rest = self.place(own)
        return Number((number << 20) + zlib.crc32(rest.encode()) % (1 << 20))


class Arrays(Sequences):
    name = "sequences-arrays"

    def form(self, own):
        number, _ = self.place(own)
        return [Number(number), self.text(own)]


SEQUENCE_MODES = [Texts, LongTexts, JSONTexts, Integers, Arrays]
