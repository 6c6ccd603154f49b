import java.util.UUID

private const val LARGEST_GENERATION = (1L shl 53) - 1
private val SYNTAX = Regex("([1-9][0-9]{0,15})-(.+)", RegexOption.DOT_MATCHES_ALL)

/** A revision id, ordered by its generation as a number and then by the bytes of its suffix. */
internal data class RevisionId(val generation: Long, val suffix: String) : Comparable<RevisionId> {
    override fun compareTo(other: RevisionId): Int =
        compareValuesBy(this, other, { it.generation }).takeIf { it != 0 } ?: ByteOrder.compare(suffix, other.suffix)

    override fun toString() = "$generation-$suffix"

    companion object {
        fun parse(value: Any?): RevisionId {
            val match = (value as? String)?.let(SYNTAX::matchEntire) ?: throw Refusal("badRevision")
            val (generation, suffix) = match.destructured
            return of(generation.toLong(), suffix)
        }

        /** The id of a new child of a revision, or of a new root. */
        fun childOf(parent: RevisionId?): RevisionId = of((parent?.generation ?: 0) + 1, freshName())

        private fun of(generation: Long, suffix: String): RevisionId {
            if (generation > LARGEST_GENERATION) throw Refusal("badRevision")
            return RevisionId(generation, suffix)
        }
    }
}

/** Returns a name that is unique across processes. */
internal fun freshName(): String = UUID.randomUUID().toString().replace("-", "")

/**
 * The order of texts by their bytes in UTF-8.
 *
 * String.compareTo compares UTF-16 units. The two orders differ only at surrogates, which encode the
 * characters above all others but are less than some of the other units.
 */
internal object ByteOrder : Comparator<String> {
    override fun compare(a: String, b: String): Int {
        val index = (0 until minOf(a.length, b.length)).firstOrNull { a[it] != b[it] } ?: return a.length - b.length
        val bySurrogate = a[index].isSurrogate().compareTo(b[index].isSurrogate())
        return if (bySurrogate != 0) bySurrogate else a[index].compareTo(b[index])
    }
}
