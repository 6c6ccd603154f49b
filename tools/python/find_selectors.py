"""Selectors. Written from `Vectors/README.md`, "Selectors".

A selector is parsed once, and becomes a function of documents. A document is its body with the additional
members `_id` and `_rev`, whose names a body cannot have.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from find_geography import SHAPES, read_near, read_within
from find_patterns import LARGEST_WORK, NoPattern, Pattern
from revision_ids import Object, Refusal

Path = tuple[str, ...]
# A predicate of objects, and a predicate of values or MISSING.
Selects = Callable[[Object], bool]
Holds = Callable[[Any], bool]

MISSING = object()
KINDS = {"null", "boolean", "number", "string", "array", "object"}
COMBINATIONS = {"$and", "$or", "$nor", "$not", "$text"}
NUMERAL = re.compile(r"[+-]?(?=\.?[0-9])[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]{1,6})?")
LONGEST_NUMERAL = 1000
WORD = re.compile("[A-Za-z0-9\x80-\U0010ffff]+")
CAPITALS = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}


def bad_selector(operator: str, where: str) -> Refusal:
    """Returns the error of an operator at an invalid place or with an invalid operand."""
    return Refusal("badSelector", operator=operator, path=where)


# Paths


def read_path(text: Any) -> Path | None:
    """Returns the names on a path; None for an invalid path."""
    if not isinstance(text, str) or not re.fullmatch(r"(?:[^\\]|\\[.\\$])*", text, re.DOTALL):
        return None
    names = [""]
    for part in re.findall(r"\\.|.", text, re.DOTALL):
        if part == ".":
            names.append("")
        else:
            names[-1] += part[-1]
    return tuple(names)


def value_at(document: Any, path: Path) -> Any:
    """Returns the value at a path through objects; MISSING if there is none."""
    for name in path:
        if not isinstance(document, dict) or name not in document:
            return MISSING
        document = document[name]
    return document


# Values


def same_value(a: Any, b: Any) -> bool:
    """Returns whether two JSON values are equal. In Python True == 1; in JSON they differ."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    return bool(a == b)


def kind_of(value: Any) -> str:
    """Returns the kind of a JSON value."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def rank(value: Any) -> tuple[int, Any] | None:
    """Returns the key of a value for comparisons; None for a value that is not comparable."""
    place = {"boolean": 0, "number": 1, "string": 2}.get(kind_of(value)) if value is not MISSING else None
    if place is None:
        return None
    return place, value.encode() if place == 2 else value


def sort_rank(value: Any) -> tuple[int, Any]:
    """Returns the sort key of a value. All arrays are equal, and so are all objects."""
    if value is MISSING or value is None:
        return (0 if value is MISSING else 1), 0
    place, content = rank(value) or (3 if isinstance(value, list) else 4, 0)
    return place + 2, content


def whole(value: Any) -> int | None:
    """Returns a number as an integer; None for other values."""
    if kind_of(value) != "number" or value != value // 1:
        return None
    return int(value)


def read_numeral(text: Any) -> Decimal | None:
    """Returns the decimal number in a text, which compares exactly; None for other values."""
    if not isinstance(text, str) or len(text) > LONGEST_NUMERAL or not NUMERAL.fullmatch(text):
        return None
    return Decimal(text)


def words(text: str) -> set[str]:
    """Returns the words of a text, with ASCII letters in lower case."""
    return {word.translate(CAPITALS) for word in WORD.findall(text)}


# Selectors


class WorkTally:
    """The work of expressions on the current document."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(self, pattern: Pattern, text: str) -> None:
        """Adds the work of one match. Raises Refusal beyond the bound."""
        self.spent += pattern.work(text)
        if self.spent > LARGEST_WORK:
            raise Refusal("tooLarge", limit=LARGEST_WORK)


TALLY = WorkTally()


def read_selector(said: Any) -> Selects:
    """Parses a selector. All of its members must hold."""
    selects_part = read_part(said, "selector", is_of_element=False)

    def selects(document: Object) -> bool:
        TALLY.spent = 0
        return selects_part(document)

    return selects


def read_part(said: Any, where: str, is_of_element: bool) -> Selects:
    """Parses a selector, or one within another."""
    members = [read_member(name, asked, f"{where}.{name}", is_of_element) for name, asked in said.items()]
    return lambda document: all(selects(document) for selects in members)


def read_member(name: str, asked: Any, where: str, is_of_element: bool) -> Selects:
    """Parses one member of a selector: a path with its conditions, or a combination of selectors."""
    if name == "$text" and not is_of_element:
        return read_text(asked, where)
    if name == "$not":
        if not isinstance(asked, dict):
            raise bad_selector(name, where)
        denied = read_part(asked, where, is_of_element)
        return lambda document: not denied(document)
    if name in ("$and", "$or", "$nor"):
        return read_combination(name, asked, where, is_of_element)
    if name.startswith("$"):
        raise misplaced(name, where)
    return read_question((), name, asked, where)


