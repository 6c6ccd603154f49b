/** True for the revisions that a filter describes, by document, deletion and body. */
internal typealias Filter = (String, Boolean, JsonObject) -> Boolean

/** The filter that describes no revision. */
internal val nothing: Filter = { _, _, _ -> false }

/** The filter in the argument "refuse". */
internal fun filter(value: Any?): Filter {
    val rule = Arguments(value as? Map<*, *> ?: throw badRequest("refuse"))
    val member = rule["bodyFieldEquals"]
    return when {
        "documentIDs" in rule -> {
            val ids = rule.list("documentIDs").toSet();
            { id, _, _ -> id in ids }
        }
        member is Map<*, *> -> { _, _, body ->
            body.any { (name, value) -> name == member["field"] && isSame(value, member["value"]) }
        }
        "live" in rule -> { _, isDeleted, _ -> !isDeleted }
        else -> throw badRequest("refuse")
    }
}
