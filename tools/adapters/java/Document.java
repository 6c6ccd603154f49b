import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;
import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.toSet;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The revision tree of one document. */
final class Document {
    private final NavigableMap<RevisionId, Revision> revisions;

    /** The sequence of the latest change. */
    long sequence = 0;

    Document() {
        revisions = new TreeMap<>();
    }

    /** Creates a copy to be changed: a document in a database never changes. */
    Document(Document other) {
        revisions = new TreeMap<>(other.revisions);
        sequence = other.sequence;
    }

    // Reading

    boolean isEmpty() {
        return revisions.isEmpty();
    }

    boolean hasSameRevisions(Document other) {
        return revisions.equals(other.revisions);
    }

    boolean holds(RevisionId rev) {
        return revisions.containsKey(rev);
    }

    /** True if a revision is stored with its body. */
    boolean hasBody(RevisionId rev) {
        return holds(rev) && revisions.get(rev).body() != null;
    }

    /** A stored revision. */
    Revision revision(RevisionId rev) {
        return revisions.get(rev);
    }

    boolean isDeleted(RevisionId rev) {
        return revisions.get(rev).isDeleted();
    }

    /** The revisions without children, the winner first: live before deleted, then the highest id. */
    List<RevisionId> leaves() {
        var parents = revisions.values().stream().map(Revision::parent).collect(toSet());
        return revisions.keySet().stream()
                .filter(not(parents::contains))
                .sorted(comparing(this::isDeleted).thenComparing(reverseOrder()))
                .toList();
    }

    List<RevisionId> liveLeaves() {
        return leaves().stream().filter(not(this::isDeleted)).toList();
    }

    /** The revision that a read without a revision returns; empty if all leaves are deleted. */
    Optional<RevisionId> liveWinner() {
        return liveLeaves().stream().findFirst();
    }

    boolean isLive() {
        return liveWinner().isPresent();
    }

    /** A revision and its ancestors, newest first. */
    Stream<RevisionId> path(RevisionId rev) {
        return Stream.iterate(rev, Objects::nonNull, step -> revisions.get(step).parent());
    }

    // Changes

    /** Adds the new parts of a record, and never replaces known ones. */
    void merge(List<RevisionId> path, boolean deleted, Map<String, Object> body) {
        var tip = revisions.getOrDefault(path.get(0), Revision.NAME_ONLY);
        revisions.put(path.get(0), tip.filled(deleted, body));
        for (var i = 1; i < path.size(); i++) {
            var child = revisions.get(path.get(i - 1));
            // The child is absent if the path names another parent for a revision whose parent is known.
            if (child != null && child.parent() == null) {
                revisions.put(path.get(i - 1), child.below(path.get(i)));
                revisions.putIfAbsent(path.get(i), Revision.NAME_ONLY);
            }
        }
    }

    /** Removes all revisions that are not among the newest {@code limit} of any leaf. */
    void keepNewest(long limit) {
        keep(leaves().stream().flatMap(leaf -> path(leaf).limit(limit)).collect(toSet()));
    }

    /** Removes some leaves, and the ancestors that no other leaf has. */
    void removeLeaves(Collection<RevisionId> removed) {
        keep(leaves().stream().filter(not(removed::contains)).flatMap(this::path).collect(toSet()));
    }

    private void keep(Set<RevisionId> kept) {
        revisions.keySet().retainAll(kept);
        revisions.replaceAll(
                (rev, revision) -> kept.contains(revision.parent()) ? revision : revision.below(null));
    }

    /** Drops the bodies of all revisions that are not leaves. */
    void compact() {
        var leaves = Set.copyOf(leaves());
        revisions.replaceAll(
                (rev, revision) -> leaves.contains(rev) ? revision : revision.withoutBody());
    }
}