def misplaced(operator: str, where: str) -> Refusal:
    """Returns the error of an operator that is unknown or at an invalid place."""
    if operator in OPERATORS or operator in {*COMBINATIONS, *SHAPES, "$decimal", "$nearSphere", "$maxDistance"}:
        return bad_selector(operator, where)
    return Refusal("unsupported", what=operator)


def read_combination(name: str, asked: Any, where: str, is_of_element: bool) -> Selects:
    """`$and`, `$or` or `$nor`."""
    if not isinstance(asked, list):
        raise bad_selector(name, where)
    for place, said in enumerate(asked):
        if not isinstance(said, dict):
            raise bad_selector(name, f"{where}[{place}]")
    parts = [read_part(said, f"{where}[{place}]", is_of_element) for place, said in enumerate(asked)]
    if name == "$and":
        return lambda document: all(selects(document) for selects in parts)
    return lambda document: any(selects(document) for selects in parts) == (name == "$or")


def read_question(above: Path, name: str, asked: Any, where: str) -> Selects:
    """Parses the conditions of the value at a path, or of the values below it."""
    names = read_path(name)
    if names is None:
        raise bad_selector(name, where)
    path = above + names
    if isinstance(asked, dict) and asked and not any(each.startswith("$") for each in asked):
        below = [read_question(path, each, further, f"{where}.{each}") for each, further in asked.items()]
        return lambda document: all(selects(document) for selects in below)
    holds = read_operators(asked, where) if isinstance(asked, dict) and asked else read_equal(asked, where)
    return lambda document: holds(value_at(document, path))


def read_text(asked: Any, where: str) -> Selects:
    """`$text`: all words occur at some of the fields."""
    members = asked if isinstance(asked, dict) and asked.keys() == {"$search", "$fields"} else {}
    search, fields = members.get("$search"), members.get("$fields")
    paths = [read_path(each) for each in fields] if isinstance(fields, list) else []
    if not isinstance(search, str) or not paths:
        raise bad_selector("$text", where)
    if None in paths:
        raise bad_selector("$text", f"{where}.$fields[{paths.index(None)}]")
    wanted = words(search)

    def selects(document: Object) -> bool:
        found: set[str] = set()
        for path in paths:
            value = value_at(document, path)
            for each in value if isinstance(value, list) else [value]:
                found |= words(each) if isinstance(each, str) else set()
        return bool(wanted) and wanted <= found

    return selects


# Operators


def read_operators(said: Object, where: str) -> Holds:
    """Parses the operators of one value. All of them must hold."""
    parts = []
    for name, operand in said.items():
        inside = f"{where}.{name}"
        if name == "$nearSphere" or name == "$maxDistance" and "$nearSphere" in said:
            parts += [read_near(said, where)] if name == "$nearSphere" else []
            continue
        if name not in OPERATORS:
            raise misplaced(name, inside) if name.startswith("$") else bad_selector(name, inside)
        parts.append(OPERATORS[name](operand, inside))
    return lambda value: all(holds(value) for holds in parts)


def of_elements(holds: Holds) -> Holds:
    """Returns a condition that holds for an array if it holds for the array or for one of its elements."""
    return lambda value: holds(value) or isinstance(value, list) and any(map(holds, value))


def denied(read: Callable[[Any, str], Holds]) -> Callable[[Any, str], Holds]:
    """Returns the negation of a condition."""

    def read_denied(operand: Any, where: str) -> Holds:
        holds = read(operand, where)
        return lambda value: not holds(value)

    return read_denied


def decimal_of(operand: Any, where: str) -> Decimal | None:
    """Returns the number of a `$decimal`; None for other operands."""
    if not isinstance(operand, dict) or operand.keys() != {"$decimal"}:
        return None
    number = read_numeral(operand["$decimal"])
    if number is None:
        raise bad_selector("$decimal", f"{where}.$decimal")
    return number


def equals(operand: Any, where: str) -> Holds:
    """Returns the condition that a value equals an operand, without regard to elements."""
    number = decimal_of(operand, where)
    if number is not None:
        return lambda value: read_numeral(value) == number
    return lambda value: value is not MISSING and same_value(value, operand)


def read_equal(operand: Any, where: str) -> Holds:
    """`$eq`: the value itself, or an element of it."""
    return of_elements(equals(operand, where))


def read_in(operand: Any, where: str) -> Holds:
    """`$in`: one of some values."""
    if not isinstance(operand, list):
        raise bad_selector(where.rpartition(".")[2], where)
    parts = [equals(each, f"{where}[{place}]") for place, each in enumerate(operand)]
    return of_elements(lambda value: any(holds(value) for holds in parts))


