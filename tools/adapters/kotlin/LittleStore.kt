private val STORE_NAME = Regex("[a-z][a-z0-9_$()+/-]*")

/**
 * A small document store in memory, written from Vectors/README.md to be read.
 *
 * Where a faster or shorter form would be harder to follow, it uses the plain one.
 */
internal class LittleStore {
    private val databases = HashMap<String, Database>()
    private val opened = HashSet<String>()

    /** Performs one operation and returns its result, or throws a [Refusal]. */
    fun perform(operation: Arguments): JsonObject {
        val op = operation.text("op")
        val name = operation.text("store")
        when (op) {
            "open" -> open(name, operation)
            "close" -> opened -= name
            "destroy" -> {
                opened -= name
                databases -= name
            }
            else -> {
                val database = databases[name]?.takeIf { name in opened } ?: throw Refusal("noSuchStore")
                return database.perform(op, operation)
            }
        }
        return emptyMap()
    }

    /** Creates a database or reopens it. There is one kind of revision ids and one collation. */
    private fun open(name: String, operation: Arguments) {
        if (!STORE_NAME.matches(name)) throw Refusal("badName")
        for ((choice, offered) in listOf("revisionIDs" to "own", "collation" to "bytes")) {
            if (choice in operation && operation.text(choice) != offered) throw unsupported(operation.text(choice))
        }
        databases.getOrPut(name) { Database() }
        opened += name
    }

    companion object {
        val capabilities = listOf(
            "resolve", "compact", "purge", "historyLimit", "atomicBatch", "validation", "flush", "tombstoneBodies"
        )
        val profiles = listOf("dense-changes", "incarnation-sequences", "exact-numbers")
    }
}
