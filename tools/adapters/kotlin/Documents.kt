// Writing and reading documents, one at a time and in lists, and local documents.

internal fun Database.info(): JsonObject {
    val live = content.documents.values.count { it.isLive }
    return mapOf(
        "documents" to live,
        "deletedDocuments" to content.documents.size - live,
        "last" to sequence(content.last),
        "incarnation" to incarnation
    )
}

/** Creates a document, or a live child of the winner of a deleted one. */
internal fun Database.create(operation: Arguments): JsonObject {
    val id = if ("id" in operation) operation.id else freshName()
    val body = operation.body
    val document = documentOrEmpty(id)
    if (document.isLive) throw Refusal("conflict")
    return write(id, document, document.leaves.firstOrNull(), false, body)
}

internal fun Database.update(operation: Arguments): JsonObject = editLeaf(operation, false, operation.body)

internal fun Database.delete(operation: Arguments): JsonObject =
    editLeaf(operation, true, if ("body" in operation) operation.body else emptyMap())

/** Adds a child of the leaf that the operation names. */
private fun Database.editLeaf(operation: Arguments, isDeleted: Boolean, body: JsonObject): JsonObject {
    val id = operation.id
    val parent = operation.revision("rev")
    val document = document(id)
    if (parent !in document.leaves) throw Refusal("conflict")
    return write(id, document, parent, isDeleted, body)
}

private fun Database.write(
    id: String, document: Document, parent: RevisionId?, isDeleted: Boolean, body: JsonObject
): JsonObject {
    val (rev, changed) = edit(id, document, parent, isDeleted, body)
    store(id, changed)
    return mapOf("id" to id, "rev" to "$rev")
}

/** Returns the live winner, or the given revision. */
internal fun Database.read(operation: Arguments): JsonObject {
    val id = operation.id
    val given = if ("rev" in operation) operation.revision("rev") else null
    val document = document(id)
    val rev = given ?: document.liveLeaves.firstOrNull() ?: throw notFound("deleted")
    if (rev !in document) throw notFound("missing")
    val body = document.body(rev) ?: throw notFound("bodyMissing")
    return mapOf("id" to id, "rev" to "$rev", "deleted" to document.isDeleted(rev), "body" to body)
}

/** Returns the documents with a live winner in byte order of their ids. */
internal fun Database.list(operation: Arguments): JsonObject {
    val limit = operation.rowLimit
    val documents = content.documents.let { if (operation.flag("descending")) it.descendingMap() else it }
    val fromFirst = if ("from" in operation) documents.tailMap(operation.text("from"), true) else documents
    val rows = fromFirst.asSequence().mapNotNull { (id, document) ->
        document.liveLeaves.firstOrNull()?.let { mapOf("id" to id, "rev" to "$it") }
    }
    return mapOf("rows" to rows.take(limit).toList())
}

internal fun Database.leaves(operation: Arguments): JsonObject = mapOf("leaves" to leafRows(document(operation.id)))

/** The leaves as "leaves" and "changes" show them. */
private fun leafRows(document: Document): List<JsonObject> =
    document.leaves.map { mapOf("rev" to "$it", "deleted" to document.isDeleted(it)) }

/** Returns one row for each document that changed after "since", in the order of the changes. */
internal fun Database.changes(operation: Arguments): JsonObject {
    val limit = operation.rowLimit
    val since = if ("since" in operation) position(operation["since"]) else 0
    val changed = content.documents.entries.filter { it.value.sequence > since }.sortedBy { it.value.sequence }
    val shown = changed.take(limit)
    val hasMore = shown.size < changed.size
    val last = if (hasMore) shown.lastOrNull()?.value?.sequence ?: since else content.last
    val rows = shown.map { (id, document) ->
        mapOf(
            "seq" to sequence(document.sequence),
            "id" to id,
            "deleted" to !document.isLive,
            "leaves" to leafRows(document)
        )
    }
    return mapOf("rows" to rows, "last" to sequence(last), "more" to hasMore)
}

internal fun Database.readLocal(operation: Arguments): JsonObject =
    mapOf("body" to (content.localDocuments[operation.localId] ?: throw notFound("missing")))

/** Replaces a local document. The body null deletes it. */
internal fun Database.writeLocal(operation: Arguments): JsonObject {
    val id = operation.localId
    if ("body" in operation && operation["body"] == null) {
        content.localDocuments -= id
    } else {
        content.localDocuments[id] = operation.body
    }
    return emptyMap()
}