def comparison(compare: Callable[[Any, Any], bool]) -> Callable[[Any, str], Holds]:
    """One of the four comparisons."""

    def read_comparison(operand: Any, where: str) -> Holds:
        number, bound = decimal_of(operand, where), rank(operand)
        if number is None and bound is None:
            raise bad_selector(where.rpartition(".")[2], where)
        place = read_numeral if number is not None else rank
        limit = number if number is not None else bound

        def holds(value: Any) -> bool:
            found = place(value)
            return found is not None and compare(found, limit)

        return of_elements(holds)

    return read_comparison


def read_exists(operand: Any, where: str) -> Holds:
    """`$exists`: a value is present or absent."""
    if not isinstance(operand, bool):
        raise bad_selector("$exists", where)
    return lambda value: (value is not MISSING) == operand


def read_type(operand: Any, where: str) -> Holds:
    """`$type`: the kind of the value itself."""
    if not isinstance(operand, str) or operand not in KINDS:
        raise bad_selector("$type", where)
    return lambda value: value is not MISSING and kind_of(value) == operand


def read_all(operand: Any, where: str) -> Holds:
    """`$all`: an array with all of some values."""
    if not isinstance(operand, list):
        raise bad_selector("$all", where)
    return lambda value: isinstance(value, list) and all(
        any(same_value(each, wanted) for each in value) for wanted in operand
    )


def read_size(operand: Any, where: str) -> Holds:
    """`$size`: an array with this number of elements."""
    count = whole(operand)
    if count is None or count < 0:
        raise bad_selector("$size", where)
    return lambda value: isinstance(value, list) and len(value) == count


def read_mod(operand: Any, where: str) -> Holds:
    """`$mod`: an integer with a remainder, which has the sign of the integer."""
    numbers = [whole(each) for each in operand] if isinstance(operand, list) else []
    good = len(numbers) == 2 and all(each is not None and -(1 << 63) <= each < 1 << 63 for each in numbers)
    if not good or numbers[0] == 0:
        raise bad_selector("$mod", where)
    divisor, remainder = numbers

    def holds(value: Any) -> bool:
        number = None if value is MISSING else whole(value)
        if number is None:
            return False
        left = abs(number) % abs(divisor)
        return (left if number >= 0 else -left) == remainder

    return of_elements(holds)


def read_regex(operand: Any, where: str) -> Holds:
    """`$regex`: a text with a match at any position."""
    try:
        pattern = Pattern(operand) if isinstance(operand, str) else None
    except NoPattern:
        pattern = None
    if pattern is None:
        raise bad_selector("$regex", where)

    def holds(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        TALLY.spend(pattern, value)
        return pattern.is_found(value)

    return of_elements(holds)


def read_not(operand: Any, where: str) -> Holds:
    """`$not`: a value for which not all of some operators hold."""
    # {} is a value without operators.
    if not isinstance(operand, dict) or not operand:
        raise bad_selector("$not", where)
    holds = read_operators(operand, where)
    return lambda value: not holds(value)


def read_element_match(operand: Any, where: str) -> Holds:
    """`$elemMatch`: an array with an element for which all conditions hold."""
    if not isinstance(operand, dict):
        raise bad_selector("$elemMatch", where)
    if asks_of_values(operand):
        holds = read_operators(operand, where)
    else:
        selects = read_part(operand, where, is_of_element=True)
        holds = lambda element: isinstance(element, dict) and selects(element)  # noqa: E731
    return lambda value: isinstance(value, list) and any(map(holds, value))


def asks_of_values(said: Object) -> bool:
    """Returns whether an object has operators, not members of a selector. For `$not` its operand decides."""
    return any(
        asks_of_values(asked) if name == "$not" and isinstance(asked, dict) else name.startswith("$")
        for name, asked in said.items()
        if name not in COMBINATIONS - {"$not"}
    )


OPERATORS: dict[str, Callable[[Any, str], Holds]] = {
    "$eq": read_equal,
    "$ne": denied(read_equal),
    "$in": read_in,
    "$nin": denied(read_in),
    "$lt": comparison(lambda found, limit: found < limit),
    "$lte": comparison(lambda found, limit: found <= limit),
    "$gt": comparison(lambda found, limit: found > limit),
    "$gte": comparison(lambda found, limit: found >= limit),
    "$exists": read_exists,
    "$type": read_type,
    "$all": read_all,
    "$size": read_size,
    "$elemMatch": read_element_match,
    "$mod": read_mod,
    "$regex": read_regex,
    "$not": read_not,
    "$within": read_within,
}
