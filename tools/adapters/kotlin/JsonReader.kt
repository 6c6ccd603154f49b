import java.math.BigInteger

/** The depth up to which texts are read. Functions that walk through a value are recursive. */
private const val DEEPEST = 512

/** The end of the text. JSON has no such character outside of strings, and escapes it there. */
private const val END = '\u0000'

/** Reads one JSON text of RFC 8259, and rejects everything else. */
internal class JsonReader(private val text: String) {
    private var position = 0

    private val next: Char get() = if (position < text.length) text[position] else END

    fun readAll(): Any? {
        val value = readValue(0)
        skipSpace()
        check(position == text.length, "more text after the value")
        return value
    }

    private fun check(condition: Boolean, message: String) {
        require(condition) { "invalid JSON at character $position: $message" }
    }

    private fun skipSpace() {
        while (next == ' ' || next == '\t' || next == '\n' || next == '\r') position++
    }

    /** Skips white space, and the given character if it follows. Returns whether it did. */
    private fun skip(character: Char): Boolean {
        skipSpace()
        return (next == character).also { if (it) position++ }
    }

    private fun expect(character: Char) = check(skip(character), "expected '$character'")

    private fun readValue(depth: Int): Any? {
        check(depth <= DEEPEST, "more than $DEEPEST levels")
        skipSpace()
        return when (next) {
            '{' -> readObject(depth)
            '[' -> readList(depth)
            '"' -> readString()
            't' -> readLiteral("true", true)
            'f' -> readLiteral("false", false)
            'n' -> readLiteral("null", null)
            else -> readNumber()
        }
    }

    private fun readLiteral(name: String, value: Boolean?): Boolean? {
        check(text.startsWith(name, position), "expected a value")
        position += name.length
        return value
    }

    private fun readObject(depth: Int): JsonObject {
        val members = LinkedHashMap<String, Any?>()
        expect('{')
        while (!skip('}')) {
            if (members.isNotEmpty()) expect(',')
            skipSpace()
            val name = readString()
            check(name !in members, "the name \"$name\" occurs twice")
            expect(':')
            members[name] = readValue(depth + 1)
        }
        return members
    }

    private fun readList(depth: Int): List<Any?> {
        val elements = ArrayList<Any?>()
        expect('[')
        while (!skip(']')) {
            if (elements.isNotEmpty()) expect(',')
            elements += readValue(depth + 1)
        }
        return elements
    }

    private fun readNumber(): Number {
        val start = position
        if (next == '-') position++
        val startsWithZero = next == '0'
        check(readDigits() == 1 || !startsWithZero, "a number with a leading zero")
        val isInteger = next != '.' && next != 'e' && next != 'E'
        if (next == '.') {
            position++
            readDigits()
        }
        if (next == 'e' || next == 'E') {
            position++
            if (next == '+' || next == '-') position++
            readDigits()
        }
        val digits = text.substring(start, position)
        val double = digits.toDouble()
        check(!double.isInfinite(), "a number beyond the largest double")
        return (if (isInteger) integer(digits) else null) ?: double
    }

    /** An integer of 64 bits with or without a sign, or null. */
    private fun integer(digits: String): Number? =
        digits.toLongOrNull()
            ?: digits.takeIf { it.length <= 20 }?.let(::BigInteger)?.takeIf { it.signum() > 0 && it.bitLength() == 64 }

    /** Skips one digit or more, and returns how many. */
    private fun readDigits(): Int {
        val start = position
        while (next in '0'..'9') position++
        check(position > start, "expected a digit")
        return position - start
    }

    private fun readString(): String {
        check(next == '"', "expected a string")
        position++
        val string = StringBuilder()
        while (next != '"') {
            check(next >= ' ', "a string without an end, or a control character in it")
            if (next == '\\') {
                position++
                string.append(readEscape())
            } else {
                string.append(next)
                position++
            }
        }
        position++
        return string.toString()
    }

    private fun readEscape(): String {
        val escaped = next
        position++
        return when (escaped) {
            '"', '\\', '/' -> escaped.toString()
            'b' -> "\b"
            'f' -> "\u000c"
            'n' -> "\n"
            'r' -> "\r"
            't' -> "\t"
            'u' -> readScalar()
            else -> throw IllegalArgumentException("invalid JSON at character $position: unknown escape")
        }
    }

    /** Reads one UTF-16 unit, or a surrogate pair. A lone surrogate has no encoding in UTF-8. */
    private fun readScalar(): String {
        val unit = readUnit()
        if (!unit.isSurrogate()) return unit.toString()
        check(unit.isHighSurrogate() && text.startsWith("\\u", position), "a lone surrogate")
        position += 2
        val low = readUnit()
        check(low.isLowSurrogate(), "a lone surrogate")
        return "$unit$low"
    }

    private fun readUnit(): Char {
        val digits = text.substring(position, minOf(position + 4, text.length))
        check(digits.length == 4 && digits.all { it in "0123456789abcdefABCDEF" }, "expected 4 hexadecimal digits")
        position += 4
        return digits.toInt(16).toChar()
    }
}
