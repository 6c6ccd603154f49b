/** The largest number of objects and lists that may contain each other in a body. */
internal const val LARGEST_DEPTH = 128

/** The arguments of an operation, or of a part of it. Each one is checked when it is read. */
internal class Arguments(private val members: Map<*, *>) {
    operator fun contains(name: String) = name in members

    operator fun get(name: String): Any? = members[name]

    /** The id of a document. */
    val id: String
        get() = (this["id"] as? String)?.takeIf(::isDocumentId) ?: throw Refusal("badID")

    /** The id of a local document. */
    val localId: String
        get() = (this["id"] as? String)?.takeIf(::isLocalId) ?: throw Refusal("badID")

    /** The body. It is shared from here on and never changed. */
    val body: JsonObject
        get() {
            @Suppress("UNCHECKED_CAST") // The names of members are always texts.
            val body = this["body"] as? JsonObject ?: throw Refusal("badBody")
            if (body.keys.any { it.startsWith("_") }) throw Refusal("badBody")
            if (depth(body) > LARGEST_DEPTH) throw Refusal("tooLarge", "limit" to LARGEST_DEPTH)
            return body
        }

    /** The path of a record: one revision or more, and each generation one less than the one before. */
    val path: List<RevisionId>
        get() = revisions("path").also { path ->
            val isPath = path.zipWithNext().all { (child, parent) -> child.generation == parent.generation + 1 }
            if (path.isEmpty() || !isPath) throw Refusal("badRevision")
        }

    /** The requested number of rows. */
    val rowLimit: Int
        get() = if ("limit" in this) limit(0) else Int.MAX_VALUE

    /** The limit that the operation sets. */
    fun limit(smallest: Long): Int {
        val limit = this["limit"] as? Long
        if (limit == null || limit < smallest) throw badRequest("limit")
        return minOf(limit, Int.MAX_VALUE.toLong()).toInt()
    }

    fun text(name: String): String = this[name] as? String ?: throw badRequest(name)

    /** A flag, which is false if it is absent. */
    fun flag(name: String): Boolean = name in this && this[name] as? Boolean ?: throw badRequest(name)

    fun list(name: String): List<*> = this[name] as? List<*> ?: throw badRequest(name)

    /** The objects of a list, each with its own arguments. */
    fun parts(name: String): List<Arguments> =
        list(name).map { part -> Arguments(part as? Map<*, *> ?: throw badRequest(name)) }

    fun revision(name: String) = RevisionId.parse(this[name])

    fun revisions(name: String): List<RevisionId> = list(name).map(RevisionId.Companion::parse)
}

private fun isDocumentId(id: String) =
    isLocalId(id) && (!id.startsWith("_") || id.startsWith("_design/") && id != "_design/")

private fun isLocalId(id: String) = id.isNotEmpty() && '\u0000' !in id
