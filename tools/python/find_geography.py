"""Places and shapes of selectors. Written from `Vectors/README.md`, "Places".

A place is a longitude and a latitude in degrees, and becomes a vector of length 1. Distances are metres on a sphere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from revision_ids import Object, Refusal

RADIUS = 6_371_000
# Rounding errors of angles, far below a metre.
TINY = 1e-12
SHAPES = ("$box", "$centerSphere", "$polygon")

Vector = tuple[float, float, float]
Inside = Callable[[float, float], bool]


class NoShape(ValueError):
    """An operand that is not a shape."""


def number_of(value: Any) -> float | None:
    """Returns a JSON number, or None."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def place_of(value: Any) -> tuple[float, float] | None:
    """Returns the longitude and the latitude of a place, or None if the value is not a place."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    longitude, latitude = map(number_of, value)
    if longitude is None or latitude is None or abs(longitude) > 180 or abs(latitude) > 90:
        return None
    return longitude, latitude


def places_in(value: Any) -> Iterator[tuple[float, float]]:
    """Yields the place that a value is, or the places in an array."""
    for each in [value, *(value if isinstance(value, list) else [])]:
        place = place_of(each)
        if place is not None:
            yield place


def vector(place: tuple[float, float]) -> Vector:
    """Returns the point of the unit sphere at a place."""
    longitude, latitude = map(math.radians, place)
    return math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)


def dot(a: Vector, b: Vector) -> float:
    """Returns the scalar product."""
    return sum(x * y for x, y in zip(a, b))


def cross(a: Vector, b: Vector) -> Vector:
    """Returns the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Returns the metres between two places along a great circle."""
    # The haversine formula is exact for small distances.
    (east, north), (further_east, further_north) = map(math.radians, a), map(math.radians, b)
    half = math.sin((further_north - north) / 2) ** 2
    half += math.cos(north) * math.cos(further_north) * math.sin((further_east - east) / 2) ** 2
    return 2 * RADIUS * math.asin(min(1.0, math.sqrt(half)))


def nearest(place: tuple[float, float], value: Any) -> float | None:
    """Returns the distance of a value from a place; None if there is no place in the value."""
    return min((distance(place, each) for each in places_in(value)), default=None)


# Operators


def refuse(operator: str, where: str) -> Refusal:
    """Returns the error of an invalid operand."""
    return Refusal("badSelector", operator=operator, path=where)


def read_near(said: Object, where: str) -> Callable[[Any], bool]:
    """`$nearSphere`, with `$maxDistance` if it is beside it."""
    place = place_of(said["$nearSphere"])
    if place is None:
        raise refuse("$nearSphere", f"{where}.$nearSphere")
    most = number_of(said.get("$maxDistance", 2 * math.pi * RADIUS))
    if most is None or most < 0:
        raise refuse("$maxDistance", f"{where}.$maxDistance")

    def holds(value: Any) -> bool:
        found = nearest(place, value)
        return found is not None and found <= most

    return holds


def read_within(operand: Any, where: str) -> Callable[[Any], bool]:
    """`$within`: a place inside of a shape."""
    if not isinstance(operand, dict) or len(operand) != 1:
        raise refuse("$within", where)
    ((name, said),) = operand.items()
    if name not in SHAPES:
        raise Refusal("unsupported", what=name) if name.startswith("$") else refuse(name, f"{where}.{name}")
    try:
        inside = read_shape(name, said)
    except NoShape:
        raise refuse(name, f"{where}.{name}") from None
    return lambda value: any(inside(*place) for place in places_in(value))


def required_place(said: Object) -> tuple[str, tuple[float, float]] | None:
    """Returns the path and the place of the first `$nearSphere` that all selected documents have to meet."""
    for name, asked in said.items():
        if name == "$and":
            found = next(filter(None, map(required_place, asked)), None)
        elif name.startswith("$") or not isinstance(asked, dict):
            found = None
        elif "$nearSphere" in asked:
            place = place_of(asked["$nearSphere"])
            found = None if place is None else (name, place)
        else:
            below = required_place(asked) if not any(each.startswith("$") for each in asked) else None
            found = None if below is None else (f"{name}.{below[0]}", below[1])
        if found is not None:
            return found
    return None


# Shapes


def read_shape(name: str, said: Any) -> Inside:
    """Returns whether a place is inside of a shape, or raises `NoShape`."""
    if not isinstance(said, list):
        raise NoShape
    return {"$box": read_box, "$centerSphere": read_circle, "$polygon": read_polygon}[name](said)


def read_box(said: list[Any]) -> Inside:
    """A box between two meridians and two parallels."""
    corners = [place_of(each) for each in said]
    if len(corners) != 2 or corners[0] is None or corners[1] is None or corners[0][1] > corners[1][1]:
        raise NoShape
    (west, south), (east, north) = corners[0], corners[1]

    def inside(longitude: float, latitude: float) -> bool:
        if not south <= latitude <= north:
            return False
        # -180 and 180 are one meridian, and a pole is on every meridian.
        if abs(latitude) == 90:
            return True
        twins = (longitude, -longitude) if abs(longitude) == 180 else (longitude,)
        if west <= east:
            return any(west <= each <= east for each in twins)
        return any(each >= west or each <= east for each in twins)

    return inside


def read_circle(said: list[Any]) -> Inside:
    """The places at most some metres away from one."""
    place = place_of(said[0]) if len(said) == 2 else None
    radius = number_of(said[1]) if len(said) == 2 else None
    if place is None or radius is None or radius < 0:
        raise NoShape
    return lambda longitude, latitude: distance(place, (longitude, latitude)) <= radius


def read_polygon(said: list[Any]) -> Inside:
    """The places that a line of great circles goes around an odd number of times."""
    places = [place_of(each) for each in said]
    if len(places) < 3 or None in places:
        raise NoShape
    corners = [vector(each) for each in places if each is not None]
    middle = tuple(map(sum, zip(*corners)))
    length = math.sqrt(sum(x * x for x in middle))
    if length < TINY:
        raise NoShape
    middle = tuple(x / length for x in middle)
    if any(dot(corner, middle) <= TINY for corner in corners):
        raise NoShape
    # Seen from the centre of the Earth, great circles are straight lines in the plane that touches it at the middle.
    right = cross(middle, (0.0, 0.0, 1.0) if abs(middle[2]) < 0.9 else (1.0, 0.0, 0.0))
    up = cross(middle, right)
    flat = lambda point: (dot(point, right) / dot(point, middle), dot(point, up) / dot(point, middle))  # noqa: E731
    outline = [flat(corner) for corner in corners]

    def inside(longitude: float, latitude: float) -> bool:
        point = vector((longitude, latitude))
        if dot(point, middle) <= TINY:
            return False
        x, y = flat(point)
        crossings = 0
        for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1]):
            along, beside = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1), math.hypot(x2 - x1, y2 - y1)
            if abs(along) <= TINY * max(beside, 1) and within(x, x1, x2) and within(y, y1, y2):
                return True
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                crossings += 1
        return crossings % 2 == 1

    return inside


def within(value: float, one: float, other: float) -> bool:
    """Returns whether a value is between two others, with a tolerance."""
    return min(one, other) - TINY <= value <= max(one, other) + TINY
