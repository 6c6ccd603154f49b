"""Parsing of the textual format of predicates, without a model.

Written from `Vectors/README.md`, "Predicates".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from object_mapping import bad
from object_values import Decimal, Double, is_number
from revision_ids import Object, Refusal, is_text

# Seconds from 1970-01-01 to 2001-01-01.
YEAR_2001 = 978_307_200
# The largest depth of parentheses, which are parsed recursively.
DEEPEST = 100
QUANTIFIERS = {"ANY": "ANY", "SOME": "ANY", "ALL": "ALL", "NONE": "NONE"}
CONSTANTS = {"NIL": None, "NULL": None, "YES": True, "TRUE": True, "NO": False, "FALSE": False}
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
SPELLINGS = {"=": "==", "<>": "!=", "=<": "<=", "=>": ">="}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
WORDS = {"BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN", "BETWEEN"}
RESERVED = {*QUANTIFIERS, *CONSTANTS, *WORDS, "AND", "OR", "NOT", "TRUEPREDICATE", "FALSEPREDICATE"}
TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<key>%K)
    | (?P<argument>%(?:@|(?:hh?|ll?|q|z|t|j)?[diuxXocsS]|L?[eEfFgGaA]))
    | (?P<word>@?[^\W\d][\w$]*)
    | (?P<sign>==|=<|=>|<=|>=|<>|!=|&&|\|\||[=<>!(){}\[\],.+*/:$^#@-])
    )""",
    re.VERBOSE | re.DOTALL,
)


def bad_format() -> Refusal:
    """Returns the error of a malformed predicate."""
    return bad("badFormat")


def unsupported(name: str) -> Refusal:
    """Returns the error of a part of the language that is not supported."""
    return bad("unsupported", name)


# Constants


@dataclass(frozen=True)
class Number:
    """A number constant: its exact digits, and the nearest double."""

    exact: Fraction
    value: int | float


@dataclass(frozen=True)
class Date:
    """A date, in seconds since 1970-01-01."""

    seconds: float


@dataclass(frozen=True)
class ObjectID:
    """An object constant."""

    id: str


def read_number(text: str) -> Number:
    """Parses a number in the text."""
    return Number(Fraction(text), int(text) if text.isdigit() else float(text))


def read_argument(value: Any) -> Any:
    """Returns the value of an argument: None, a bool, a text, a list, or one of the classes above."""
    if value is None or isinstance(value, bool) or is_text(value):
        return value
    if is_number(value):
        return Number(Fraction(repr(value)), value)
    if isinstance(value, list):
        if any(isinstance(each, list) for each in value):
            raise bad_format()
        return [read_argument(each) for each in value]
    kind, said = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else ("", None)
    if kind == "date" and is_number(said):
        return Date(said)
    if kind == "object" and is_text(said):
        return ObjectID(said)
    if kind == "decimal" and is_text(said):
        decimal = Decimal(None) if said == "NaN" else Decimal.read(said)
        if decimal is not None:
            return decimal
    if kind == "image" and is_text(said) and re.fullmatch("[0-9a-fA-F]{16}", said):
        return Double(int(said, 16))
    raise bad_format()


# Parsed predicates


@dataclass(frozen=True)
class KeyPath:
    """The names on a path; empty for the object itself. The last name may begin with `@`."""

    names: tuple[str, ...]


@dataclass
class Predicate:
    """A `comparison`, `and`, `or`, `not`, `true` or `false`."""

    kind: str
    parts: list[Predicate] = field(default_factory=list)
    quantifier: str | None = None
    operator: str = ""
    path: KeyPath = KeyPath(())
    constant: Any = None
    ignores_case: bool = False

    def comparisons(self) -> list[Predicate]:
        """Returns all comparisons in the predicate."""
        inside = [each for part in self.parts for each in part.comparisons()]
        return [self] if self.kind == "comparison" else inside


