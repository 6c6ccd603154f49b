// What the store offers beyond the core.

private val BATCH_WRITES = setOf("create", "update", "delete", "resolve", "writeLocal")

/** Ends a conflict: keeps one live leaf, or adds a child to it, and deletes the others. */
internal fun Database.resolve(operation: Arguments): JsonObject {
    val id = operation.id
    val keep = operation.revision("keep")
    val expected = operation.revisions("leaves").toSet()
    val body = if ("body" in operation) operation.body else null
    if (keep !in expected) throw badRequest("keep")
    var document = documentOrEmpty(id)
    val leaves = document.liveLeaves.toSet()
    if (leaves != expected) throw Refusal("conflict")

    fun add(parent: RevisionId, isDeleted: Boolean, body: JsonObject): RevisionId {
        val (rev, changed) = edit(id, document, parent, isDeleted, body)
        document = changed
        return rev
    }
    val rev = if (body == null) keep else add(keep, false, body)
    val tombstones = (leaves - keep).map { add(it, true, emptyMap()) }
    store(id, document)
    return mapOf("rev" to "$rev", "tombstones" to shown(tombstones))
}

/** Drops the bodies of all revisions that are not leaves. No document counts as changed. */
internal fun Database.compact(): JsonObject {
    content.documents.replaceAll { _, document -> document.compacted() }
    return emptyMap()
}

/** Removes leaves without leaving tombstones. */
internal fun Database.purge(operation: Arguments): JsonObject {
    val id = operation.id
    val revs = operation.revisions("revs")
    val document = documentOrEmpty(id)
    val purged = document.leaves.filter(revs::contains)
    store(id, document.removing(purged))
    return mapOf("purged" to shown(purged))
}

/** Sets how many revisions of each leaf a document keeps from its next change on. */
internal fun Database.setHistoryLimit(operation: Arguments): JsonObject {
    historyLimit = operation.limit(1)
    return emptyMap()
}

/** Performs writes in order, and undoes all of them if one fails. */
internal fun Database.batch(operation: Arguments): JsonObject {
    val before = content.copy()
    val results = operation.parts("writes").mapIndexed { place, write ->
        try {
            val op = write.text("op")
            if (op !in BATCH_WRITES) throw badRequest("writes[$place].op")
            perform(op, write)
        } catch (refusal: Refusal) {
            content = before
            throw Refusal(refusal.error + ("write" to place))
        }
    }
    return mapOf("results" to results)
}

/** Sets which writes are refused. The filter null refuses none. */
internal fun Database.setValidation(operation: Arguments): JsonObject {
    refuses = if ("refuse" in operation && operation["refuse"] == null) nothing else filter(operation["refuse"])
    return emptyMap()
}
