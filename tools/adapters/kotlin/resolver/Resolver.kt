import java.io.BufferedReader
import java.io.IOException
import java.io.InputStreamReader

// A conflict resolver in Kotlin, as an adapter with a resolver and without a store.
//
//     (cd tools/adapters/kotlin &&
//      kotlinc resolver/Resolver.kt Json.kt JsonReader.kt -include-runtime -d resolver/resolver.jar)
//     touchstone resolver --implementation 'exec:java -jar tools/adapters/kotlin/resolver/resolver.jar'
//
// It merges member by member. Where two sides differ, the value of the winner remains. To check another
// resolver, replace `resolve`. `Vectors/protocol.md` describes the lines.

private val description = mapOf(
    "protocol" to 1L,
    "name" to "merge",
    "version" to "1.0",
    "language" to "Kotlin ${KotlinVersion.CURRENT}",
    "resolver" to true
)

/** Returns the answer to a conflict. */
private fun resolve(conflict: Map<*, *>): JsonObject {
    val leaves = (conflict["leaves"] as List<*>).map { it as Map<*, *> }
    // The order of all devices: generation, then suffix.
    val ordered = leaves.sortedWith(compareBy({ generation(it) }, { suffix(it) })).reversed()
    val live = ordered.mapNotNull { it["body"] as? Map<*, *> }
    val ancestor = (conflict["ancestor"] as? Map<*, *>)?.get("body") as? Map<*, *>
    val isUnchanged = ancestor != null && live.all { isSame(it, ancestor) }
    // Each side deleted the document, or one did and no other side changed it.
    if (live.isEmpty() || live.size < leaves.size && isUnchanged) return mapOf("delete" to true)
    val base = ancestor ?: emptyMap<String, Any?>()
    val merged = LinkedHashMap<String, Any?>()
    // The order of the names does not depend on the order of the leaves.
    for (name in (live + base).flatMap { it.keys }.map { it as String }.toSortedSet()) {
        val source = live.firstOrNull { !isSameMember(it, base, name) } ?: base
        if (name in source) merged[name] = source[name]
    }
    return mapOf("body" to merged)
}

private fun generation(leaf: Map<*, *>): Long = (leaf["rev"] as String).substringBefore('-').toLong()

private fun suffix(leaf: Map<*, *>): String = (leaf["rev"] as String).substringAfter('-')

/** True if two bodies have the same value of a member, or both lack it. */
private fun isSameMember(a: Map<*, *>, b: Map<*, *>, name: String): Boolean =
    (name in a) == (name in b) && isSame(a[name], b[name])

/** Returns the response to a request: "ok" or "error" with its value. */
private fun answer(request: Map<*, *>): Pair<String, JsonObject> {
    val conflict = request["resolveConflict"]
    val hello = request["hello"]
    val operation = request["perform"]
    if (conflict is Map<*, *>) return "ok" to resolve(conflict)
    if (hello is Map<*, *>) {
        val versions = hello["protocol"] as Map<*, *>
        if (1L !in versions["first"] as Long..versions["last"] as Long) {
            return "error" to mapOf("message" to "this adapter speaks version 1")
        }
        return "ok" to description
    }
    if (operation is Map<*, *>) return "error" to mapOf("kind" to "unsupported", "what" to operation["op"])
    if ("reset" !in request && "bye" !in request) throw IOException("unknown request: ${request.keys}")
    return "ok" to emptyMap()
}

fun main() {
    // The default character set may differ from UTF-8. This decoder rejects invalid bytes.
    val requests = BufferedReader(InputStreamReader(System.`in`, Charsets.UTF_8.newDecoder()))
    while (true) {
        val line = requests.readLine() ?: return
        val request = parseJson(line) as Map<*, *>
        val (kind, value) = answer(request)
        System.out.write((toJson(mapOf("id" to request["id"], kind to value)) + "\n").toByteArray())
        System.out.flush()
        if ("bye" in request) return
    }
}
