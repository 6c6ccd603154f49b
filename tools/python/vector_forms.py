"""Generates the values that a step only describes: long texts, long lists and deep values.

`Vectors/README.md`, "Sizes", defines the forms. A form is beside a step and names a place in it, so a value in a
body is never a form.
"""

from __future__ import annotations

import base64
import copy
from typing import Any, Iterator

Object = dict[str, Any]

# The largest size of a generated value in bytes or elements, the largest depth, and the most repetitions.
LARGEST_SIZE = 2**24
LARGEST_DEPTH = 400
MOST_REPETITIONS = 1024
# The smallest limits of a store, which are also the defaults.
MINIMUM = {"bodyBytes": 1_000_000, "idBytes": 240, "depth": 64, "inlineBytes": 65_536, "attachmentBytes": 16_777_216}
KINDS = {"text", "base64", "list", "object", "nested", "number"}


def repetitions(step: Object) -> int:
    """Returns the number of repetitions of a step."""
    return int(step.get("times", 1))


def made(step: Object, limits: Object, repetition: int = 0) -> Object:
    """Returns the complete step, for a store that declares these limits."""
    if "fill" not in step:
        return step
    whole = {name: copy.deepcopy(step[name]) for name in ("do", "expect") if name in step}
    for fill in step["fill"]:
        *way, last = fill["at"]
        place: Any = whole
        for part in way:
            place = place[part]
        place[last]  # The place must exist: a form replaces a value.
        place[last] = value(fill, {**MINIMUM, **limits}, repetition)
    return whole


def value(fill: Object, limits: Object, repetition: int) -> Any:
    """Returns the value of a form."""
    (kind,) = fill.keys() & KINDS
    form = fill[kind]
    if kind == "number":
        if isinstance(form, dict) and "from" in form:
            return form["from"] + form["step"] * repetition
        return size(form, limits)
    if kind == "text":
        length, unit = size(form["bytes"], limits), form.get("of", "x")
        count, rest = divmod(length, len(unit.encode()))
        return unit * count + "x" * rest
    if kind == "base64":
        return base64.b64encode(bytes(size(form["bytes"], limits))).decode()
    if kind == "list":
        return [numbered(form["of"], digits) for digits in numbers(form, limits)]
    if kind == "object":
        return {form["name"].replace("#", each): numbered(form["of"], each) for each in numbers(form, limits)}
    inner: Any = [] if form["of"] == "array" else {}
    for _ in range(1, size(form["depth"], limits)):
        inner = [inner] if form["of"] == "array" else {"a": inner}
    return inner


def size(form: Any, limits: Object) -> int:
    """Returns a size: a number, or a limit of the store plus a number."""
    whole = form if isinstance(form, int) else limits[form["limit"]] + form.get("plus", 0)
    return max(0, min(whole, LARGEST_SIZE))


def numbers(form: Object, limits: Object) -> Iterator[str]:
    """Yields the numbers of the elements as texts."""
    for place in range(size(form["count"], limits)):
        number = form.get("from", 1) + form.get("step", 1) * place
        yield ("-" if number < 0 else "") + str(abs(number)).zfill(form.get("digits", 1))


def numbered(template: Any, digits: str) -> Any:
    """Returns a value with digits instead of each `#` in its texts and names."""
    if isinstance(template, str):
        return template.replace("#", digits)
    if isinstance(template, list):
        return [numbered(element, digits) for element in template]
    if isinstance(template, dict):
        return {name.replace("#", digits): numbered(inner, digits) for name, inner in template.items()}
    return template


def tested_limits(vector: Object) -> set[str]:
    """Returns the limits that the sizes of a vector refer to."""
    found: set[str] = set()
    for step in vector["steps"]:
        for fill in step.get("fill", []):
            (kind,) = fill.keys() & KINDS
            sizes = [fill[kind]] if kind == "number" else [fill[kind].get(name) for name in ("bytes", "count", "depth")]
            found |= {each["limit"] for each in sizes if isinstance(each, dict) and "limit" in each}
    return found


def limits_beyond(vector: Object, limits: Object) -> list[str]:
    """Returns the limits that exclude a vector: too low, not declared, or too large for any vector."""
    needs = {name: needed for name, needed in vector.get("needs", {}).items() if name in MINIMUM}
    beyond = {name for name, needed in needs.items() if limits.get(name, MINIMUM[name]) < needed}
    for name in tested_limits(vector):
        bound = LARGEST_DEPTH if name == "depth" else LARGEST_SIZE
        if name not in limits or limits[name] >= bound:
            beyond.add(name)
    return sorted(beyond)