class Parser:
    """Parses a predicate from left to right."""

    def __init__(self, text: Any, arguments: Any) -> None:
        self.arguments = list(arguments) if isinstance(arguments, list) else []
        self.tokens: list[tuple[str, str]] = []
        if not is_text(text):
            raise bad_format()
        place, end = 0, len(text.rstrip())
        while place < end:
            match = TOKEN.match(text, place)
            if match is None or match.lastgroup is None:
                raise bad_format()
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            place = match.end()
        self.place = self.depth = 0

    @property
    def next(self) -> tuple[str, str]:
        """Returns the next token."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        """Consumes and returns the next token."""
        token = self.next
        self.place += 1
        return token

    def skips(self, *texts: str) -> bool:
        """Consumes the next token if it is one of these. Keywords match in any letter case."""
        kind, text = self.next
        is_one = kind in ("word", "sign") and (text if kind == "sign" else text.upper()) in texts
        self.place += is_one
        return is_one

    def demand(self, text: str) -> None:
        """Consumes a required token."""
        if not self.skips(text):
            raise bad_format()

    def argument(self) -> Any:
        """Returns the next argument."""
        if not self.arguments:
            raise bad_format()
        return self.arguments.pop(0)

    # Predicates

    def all(self) -> Predicate:
        """Parses the whole predicate."""
        predicate = self.alternatives()
        if self.next[0] != "end" or self.arguments:
            raise bad_format()
        return predicate

    def alternatives(self) -> Predicate:
        """Parses parts with `OR` between them."""
        parts = [self.conjunction()]
        while self.skips("OR", "||"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else Predicate("or", parts)

    def conjunction(self) -> Predicate:
        """Parses parts with `AND` between them."""
        parts = [self.negation()]
        while self.skips("AND", "&&"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else Predicate("and", parts)

    def negation(self) -> Predicate:
        """Parses any number of `NOT`, then a comparison or a constant predicate."""
        is_denied = False
        while self.skips("NOT", "!"):
            is_denied = not is_denied
        inside = self.primary()
        return Predicate("not", [inside]) if is_denied else inside

    def primary(self) -> Predicate:
        """Parses a comparison, a constant predicate, or parentheses."""
        if self.skips("TRUEPREDICATE"):
            return Predicate("true")
        if self.skips("FALSEPREDICATE"):
            return Predicate("false")
        if self.skips("("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise bad_format()
            inside = self.alternatives()
            self.depth -= 1
            self.demand(")")
            return inside
        return self.comparison()

    def comparison(self) -> Predicate:
        """Parses the comparison of one key path."""
        word = self.next[1].upper() if self.next[0] == "word" else ""
        quantifier = QUANTIFIERS.get(word)
        if quantifier:
            self.take()
        left = self.expression()
        operator, ignores_case = self.operator()
        right = self.expression()
        # Comparisons of two key paths, or of two constants.
        if isinstance(left, KeyPath) == isinstance(right, KeyPath):
            raise unsupported(operator)
        if operator not in ("IN", "BETWEEN") and (isinstance(left, list) or isinstance(right, list)):
            raise unsupported(operator)
        if not isinstance(left, KeyPath):
            left, right = right, left
            if operator == "IN":
                operator = "CONTAINS"
            elif operator in MIRRORED:
                operator = MIRRORED[operator]
            else:
                raise unsupported(operator)
        return Predicate("comparison", [], quantifier, operator, left, right, ignores_case)

    def operator(self) -> tuple[str, bool]:
        """Parses an operator, and the optional `[c]` after it."""
        kind, text = self.take()
        operator = SPELLINGS.get(text, text) if kind == "sign" else text.upper()
        if kind not in ("word", "sign") or operator not in COMPARISONS | WORDS:
            raise unsupported(text) if kind == "sign" and text in ("+", "-", "*", "/") else bad_format()
        ignores_case = False
        if self.skips("["):
            kind, letters = self.take()
            self.demand("]")
            if kind != "word":
                raise bad_format()
            if not set(letters.lower()) <= set("cdln"):
                raise bad_format()
            for letter in letters.lower().replace("c", ""):
                raise unsupported(f"[{letter}]")
            ignores_case = True
        return operator, ignores_case

    # Expressions

    def expression(self) -> Any:
        """Parses a key path or a constant."""
        expression = self.operand()
        kind, text = self.next
        if kind == "sign" and text in ("+", "-", "*", "/"):
            raise unsupported(text)
        return expression

    def operand(self) -> Any:
        """Parses a key path or a constant, without arithmetic."""
        kind, text = self.take()
        if kind == "key":
            name = self.argument()
            if not is_text(name) or name == "":
                raise bad_format()
            return self.path([] if name == "SELF" else name.split("."))
        if kind == "argument":
            return read_argument(self.argument())
        if kind == "number":
            return read_number(text)
        if kind == "text":
            return re.sub(r"\\(.)", lambda sign: ESCAPES.get(sign[1], sign[1]), text[1:-1], flags=re.DOTALL)
        if kind == "sign" and text in "+-" and self.next[0] == "number":
            number = read_number(self.take()[1])
            return number if text == "+" else Number(-number.exact, -number.value)
        if (kind, text) == ("sign", "{"):
            return self.list()
        if kind == "word":
            return self.word(text)
        raise bad_format()

    def list(self) -> list[Any]:
        """Parses a list in braces."""
        elements: list[Any] = []
        while not self.skips("}"):
            if elements:
                self.demand(",")
            elements.append(self.expression())
        if any(isinstance(each, KeyPath) for each in elements):
            raise unsupported("{}")
        if any(isinstance(each, list) for each in elements):
            raise bad_format()
        return elements

    def word(self, text: str) -> Any:
        """Parses a named constant, a date, or a key path."""
        if text.upper() in CONSTANTS:
            return CONSTANTS[text.upper()]
        if self.skips("("):
            return self.cast(text)
        if text.upper() == "SELF":
            return self.path([])
        if text.upper() in RESERVED:
            raise bad_format()
        return self.path([text])

    def path(self, names: list[str]) -> KeyPath:
        """Parses the rest of a key path."""
        while self.skips("."):
            kind, text = self.take()
            if kind != "word":
                raise bad_format()
            names.append(text)
        for place, name in enumerate(names):
            if name == "":
                raise bad_format()
            if name.startswith("@") and (name != "@count" or place + 1 < len(names)):
                raise unsupported(name)
        return KeyPath(tuple(names))

    def cast(self, function: str) -> Date:
        """Parses `CAST(SECONDS, "NSDate")`, the only function."""
        if function.upper() != "CAST":
            raise unsupported(function)
        seconds = self.operand()
        self.demand(",")
        type_name = self.operand()
        self.demand(")")
        if not isinstance(seconds, Number) or not isinstance(type_name, str):
            raise bad_format()
        if type_name != "NSDate":
            raise unsupported(function)
        return Date(seconds.value + YEAR_2001)


def read_predicate(said: Object) -> Predicate:
    """Returns the predicate of an operation; the predicate true if it has none."""
    if "predicate" not in said:
        if said.get("arguments"):
            raise bad_format()
        return Predicate("true")
    return Parser(said["predicate"], said.get("arguments", [])).all()
