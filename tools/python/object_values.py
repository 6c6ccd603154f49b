"""Values of attributes: in operations, in memory, and as images of 20, 8 or 4 bytes.

Written from `Vectors/README.md`, "Objects". In memory a value is a text, a bool, an int, a float for
a date, a `Double`, a `Decimal` or bytes; nil is None.
"""

from __future__ import annotations

import base64
import math
import re
import struct
from dataclasses import dataclass
from typing import Any

from revision_ids import Object, is_text

INTEGERS = {"int16": 16, "int32": 32, "int64": 64}
# Types with a minimum and a maximum.
ORDERED = {*INTEGERS, "double", "float", "decimal", "date1970"}
TYPES = {*ORDERED, "utf8", "bool", "xform", "binary", "id"}
LARGEST_FLOAT = struct.unpack(">f", bytes.fromhex("7f7fffff"))[0]
LARGEST_DOUBLE = struct.unpack(">d", bytes.fromhex("7fefffffffffffff"))[0]
NUMERAL = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")


class NoValue(Exception):
    """A value of an operation that is not valid for its type."""


# Bytes


def from_base64(text: Any) -> bytes | None:
    """Returns the bytes of a text in canonical base64; None for another text."""
    try:
        content = base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        return None
    return content if to_base64(content) == text else None


def to_base64(content: bytes) -> str:
    """Returns bytes as base64."""
    return base64.b64encode(content).decode()


# Floating point


