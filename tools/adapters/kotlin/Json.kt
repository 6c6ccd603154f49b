import java.math.BigDecimal

// JSON values are Kotlin values: null, Boolean, String, List, Map with its members in order, and
// numbers. A number is a Long, a BigInteger from 2^63 to 2^64 - 1, or a finite Double.

typealias JsonObject = Map<String, Any?>

/** Returns the value of a JSON text. Throws an [IllegalArgumentException] if the text is invalid. */
fun parseJson(text: String): Any? = JsonReader(text).readAll()

/** Returns a value as JSON without line breaks. */
fun toJson(value: Any?): String = buildString { appendJson(value) }

private fun StringBuilder.appendJson(value: Any?) {
    when (value) {
        is Map<*, *> -> {
            append('{')
            for ((name, member) in value) {
                appendText(name as String)
                append(':')
                appendJson(member)
                append(',')
            }
            endList('}')
        }
        is List<*> -> {
            append('[')
            for (element in value) {
                appendJson(element)
                append(',')
            }
            endList(']')
        }
        null, is Boolean, is Number -> append(value)
        else -> appendText(value.toString())
    }
}

/** Replaces the comma behind the last element. */
private fun StringBuilder.endList(end: Char) {
    if (last() == ',') setLength(length - 1)
    append(end)
}

private fun StringBuilder.appendText(text: String) {
    append('"')
    for (unit in text) {
        when {
            unit == '"' || unit == '\\' -> append('\\').append(unit)
            unit < ' ' -> append("\\u%04x".format(unit - '\u0000'))
            else -> append(unit)
        }
    }
    append('"')
}

/** True if two values are equal as JSON: 1 equals 1.0, and members have no order. */
fun isSame(a: Any?, b: Any?): Boolean = when {
    a is Number && b is Number -> exact(a).compareTo(exact(b)) == 0
    a is List<*> && b is List<*> -> a.size == b.size && a.indices.all { isSame(a[it], b[it]) }
    a is Map<*, *> && b is Map<*, *> -> a.keys == b.keys && a.all { (name, value) -> isSame(value, b[name]) }
    else -> a == b
}

/** The exact value of a number. The digits that print a double are rounded. */
private fun exact(number: Number): BigDecimal =
    if (number is Double) BigDecimal(number) else BigDecimal(number.toString())

/** The number of objects and lists that contain each other: 1 for {}. */
fun depth(value: Any?): Int = when (value) {
    is Map<*, *> -> 1 + deepest(value.values)
    is List<*> -> 1 + deepest(value)
    else -> 0
}

private fun deepest(values: Collection<Any?>): Int = values.fold(0) { deepest, value -> maxOf(deepest, depth(value)) }
