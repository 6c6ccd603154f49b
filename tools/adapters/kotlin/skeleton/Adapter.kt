import java.io.BufferedReader
import java.io.IOException
import java.io.InputStreamReader

// The skeleton of an adapter. Connect your store at the three places marked TO DO; `touchstone doctor`
// names the next step. In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md`
// the operations.

/** TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped. */
private val description = mapOf(
    "protocol" to 1L,
    "name" to "my-store",
    "version" to "0.1",
    "language" to "Kotlin ${KotlinVersion.CURRENT}",
    "capabilities" to emptyList<String>(),
    "profiles" to emptyList<String>()
)

/** An operation that your store refuses. The other members of the error depend on its kind. */
class Refusal(kind: String, vararg members: Pair<String, Any?>) : Exception(kind) {
    val error: JsonObject = mapOf("kind" to kind, *members)
}

/** TO DO 1: your store. It is created at the start and at each reset, and is then empty. */
class Store(val folder: String?) { // Keep files in this folder. Remove those of the previous store.
    // private val databases = HashMap<String, Database>()

    /** TO DO 2: perform one operation. Return its result, or throw a [Refusal]. */
    fun perform(operation: Map<*, *>): JsonObject {
        val op = operation["op"] as String
        // if (op == "open") {
        //     databases.getOrPut(operation["store"] as String) { Database() }
        //     return emptyMap()
        // }
        // val database = databases[operation["store"]] ?: throw Refusal("noSuchStore")
        // if (op == "create") {
        //     val document = database.create(operation["id"], operation["body"])
        //     return mapOf("id" to document.id, "rev" to document.rev)
        // }
        throw Refusal("unsupported", "what" to op)
    }
}

/** Returns the response to a request: "ok" or "error" with its value. */
private fun answer(request: Map<*, *>): Pair<String, JsonObject> {
    val hello = request["hello"]
    val operation = request["perform"]
    if (hello is Map<*, *>) {
        val versions = hello["protocol"] as Map<*, *>
        if (1L !in versions["first"] as Long..versions["last"] as Long) {
            return "error" to mapOf("message" to "this adapter speaks version 1")
        }
        store = Store(hello["folder"] as? String)
        return "ok" to description
    } else if (operation is Map<*, *>) {
        return try { "ok" to store.perform(operation) } catch (refusal: Refusal) { "error" to refusal.error }
    } else if ("reset" in request) {
        store = Store(store.folder)
    } else if ("bye" !in request) {
        throw IOException("unknown request: ${request.keys}")
    }
    return "ok" to emptyMap()
}

private var store = Store(null)

fun main() {
    // The default character set may differ from UTF-8. This decoder rejects invalid bytes.
    val requests = BufferedReader(InputStreamReader(System.`in`, Charsets.UTF_8.newDecoder()))
    val responses = System.out
    System.setOut(System.err) // The output of other code must not mix with the responses.
    var isOver = false
    while (!isOver) {
        val line = requests.readLine() ?: return
        val request = parseJson(line) as Map<*, *>
        val (kind, value) = answer(request)
        responses.write((toJson(mapOf("id" to request["id"], kind to value)) + "\n").toByteArray())
        responses.flush()
        isOver = "bye" in request || "hello" in request && kind == "error"
    }
}
