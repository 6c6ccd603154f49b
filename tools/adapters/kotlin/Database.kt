import java.util.TreeMap

/** The content of a store, which a batch restores when one of its writes fails. */
internal class Content(
    /** The documents in byte order of their ids. */
    val documents: TreeMap<String, Document> = TreeMap(ByteOrder),
    val localDocuments: HashMap<String, JsonObject> = HashMap(),
    /** The sequence of the latest change. */
    var last: Long = 0
) {
    fun copy() = Content(TreeMap(documents), HashMap(localDocuments), last)
}

/** One named store from its creation to its destruction. */
internal class Database {
    val incarnation = freshName()
    var content = Content()
    var historyLimit = Int.MAX_VALUE
    var refuses: Filter = nothing

    /** Performs one operation. An operation that fails changes nothing. */
    fun perform(op: String, operation: Arguments): JsonObject = when (op) {
        "info" -> info()
        "create" -> create(operation)
        "update" -> update(operation)
        "delete" -> delete(operation)
        "read" -> read(operation)
        "list" -> list(operation)
        "leaves" -> leaves(operation)
        "changes" -> changes(operation)
        "readLocal" -> readLocal(operation)
        "writeLocal" -> writeLocal(operation)
        "revsDiff" -> revsDiff(operation)
        "getRevisions" -> getRevisions(operation)
        "insertRevisions" -> insertRevisions(operation)
        "resolve" -> resolve(operation)
        "compact" -> compact()
        "purge" -> purge(operation)
        "historyLimit" -> setHistoryLimit(operation)
        "batch" -> batch(operation)
        "setValidation" -> setValidation(operation)
        "flush" -> emptyMap() // Everything is in memory: there is nothing to write.
        else -> throw unsupported(op)
    }

    /** The document with an id. */
    fun document(id: String): Document = content.documents[id] ?: throw notFound("missing")

    /** The document with an id, or one without revisions. */
    fun documentOrEmpty(id: String): Document = content.documents[id] ?: Document()

    /** Adds a child of a revision, or a root, to a document. Returns the revision and the new tree. */
    fun edit(id: String, document: Document, parent: RevisionId?, isDeleted: Boolean, body: JsonObject):
        Pair<RevisionId, Document> {
        val rev = RevisionId.childOf(parent)
        checkAllowed(id, isDeleted, body)
        return rev to document.merging(listOfNotNull(rev, parent), isDeleted, body)
    }

    /** Refuses a revision that the validation describes. */
    fun checkAllowed(id: String, isDeleted: Boolean, body: JsonObject) {
        if (refuses(id, isDeleted, body)) throw Refusal("forbidden")
    }

    /** Applies the history limit to a changed document, and stores it with the next sequence. */
    fun store(id: String, changed: Document) {
        val before = documentOrEmpty(id)
        if (changed.revisions == before.revisions) return
        val limited = changed.keepingNewest(historyLimit)
        if (limited.revisions == before.revisions) return
        content.last++
        if (limited.revisions.isEmpty()) {
            content.documents -= id
        } else {
            content.documents[id] = Document(limited.revisions, content.last)
        }
    }

    /** The text of a sequence. It names the incarnation to which the sequence belongs. */
    fun sequence(number: Long) = "$incarnation-$number"

    /** The number of a sequence of this incarnation. */
    fun position(sequence: Any?): Long {
        val number = (sequence as? String)?.removePrefix("$incarnation-")?.toLongOrNull()
        if (number == null || number !in 0..content.last || sequence != sequence(number)) throw Refusal("badSequence")
        return number
    }
}
