import java.io.BufferedReader
import java.io.IOException
import java.io.InputStreamReader

// The adapter of the little store. It implements only the lines of Vectors/protocol.md.
// An adapter for another store is this file with another description and another store.

private const val VERSION = 1L

/** The response to "hello". Vectors of undeclared capabilities and profiles are skipped. */
private val description = mapOf(
    "protocol" to VERSION,
    "name" to "little-store",
    "version" to "1.0",
    "language" to "Kotlin ${KotlinVersion.CURRENT}",
    "capabilities" to LittleStore.capabilities,
    "profiles" to LittleStore.profiles,
    "limits" to mapOf("depth" to LARGEST_DEPTH),
    "pipelining" to true
)

private class MalformedRequest(line: String) : IOException("malformed request: ${line.take(200)}")

private class Adapter {
    private var store = LittleStore()

    /** Returns the response to a request: "ok" or "error" with its value. */
    fun answer(request: JsonObject, line: String): Pair<String, Any?> {
        val hello = request["hello"]
        val operation = request["perform"]
        return when {
            hello is Map<*, *> -> hello(hello)
            operation is Map<*, *> ->
                try {
                    "ok" to store.perform(Arguments(operation))
                } catch (refusal: Refusal) {
                    "error" to refusal.error
                }
            "reset" in request || "bye" in request -> {
                store = LittleStore()
                "ok" to emptyMap<String, Any?>()
            }
            else -> throw MalformedRequest(line)
        }
    }

    private fun hello(question: Map<*, *>): Pair<String, Any?> {
        val versions = question["protocol"] as Map<*, *>
        return if (VERSION in versions["first"] as Long..versions["last"] as Long) {
            "ok" to description
        } else {
            "error" to mapOf("message" to "this adapter speaks version $VERSION of the protocol")
        }
    }
}

private fun serve(requests: BufferedReader, write: (String) -> Unit) {
    val adapter = Adapter()
    while (true) {
        val line = requests.readLine() ?: return
        @Suppress("UNCHECKED_CAST") // The names of members are always texts.
        val request = parseJson(line) as? JsonObject ?: throw MalformedRequest(line)
        val id = request["id"] as? Long ?: throw MalformedRequest(line)
        val (kind, value) = adapter.answer(request, line)
        write(toJson(mapOf("id" to id, kind to value)) + "\n")
        if ("bye" in request || "hello" in request && kind == "error") return
    }
}

fun main() {
    // The default character set may differ from UTF-8. This decoder rejects invalid bytes.
    val requests = BufferedReader(InputStreamReader(System.`in`, Charsets.UTF_8.newDecoder()))
    val responses = System.out
    System.setOut(System.err) // The output of other code must not mix with the responses.
    serve(requests) { line ->
        responses.write(line.toByteArray())
        responses.flush()
    }
}
