"""Expressions of `$regex` and of the patterns of attributes, matched in bounded time.

Written from `Vectors/README.md`, "Expressions". Python's `re` accepts a larger dialect and may take exponential
time.

An expression becomes a nondeterministic automaton: each state consumes one scalar, or leads to other states
without one. All reachable states advance together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

LARGEST_COUNT = 255
LARGEST_SIZE = 1000
# The bound of work per document: parts of expressions times bytes of texts.
LARGEST_WORK = 1 << 26
DEEPEST_GROUP = 32
PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
DIGITS = [("0", "9")]
CLASSES = {
    "d": DIGITS,
    "w": [*DIGITS, ("A", "Z"), ("_", "_"), ("a", "z")],
    "s": [("\t", "\r"), (" ", " ")],
}

Takes = Callable[[str], bool]


class NoPattern(ValueError):
    """An expression outside the dialect."""


@dataclass
class Node:
    """A part of an expression: `one` scalar, `begin`, `end`, a `sequence`, a `choice` or a `repeat`."""

    kind: str
    parts: list[Node] = field(default_factory=list)
    takes: Takes | None = None
    least: int = 1
    most: int | None = 1

    @property
    def size(self) -> int:
        """Returns the number of parts, with repetitions expanded."""
        inside = sum(part.size for part in self.parts)
        if self.kind == "repeat":
            return inside * max(self.least + 1 if self.most is None else self.most, 1)
        return inside or 1


class Parser:
    """Parses an expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def next(self) -> str:
        """Returns the next scalar; an empty text at the end."""
        return self.text[self.place : self.place + 1]

    def take(self) -> str:
        """Consumes and returns the next scalar."""
        scalar = self.next()
        if not scalar:
            raise NoPattern("unexpected end")
        self.place += 1
        return scalar

    def expression(self) -> Node:
        """Parses the complete expression."""
        node = self.choice(0)
        if self.next():
            raise NoPattern("the end of a group without its beginning")
        if node.size > LARGEST_SIZE:
            raise NoPattern("too large")
        return node

    def choice(self, depth: int) -> Node:
        """Parses sequences with `|` between them."""
        choices = [self.sequence(depth)]
        while self.next() == "|":
            self.take()
            choices.append(self.sequence(depth))
        return choices[0] if len(choices) == 1 else Node("choice", choices)

    def sequence(self, depth: int) -> Node:
        """Parses a sequence of parts."""
        parts: list[Node] = []
        while self.next() not in ("", "|", ")"):
            parts.append(self.repeated(self.atom(depth)))
        return Node("sequence", parts)

    def atom(self, depth: int) -> Node:
        """Parses a part that may be repeated."""
        scalar = self.take()
        if scalar == "(":
            if depth == DEEPEST_GROUP or self.next() == "?":
                raise NoPattern("unsupported group, or too many levels")
            inside = self.choice(depth + 1)
            if self.next() != ")":
                raise NoPattern("a group without an end")
            self.take()
            return Node("sequence", [inside])
        if scalar in "*+?{}]":
            raise NoPattern(f"unexpected {scalar}")
        if scalar in "^$":
            return Node("begin" if scalar == "^" else "end")
        if scalar == ".":
            return Node("one", takes=lambda each: each != "\n")
        if scalar == "[":
            return Node("one", takes=self.set())
        return Node("one", takes=among(self.escape() if scalar == "\\" else [(scalar, scalar)]))

    def escape(self) -> list[tuple[str, str]]:
        """Returns the scalars of an escape."""
        scalar = self.take()
        if scalar in PUNCTUATION:
            return [(scalar, scalar)]
        if scalar not in CLASSES:
            raise NoPattern(f"unknown escape \\{scalar}")
        return CLASSES[scalar]

    def set(self) -> Takes:
        """Parses a set in brackets."""
        is_negative = self.next() == "^"
        if is_negative:
            self.take()
        ranges: list[tuple[str, str]] = []
        while (scalar := self.take()) != "]":
            if scalar == "[":
                raise NoPattern("a set within a set")
            found = self.escape() if scalar == "\\" else [(scalar, scalar)]
            # A hyphen at the end of a set is literal.
            if self.next() == "-" and self.text[self.place + 1 : self.place + 2] != "]":
                found = [self.range(found)]
            ranges += found
        if not ranges:
            raise NoPattern("an empty set")
        takes = among(ranges)
        return (lambda each: not takes(each)) if is_negative else takes

    def range(self, first: list[tuple[str, str]]) -> tuple[str, str]:
        """Parses a range after its first end."""
        self.take()
        scalar = self.take()
        ends = first + (self.escape() if scalar == "\\" else [(scalar, scalar)])
        if len(ends) != 2 or any(low != high for low, high in ends):
            raise NoPattern("the ends of a range must be scalars")
        if ends[0] > ends[1]:
            raise NoPattern("a range in descending order")
        return ends[0][0], ends[1][0]

    def repeated(self, node: Node) -> Node:
        """Parses the optional repetition of a node."""
        sign = self.next()
        if not sign or sign not in "*+?{":
            return node
        self.take()
        if node.kind in ("begin", "end"):
            raise NoPattern("a repeated anchor")
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign) or self.counts()
        following = self.next()
        if following and following in "*+?{":
            raise NoPattern("a repeated repetition")
        return Node("repeat", [node], least=least, most=most)

    def counts(self) -> tuple[int, int | None]:
        """Parses the counts in braces."""
        least = most = self.number()
        if self.next() == ",":
            self.take()
            most = None if self.next() == "}" else self.number()
        if self.take() != "}" or most is not None and most < least:
            raise NoPattern("no such count")
        return least, most

    def number(self) -> int:
        """A count."""
        begin = self.place
        while self.next() and self.next() in "0123456789":
            self.take()
        digits = self.text[begin : self.place]
        if not digits or len(digits) > 9 or int(digits) > LARGEST_COUNT:
            raise NoPattern("no such count")
        return int(digits)


