import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON values without loss of digits or of the order of members.
 *
 * <p>A value is {@code null}, a {@link Boolean}, a {@link String}, a {@link List}, a {@link Map} whose
 * members keep their order, or a number: a {@link Long}, a {@link java.math.BigInteger} from 2^63 to
 * 2^64 - 1, or a finite {@link Double}, which is what was written with a point or an exponent, or fits no
 * integer.
 */
final class Json {
    private Json() {}

    /** Reads a text with exactly one value. */
    static Object parse(String text) {
        return new JsonReader(text).readAll();
    }

    /** Returns an object; the arguments are names and values in turn. */
    static Map<String, Object> object(Object... members) {
        var object = new LinkedHashMap<String, Object>();
        for (var i = 0; i < members.length; i += 2) {
            object.put((String) members[i], members[i + 1]);
        }
        return object;
    }

    /** True if two values are equal as JSON: 1 equals 1.0, and members have no order. */
    static boolean same(Object a, Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            return exact(x).compareTo(exact(y)) == 0;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            if (x.size() != y.size()) {
                return false;
            }
            var others = y.iterator();
            return x.stream().allMatch(element -> same(element, others.next()));
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return x.keySet().equals(y.keySet())
                    && x.keySet().stream().allMatch(name -> same(x.get(name), y.get(name)));
        }
        return a == null ? b == null : a.equals(b);
    }

    /** The exact value of a number. The digits that print a double are rounded. */
    private static BigDecimal exact(Number number) {
        return number instanceof Double value ? new BigDecimal(value) : new BigDecimal(number.toString());
    }

    /** The number of objects and lists that contain each other: 1 for {}. */
    static int depth(Object value) {
        if (value instanceof Map<?, ?> object) {
            return 1 + object.values().stream().mapToInt(Json::depth).max().orElse(0);
        }
        if (value instanceof List<?> list) {
            return 1 + list.stream().mapToInt(Json::depth).max().orElse(0);
        }
        return 0;
    }

    /** A value as JSON without line breaks. */
    static String write(Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof String text) {
            writeText(text, out);
        } else if (value instanceof Map<?, ?> object) {
            var separator = '{';
            for (var member : object.entrySet()) {
                out.append(separator);
                writeText((String) member.getKey(), out);
                out.append(':');
                write(member.getValue(), out);
                separator = ',';
            }
            out.append(object.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            var separator = '[';
            for (var element : list) {
                out.append(separator);
                write(element, out);
                separator = ',';
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else {
            // Java prints numbers, true, false and null in the syntax of JSON.
            out.append(value);
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (var i = 0; i < text.length(); i++) {
            var unit = text.charAt(i);
            if (unit == '"' || unit == '\\') {
                out.append('\\').append(unit);
            } else if (unit < ' ') {
                out.append("\\u00");
                out.append(Character.forDigit(unit >> 4, 16)).append(Character.forDigit(unit & 15, 16));
            } else {
                out.append(unit);
            }
        }
        out.append('"');
    }
}
