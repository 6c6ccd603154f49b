/**
 * One revision of a document.
 *
 * @property isDeleted null if the revision is known only from the path of another one.
 * @property body null if it is not stored: then the revision is a name from a path, or was compacted.
 */
internal data class Revision(
    val parent: RevisionId? = null,
    val isDeleted: Boolean? = null,
    val body: JsonObject? = null
)

/**
 * The revision tree of one document. It never changes: each change makes another tree.
 *
 * @property sequence that of the latest change, once the tree is stored.
 */
internal class Document(val revisions: Map<RevisionId, Revision> = emptyMap(), val sequence: Long = 0) {
    val isLive: Boolean get() = liveLeaves.isNotEmpty()

    /** The revisions without children, the winner first: live before deleted, then by id. */
    val leaves: List<RevisionId> by lazy {
        val parents = revisions.values.mapTo(HashSet()) { it.parent }
        val winnerFirst = compareBy(::isDeleted).thenByDescending<RevisionId> { it }
        revisions.keys.filterNot(parents::contains).sortedWith(winnerFirst)
    }

    val liveLeaves: List<RevisionId> get() = leaves.filterNot(::isDeleted)

    operator fun contains(rev: RevisionId) = rev in revisions

    fun isDeleted(rev: RevisionId) = revisions[rev]?.isDeleted == true

    fun body(rev: RevisionId): JsonObject? = revisions[rev]?.body

    /** A revision and its ancestors, newest first. */
    fun path(rev: RevisionId): Sequence<RevisionId> = generateSequence(rev) { revisions[it]?.parent }

    /** Adds the new parts of a record, and never replaces known ones. */
    fun merging(path: List<RevisionId>, isDeleted: Boolean, body: JsonObject): Document {
        val merged = revisions.toMutableMap()
        val tip = merged[path.first()] ?: Revision()
        merged[path.first()] = tip.copy(isDeleted = tip.isDeleted ?: isDeleted, body = tip.body ?: body)
        for ((rev, parent) in path.zipWithNext()) {
            // The child is absent if the path names another parent for a revision whose parent is known.
            val child = merged[rev]?.takeIf { it.parent == null } ?: continue
            merged[rev] = child.copy(parent = parent)
            merged.putIfAbsent(parent, Revision())
        }
        return Document(merged, sequence)
    }

    /** Removes all revisions that are not among the newest of any leaf. */
    fun keepingNewest(limit: Int) = keeping(leaves.flatMap { path(it).take(limit).asIterable() })

    /** Removes some leaves, and the ancestors that no other leaf has. */
    fun removing(leaves: Collection<RevisionId>) =
        keeping((this.leaves - leaves).flatMap { path(it).asIterable() })

    private fun keeping(revs: Iterable<RevisionId>): Document {
        val kept = revs.toSet()
        return mapping(revisions.filterKeys(kept::contains)) { _, revision ->
            revision.copy(parent = revision.parent?.takeIf(kept::contains))
        }
    }

    /** Drops the bodies of all revisions that are not leaves. */
    fun compacted(): Document {
        val leaves = leaves.toSet()
        return mapping(revisions) { rev, revision -> if (rev in leaves) revision else revision.copy(body = null) }
    }

    private fun mapping(revisions: Map<RevisionId, Revision>, change: (RevisionId, Revision) -> Revision) =
        Document(revisions.mapValues { (rev, revision) -> change(rev, revision) }, sequence)
}
