// The requests of replicators: which revisions are missing, revisions with their histories, and records.

/** Returns for each document the revisions that the database lacks, with possible ancestors. */
internal fun Database.revsDiff(operation: Arguments): JsonObject {
    val results = operation.parts("revs").mapNotNull { entry ->
        val id = entry.id
        val document = documentOrEmpty(id)
        val missing = entry.revisions("revs").distinct().filterNot(document::contains)
        val ancestors = document.leaves.filter { leaf -> missing.any { leaf.generation < it.generation } }
        mapOf("id" to id, "missing" to shown(missing), "possibleAncestors" to shown(ancestors))
            .takeIf { missing.isNotEmpty() }
    }
    return mapOf("results" to results)
}

/** Returns one result for each requested revision. */
internal fun Database.getRevisions(operation: Arguments): JsonObject {
    val results = operation.parts("docs").flatMap { entry ->
        val id = entry.id
        val latest = entry.flag("latest")
        entry.revisions("revs").map { mapOf("id" to id, "rev" to "$it", found(id, it, latest)) }
    }
    return mapOf("results" to results)
}

/** The record of a revision, with [latest] those of its leaves, or the reason if there is none. */
private fun Database.found(id: String, rev: RevisionId, latest: Boolean): Pair<String, Any> {
    val document = documentOrEmpty(id)
    return when {
        rev !in document -> "missing" to "missing"
        latest -> "records" to document.leaves.filter { rev in document.path(it) }.map { record(id, document, it) }
        document.body(rev) == null -> "missing" to "bodyMissing"
        else -> "records" to listOf(record(id, document, rev))
    }
}

/** A revision with as much of its history as the history limit allows. */
private fun Database.record(id: String, document: Document, rev: RevisionId): JsonObject {
    val path = document.path(rev).take(historyLimit).toList()
    val record = mapOf("id" to id, "path" to shown(path), "body" to document.body(rev))
    return if (document.isDeleted(rev)) record + ("deleted" to true) else record
}

/** Merges records independently. The history limit applies when all of them are merged. */
internal fun Database.insertRevisions(operation: Arguments): JsonObject {
    val changed = LinkedHashMap<String, Document>()
    val results = operation.parts("records").map { record ->
        try {
            val id = record.id
            changed[id] = merging(record, changed[id] ?: documentOrEmpty(id))
            mapOf("ok" to emptyMap<String, Any?>())
        } catch (refusal: Refusal) {
            mapOf("error" to refusal.error)
        }
    }
    changed.forEach(::store)
    return mapOf("results" to results)
}

/** A document with a record. Validation checks the record unless its revision is already stored. */
private fun Database.merging(record: Arguments, document: Document): Document {
    val path = record.path
    val isDeleted = record.flag("deleted")
    val body = record.body
    if (document.body(path.first()) == null) checkAllowed(record.id, isDeleted, body)
    return document.merging(path, isDeleted, body)
}

/** Revision ids as results show them. */
internal fun shown(revs: List<RevisionId>): List<String> = revs.map { "$it" }
