"""JSON values that keep the digits of their numbers, and a writer with a configurable syntax."""

import array
import json
import re
import sys


class Number(str):
    """A number with its digits."""

    @property
    def is_integer(self):
        return not any(mark in self for mark in ".eE")


def read(line):
    """Returns the value of a line. Numbers keep their digits, and objects the order of their members."""
    return json.loads(line, parse_int=Number, parse_float=Number, parse_constant=_no_constant)


def _no_constant(text):
    raise ValueError(f"{text} is not JSON")


SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _hex_escape(character):
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02X}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def escape_least(text):
    """Escapes only the characters that require it, each in its shortest form."""
    if not re.search(r'[\x00-\x1f"\\]', text):
        return text
    return "".join(
        character if character >= " " and character not in '"\\'
        else SHORT.get(character) or _hex_escape(character) for character in text)


def escape_ascii(text):
    """Escapes all characters that are not ASCII, and U+007F."""
    if not re.search(r'[^ -~]|["\\]', text):
        return text
    return "".join(
        character if " " <= character < "\x7f" and character not in '"\\'
        else SHORT.get(character) or _hex_escape(character) for character in text)


# The escape of each UTF-16 code unit.
ESCAPES = [f"\\u{unit >> 8:02X}{unit & 255:02x}" for unit in range(1 << 16)]


def escape_all(text):
    """Writes every character as \\u and 4 digits."""
    units = array.array("H", text.encode("utf-16-le" if sys.byteorder == "little" else "utf-16-be",
                                         "surrogatepass"))
    return "".join(map(ESCAPES.__getitem__, units))


def escape_slashes(text):
    """Also escapes slashes, and uses no short forms."""
    return "".join(
        "\\/" if character == "/" else "\\" + character if character in '"\\'
        else character if character >= " " else _hex_escape(character) for character in text)


class Syntax:
    """The syntax of values: a function for texts, one for numbers of bodies, one for the members of an
    object, and the blanks between tokens."""

    def __init__(self):
        self.escape = escape_least
        self.number = None
        self.members = None
        self.blanks = None

    def write(self, value, in_body=False, bodies=("body", "entity")):
        """Returns the text of a value. Only numbers in bodies may change their form; `bodies` are the
        members that contain one."""
        blank = self.blanks() if self.blanks else ""
        if isinstance(value, Number):
            text = self.number(value) if self.number and in_body else str(value)
        elif isinstance(value, str):
            text = '"' + self.escape(value) + '"'
        elif isinstance(value, dict):
            members = list(value.items())
            if self.members:
                members = self.members(members)
            text = "{" + ",".join(
                f'{blank}"{self.escape(name)}"{blank}:'
                + self.write(
                    member, in_body or name in bodies,
                    # An attachment may have any name, such as "body".
                    () if name == "attachments" else ("body", "entity"))
                for name, member in members) + blank + "}"
        elif isinstance(value, list):
            text = "[" + ",".join(self.write(element, in_body) for element in value) + blank + "]"
        else:
            text = {True: "true", False: "false", None: "null"}[value]
        return blank + text + blank


def size(value):
    """Returns the size of a value as JSON without blanks, in bytes."""
    return len(Syntax().write(value).encode())


def depth(value):
    """Returns the number of arrays and objects that contain each other; 1 for {}."""
    if isinstance(value, dict):
        return 1 + max((depth(member) for member in value.values()), default=0)
    if isinstance(value, list):
        return 1 + max((depth(element) for element in value), default=0)
    return 0
