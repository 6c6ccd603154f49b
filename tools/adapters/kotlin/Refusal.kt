/** The reason why an operation was refused. [error] is the member "error" of the response. */
internal class Refusal(val error: JsonObject) : Exception(error.toString(), null, false, false) {
    constructor(kind: String, vararg members: Pair<String, Any?>) : this(mapOf("kind" to kind, *members))
}

/** An argument that is missing or invalid. */
internal fun badRequest(path: String) = Refusal("badRequest", "path" to path)

/** A document or revision that cannot be read, with the reason "missing", "deleted" or "bodyMissing". */
internal fun notFound(reason: String) = Refusal("notFound", "reason" to reason)

/** An operation or a choice that the store does not offer. */
internal fun unsupported(what: String) = Refusal("unsupported", "what" to what)
