import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON as RFC 8259 spells it, and refuses everything else. */
final class JsonReader {
    /** How deep a text may nest. Whoever walks through a value is a method that calls itself. */
    private static final int DEEPEST = 512;

    private final String text;
    private int at = 0;

    JsonReader(String text) {
        this.text = text;
    }

    Object readAll() {
        var value = value(0);
        skipSpace();
        if (at < text.length()) {
            throw malformed("more behind the value");
        }
        return value;
    }

    private IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException("no JSON: " + what + " at character " + at);
    }

    /** The unit of UTF-16 that comes next, or -1 at the end. */
    private int next() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private void skipSpace() {
        while (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r') {
            at++;
        }
    }

    /** Goes on behind a character if it comes next, white space aside. */
    private boolean skip(char character) {
        skipSpace();
        if (next() != character) {
            return false;
        }
        at++;
        return true;
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw malformed("nested too deep");
        }
        skipSpace();
        return switch (next()) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Object literal(String name, Object value) {
        if (!text.startsWith(name, at)) {
            throw malformed("a value is missing");
        }
        at += name.length();
        return value;
    }

    private Map<String, Object> object(int depth) {
        var members = new LinkedHashMap<String, Object>();
        at++;
        while (!skip('}')) {
            if (!members.isEmpty() && !skip(',')) {
                throw malformed("a comma is missing");
            }
            skipSpace();
            if (next() != '"') {
                throw malformed("a name is missing");
            }
            var name = string();
            if (members.containsKey(name)) {
                throw malformed("a name comes twice in the object");
            }
            if (!skip(':')) {
                throw malformed("a colon is missing");
            }
            members.put(name, value(depth + 1));
        }
        return members;
    }

    private List<Object> list(int depth) {
        var elements = new ArrayList<>();
        at++;
        while (!skip(']')) {
            if (!elements.isEmpty() && !skip(',')) {
                throw malformed("a comma is missing");
            }
            elements.add(value(depth + 1));
        }
        return elements;
    }

    private Number number() {
        var start = at;
        if (next() == '-') {
            at++;
        }
        var zero = next() == '0';
        if (skipDigits() > 1 && zero) {
            throw malformed("a number that begins with 0");
        }
        var whole = at;
        if (next() == '.') {
            at++;
            skipDigits();
        }
        if (next() == 'e' || next() == 'E') {
            at++;
            if (next() == '+' || next() == '-') {
                at++;
            }
            skipDigits();
        }
        var digits = text.substring(start, at);
        var number = at == whole ? integer(digits) : Double.valueOf(digits);
        if (number instanceof Double value && value.isInfinite()) {
            throw malformed("a number that no double holds");
        }
        return number;
    }

    private static Number integer(String digits) {
        // Longer than any integer of 64 bits: spare the way through a large one.
        if (digits.length() <= 20) {
            var integer = new BigInteger(digits);
            if (integer.bitLength() <= 63) {
                return integer.longValue();
            }
            if (integer.bitLength() == 64 && integer.signum() > 0) {
                return integer;
            }
        }
        return Double.valueOf(digits);
    }

    /** Goes on behind digits, of which there must be one, and counts them. */
    private int skipDigits() {
        var start = at;
        while (next() >= '0' && next() <= '9') {
            at++;
        }
        if (at == start) {
            throw malformed("a digit is missing");
        }
        return at - start;
    }

    private String string() {
        var string = new StringBuilder();
        at++;
        while (next() != '"') {
            if (next() < ' ') {
                throw malformed("a text without an end");
            }
            if (next() == '\\') {
                escape(string);
            } else {
                string.append((char) next());
                at++;
            }
        }
        at++;
        return string.toString();
    }

    private void escape(StringBuilder string) {
        at++;
        var escaped = next();
        at++;
        switch (escaped) {
            case '"', '\\', '/' -> string.append((char) escaped);
            case 'b' -> string.append('\b');
            case 'f' -> string.append('\f');
            case 'n' -> string.append('\n');
            case 'r' -> string.append('\r');
            case 't' -> string.append('\t');
            case 'u' -> escapedUnit(string);
            default -> throw malformed("an escape that there is not");
        }
    }

    /** One unit of UTF-16, or two of them that are a surrogate pair. A lone surrogate is no UTF-8. */
    private void escapedUnit(StringBuilder string) {
        var unit = unit();
        string.append(unit);
        if (Character.isHighSurrogate(unit) && text.startsWith("\\u", at)) {
            at += 2;
            var low = unit();
            string.append(low);
            if (Character.isLowSurrogate(low)) {
                return;
            }
        }
        if (Character.isSurrogate(unit)) {
            throw malformed("a lone surrogate");
        }
    }

    private char unit() {
        var unit = 0;
        for (var end = at + 4; at < end; at++) {
            // ASCII alone: Java would take digits of other scripts as well.
            var digit = next() < 128 ? Character.digit(next(), 16) : -1;
            if (digit < 0) {
                throw malformed("four hexadecimal digits are missing");
            }
            unit = unit * 16 + digit;
        }
        return (char) unit;
    }
}