def among(ranges: list[tuple[str, str]]) -> Takes:
    """Returns whether a scalar is in one of some ranges."""
    return lambda scalar: any(first <= scalar <= last for first, last in ranges)


class Pattern:
    """A compiled expression. The constructor raises `NoPattern`."""

    def __init__(self, text: str) -> None:
        # A state is a condition and the next states. State 0 is a match.
        self.states: list[tuple[Any, list[int]]] = [("match", [])]
        expression = Parser(text).expression()
        self.size = expression.size
        self.first = self.add(expression, 0)

    def add(self, node: Node, then: int) -> int:
        """Adds the states of a node, which lead to `then`, and returns the first of them."""
        if node.kind == "sequence":
            for part in reversed(node.parts):
                then = self.add(part, then)
            return then
        if node.kind == "choice":
            return self.state(None, [self.add(part, then) for part in node.parts])
        if node.kind == "repeat":
            return self.add_repeated(node, then)
        return self.state(node.takes or node.kind, [then])

    def add_repeated(self, node: Node, then: int) -> int:
        """Adds the states of a repetition."""
        part = node.parts[0]
        if node.most is None:
            loop = self.state(None, [then])
            self.states[loop][1].insert(0, self.add(part, loop))
            last = loop
        else:
            last = then
            for _ in range(node.most - node.least):
                last = self.state(None, [self.add(part, last), then])
        for _ in range(node.least):
            last = self.add(part, last)
        return last

    def state(self, condition: Any, behind: list[int]) -> int:
        """Adds a state."""
        self.states.append((condition, behind))
        return len(self.states) - 1

    def reached(self, begun: Iterable[int], is_begin: bool, is_end: bool) -> set[int]:
        """Returns the states reachable from some others that consume a scalar or are a match."""
        seen, waiting, reached = set(), list(begun), set()
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            condition, behind = self.states[number]
            if callable(condition) or condition == "match":
                reached.add(number)
            elif condition is None or (is_begin if condition == "begin" else is_end):
                waiting += behind
        return reached

    def work(self, text: str) -> int:
        """Returns the work of a text: parts of the expression times bytes of the text."""
        return self.size * len(text.encode())

    def is_found(self, text: str, whole: bool = False) -> bool:
        """Returns whether a text has a match at any position, or is a match as a whole."""
        begun = {self.first}
        for place in range(len(text) + 1):
            is_end = place == len(text)
            reached = self.reached(begun, place == 0, is_end)
            if 0 in reached and (is_end or not whole):
                return True
            if is_end:
                break
            states = [self.states[number] for number in reached]
            taken = [behind for takes, behind in states if callable(takes) and takes(text[place])]
            begun = {number for behind in taken for number in behind}
            if not whole:
                begun.add(self.first)
        return False