@dataclass(frozen=True)
class Double:
    """The bits of a double or a float. Python's float type loses the payload of a NaN."""

    bits: int
    width: int = 64

    @staticmethod
    def of(value: float, width: int = 64) -> Double:
        """Returns the nearest value to a number; an infinity if it is too large."""
        try:
            return Double(int.from_bytes(struct.pack(">d" if width == 64 else ">f", value), "big"), width)
        except OverflowError:
            return Double.of(math.copysign(math.inf, value), width)

    @property
    def value(self) -> float:
        """The number; some NaN for a NaN."""
        form = ">d" if self.width == 64 else ">f"
        return struct.unpack(form, self.bits.to_bytes(self.width // 8, "big"))[0]

    @property
    def token(self) -> str | None:
        """The name of a value that is not finite, or None."""
        if math.isnan(self.value):
            return "nan"
        return None if math.isfinite(self.value) else "infinity" if self.value > 0 else "-infinity"

    @property
    def largest(self) -> float:
        """The largest finite number of its width."""
        return LARGEST_DOUBLE if self.width == 64 else LARGEST_FLOAT

    def shortest(self) -> float:
        """Returns the number with the shortest digits that round-trip, and of these the nearest one."""
        value = self.value
        if self.width == 64 or value == 0 or abs(value) == LARGEST_FLOAT:
            return value
        for digits in range(1, 10):
            mantissa, _, exponent = f"{abs(value):.{digits - 1}e}".partition("e")
            near = int(mantissa.replace(".", ""))
            scale = int(exponent) - digits + 1
            # Near a power of 2 the nearest number with this many digits may be another float.
            tries = [float(f"{near + step}e{scale}") for step in (0, 1, -1)]
            good = [each for each in tries if Double.of(math.copysign(each, value), 32) == self]
            if good:
                return math.copysign(min(good, key=lambda each: abs(each - abs(value))), value)
        raise AssertionError("9 digits distinguish all floats")


NAN = {64: Double(0x7FF8000000000000), 32: Double(0x7FC00000, 32)}
INFINITY = {64: Double(0x7FF0000000000000), 32: Double(0x7F800000, 32)}
MINUS_INFINITY = {64: Double(0xFFF0000000000000), 32: Double(0xFF800000, 32)}
TOKENS = {"nan": NAN, "infinity": INFINITY, "-infinity": MINUS_INFINITY}


def through_doubles(number: int | float) -> bool:
    """Returns whether an integer may have been rounded: its value or its digits are those of a double."""
    if isinstance(number, float):
        return True
    near = float(number)
    digits = Decimal.read(repr(near))
    return int(near) == number or digits is not None and str(digits) == str(number)


def read_image(image: Any, width: int) -> Double | None:
    """Returns the number of an image, an unsigned or signed integer of its width; None if it is invalid."""
    if isinstance(image, bool) or not isinstance(image, (int, float)) or image != int(image):
        return None
    bits = int(image)
    if not -(1 << width - 1) <= bits < 1 << width:
        return None
    return Double(bits % (1 << width), width)


def is_number(value: Any) -> bool:
    """Returns whether a JSON value is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Returns whether a JSON value is a number without a fraction."""
    return is_number(value) and value == int(value)


def double_text(value: float) -> str:
    """Returns a double in the format of the released versions: without an exponent if possible."""
    decimal = Decimal.read(repr(value))
    return repr(value) if decimal is None else str(decimal)


# Decimals


@dataclass(frozen=True)
class Decimal:
    """A mantissa times a power of 10, with the shortest mantissa; None for NaN."""

    mantissa: int | None
    exponent: int = 0

    @staticmethod
    def of(mantissa: int, exponent: int) -> Decimal | None:
        """Returns the number; None if it exceeds 128 bits or the exponents from -128 to 127."""
        if mantissa == 0:
            return Decimal(0)
        digits = str(abs(mantissa))
        zeros = len(digits) - len(digits.rstrip("0"))
        # Remove trailing zeros up to the largest exponent, or add zeros if the exponent is too large.
        moved = min(zeros, 127 - exponent)
        if moved < -38:
            return None
        exponent += moved
        mantissa = mantissa // 10**moved if moved >= 0 else mantissa * 10**-moved
        return Decimal(mantissa, exponent) if abs(mantissa) < 1 << 128 and exponent >= -128 else None

    @staticmethod
    def read(text: str) -> Decimal | None:
        """Returns the number of a text; None if it is malformed, or not representable."""
        match = NUMERAL.fullmatch(text)
        if match is None:
            return None
        sign, whole, fraction, power = match.groups()
        # The digits of an operation cannot compensate a larger exponent.
        if len((power or "").lstrip("+-")) > 6:
            return None
        mantissa = int(whole + fraction) * (-1 if sign == "-" else 1)
        return Decimal.of(mantissa, int(power or 0) - len(fraction))

    def __str__(self) -> str:
        """Returns the digits without an exponent."""
        if self.mantissa is None:
            return "NaN"
        sign, digits = "-" if self.mantissa < 0 else "", str(abs(self.mantissa))
        if self.exponent >= 0:
            return sign + digits + "0" * (self.exponent if self.mantissa else 0)
        digits = digits.rjust(1 - self.exponent, "0")
        return f"{sign}{digits[: self.exponent]}.{digits[self.exponent :]}"

    @property
    def is_long(self) -> bool:
        """Returns whether it has more digits than all platforms guarantee."""
        return self.mantissa is not None and abs(self.mantissa) >= 10**38

    def image(self) -> bytes:
        """Returns the image of 20 bytes."""
        if self.mantissa is None:
            return bytes([0, 1 << 4, *[0] * 18])
        words = -(-abs(self.mantissa).bit_length() // 16)
        sign = 1 << 4 if self.mantissa < 0 else 0
        head = bytes([self.exponent % 256, words | sign | 1 << 5, 0, 0])
        return head + abs(self.mantissa).to_bytes(16, "little")

    @staticmethod
    def pictured(image: bytes | None) -> Decimal | None:
        """Returns the number of an image of 20 bytes; None if it is invalid."""
        if image is None or len(image) != 20:
            return None
        mantissa, negative = int.from_bytes(image[4:], "little"), bool(image[1] & 1 << 4)
        if image[1] & 15 != -(-mantissa.bit_length() // 16):
            return None
        if mantissa == 0 and negative:
            return Decimal(None)
        exponent = image[0] - 256 if image[0] > 127 else image[0]
        return Decimal.of(-mantissa if negative else mantissa, exponent)

    def is_less(self, other: Decimal) -> bool:
        """Returns whether it is less than another one; false for NaN."""
        if self.mantissa is None or other.mantissa is None:
            return False
        low = min(self.exponent, other.exponent)
        left, right = 10 ** (self.exponent - low), 10 ** (other.exponent - low)
        return self.mantissa * left < other.mantissa * right


# Operations


def from_call(value: Any, type_name: str) -> Any:
    """Parses a value in an operation. Raises `NoValue`."""
    if type_name in ("utf8", "id") and is_text(value):
        return value
    if type_name == "bool" and isinstance(value, bool):
        return value
    if type_name in INTEGERS and isinstance(value, int) and not isinstance(value, bool):
        # An integer that is too large for a narrow type is refused when it is stored.
        if in_range(value, "int64"):
            return value
    if type_name == "date1970" and is_number(value):
        return float(value)
    if type_name in ("double", "float"):
        return floating_from_call(value, 64 if type_name == "double" else 32)
    if type_name == "decimal" and isinstance(value, str):
        decimal = Decimal(None) if value == "NaN" else Decimal.read(value)
        if decimal is not None:
            return decimal
    if type_name in ("binary", "xform"):
        content = from_base64(value)
        if content is not None:
            return content
    raise NoValue(f"{value} is not a valid {type_name}")


def floating_from_call(value: Any, width: int) -> Double:
    """Parses a double or a float in an operation."""
    if isinstance(value, dict) and value.keys() == {"image"}:
        digits = value["image"]
        if isinstance(digits, str) and re.fullmatch(f"[0-9a-fA-F]{{{width // 4}}}", digits):
            return Double(int(digits, 16), width)
    if is_number(value):
        double = Double.of(value, width)
        if double.token is None:
            return double
    raise NoValue(f"{value} is not a valid number of {width} bits")


def to_call(value: Any) -> Any:
    """Returns a value in the form for results."""
    if isinstance(value, Double):
        plain = value.token is None and (value.value != 0 or value.bits == 0)
        return value.value if plain else {"image": f"{value.bits:0{value.width // 4}x}"}
    if isinstance(value, Decimal):
        return str(value)
    return to_base64(value) if isinstance(value, bytes) else value


def in_range(value: int, type_name: str) -> bool:
    """Returns whether an integer is in the range of the type."""
    half = 1 << INTEGERS[type_name] - 1
    return -half <= value < half


def is_less(a: Any, b: Any) -> bool:
    """Returns whether a number or a date is less than another one of its type; false for NaN."""
    if isinstance(a, Decimal):
        return a.is_less(b)
    return a.value < b.value if isinstance(a, Double) else a < b

