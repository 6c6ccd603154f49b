import java.util.regex.Pattern;

/** A revision id, ordered by its generation as a number and then by the bytes of its suffix. */
record RevisionId(long generation, String suffix) implements Comparable<RevisionId> {
    private static final Pattern SPELLING = Pattern.compile("([1-9][0-9]{0,15})-(.+)", Pattern.DOTALL);
    private static final long LARGEST_GENERATION = (1L << 53) - 1;

    RevisionId {
        if (generation > LARGEST_GENERATION) {
            throw Refusal.of("badRevision");
        }
    }

    /** Reads the only encoding of a revision id; {@link #toString} returns the same text. */
    static RevisionId parse(Object value) {
        if (value instanceof String text) {
            var spelled = SPELLING.matcher(text);
            if (spelled.matches()) {
                return new RevisionId(Long.parseLong(spelled.group(1)), spelled.group(2));
            }
        }
        throw Refusal.of("badRevision");
    }

    /** Returns the id of a new root. */
    static RevisionId first() {
        return new RevisionId(1, Names.fresh());
    }

    /** Returns the id of a new child of this revision. */
    RevisionId child() {
        return new RevisionId(generation + 1, Names.fresh());
    }

    @Override
    public int compareTo(RevisionId other) {
        var byGeneration = Long.compare(generation, other.generation);
        return byGeneration != 0 ? byGeneration : Names.compareBytes(suffix, other.suffix);
    }

    @Override
    public String toString() {
        return generation + "-" + suffix;
    }
}
