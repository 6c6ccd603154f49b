import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON text of RFC 8259, and rejects everything else. */
final class JsonReader {
    /** The depth up to which texts are read. Methods that walk through a value are recursive. */
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
            throw malformed("more text after the value");
        }
        return value;
    }

    private IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException("invalid JSON at character " + at + ": " + what);
    }

    /** The next UTF-16 unit, or -1 at the end. */
    private int next() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private void skipSpace() {
        while (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r') {
            at++;
        }
    }

    /** Skips white space, and the given character if it follows. Returns whether it did. */
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
            throw malformed("more than " + DEEPEST + " levels");
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
            throw malformed("expected a value");
        }
        at += name.length();
        return value;
    }

    private Map<String, Object> object(int depth) {
        var members = new LinkedHashMap<String, Object>();
        at++;
        while (!skip('}')) {
            if (!members.isEmpty() && !skip(',')) {
                throw malformed("expected a comma");
            }
            skipSpace();
            if (next() != '"') {
                throw malformed("expected a name");
            }
            var name = string();
            if (members.containsKey(name)) {
                throw malformed("a name occurs twice in the object");
            }
            if (!skip(':')) {
                throw malformed("expected a colon");
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
                throw malformed("expected a comma");
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
            throw malformed("a number with a leading zero");
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
            throw malformed("a number beyond the largest double");
        }
        return number;
    }

    private static Number integer(String digits) {
        // Longer digits exceed 64 bits; do not parse them as a large integer.
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

    /** Skips one digit or more, and returns how many. */
    private int skipDigits() {
        var start = at;
        while (next() >= '0' && next() <= '9') {
            at++;
        }
        if (at == start) {
            throw malformed("expected a digit");
        }
        return at - start;
    }

    private String string() {
        var string = new StringBuilder();
        at++;
        while (next() != '"') {
            if (next() < ' ') {
                throw malformed("a string without an end, or a control character in it");
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
            default -> throw malformed("unknown escape");
        }
    }

    /** Reads one UTF-16 unit, or a surrogate pair. A lone surrogate has no encoding in UTF-8. */
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
            // Java also accepts digits of other scripts.
            var digit = next() < 128 ? Character.digit(next(), 16) : -1;
            if (digit < 0) {
                throw malformed("expected 4 hexadecimal digits");
            }
            unit = unit * 16 + digit;
        }
        return (char) unit;
    }
}
