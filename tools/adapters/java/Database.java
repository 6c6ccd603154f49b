import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One named store from its creation to its destruction. */
final class Database {
    final String incarnation;
    NavigableMap<String, Document> documents;
    Map<String, Map<String, Object>> localDocuments;
    long last;
    long historyLimit;
    Filter refused;

    /** Creates an empty database with a new incarnation. */
    Database() {
        incarnation = Names.fresh();
        documents = new TreeMap<>(Names::compareBytes);
        localDocuments = new HashMap<>();
        last = 0;
        historyLimit = Long.MAX_VALUE;
        refused = Filter.NOTHING;
    }

    /** Creates a copy for an attempt. It shares documents and bodies, which never change. */
    Database(Database other) {
        incarnation = other.incarnation;
        historyLimit = other.historyLimit;
        refused = other.refused;
        adopt(other);
    }

    /** Replaces the content by that of another database. */
    void adopt(Database other) {
        documents = new TreeMap<>(other.documents);
        localDocuments = new HashMap<>(other.localDocuments);
        last = other.last;
    }

    /** Performs one operation. An operation that fails changes nothing. */
    Map<String, Object> perform(String op, Arguments operation) {
        return switch (op) {
            case "info" -> Documents.info(this);
            case "create" -> Documents.create(this, operation);
            case "update" -> Documents.update(this, operation);
            case "delete" -> Documents.delete(this, operation);
            case "read" -> Documents.read(this, operation);
            case "list" -> Documents.list(this, operation);
            case "leaves" -> Documents.leaves(this, operation);
            case "changes" -> Documents.changes(this, operation);
            case "readLocal" -> Documents.readLocal(this, operation);
            case "writeLocal" -> Documents.writeLocal(this, operation);
            case "revsDiff" -> Replication.revsDiff(this, operation);
            case "getRevisions" -> Replication.getRevisions(this, operation);
            case "insertRevisions" -> Replication.insertRevisions(this, operation);
            case "resolve" -> Capabilities.resolve(this, operation);
            case "compact" -> Capabilities.compact(this);
            case "purge" -> Capabilities.purge(this, operation);
            case "historyLimit" -> Capabilities.historyLimit(this, operation);
            case "batch" -> Capabilities.batch(this, operation);
            case "setValidation" -> Capabilities.setValidation(this, operation);
            case "flush" -> Capabilities.flush();
            default -> throw Refusal.unsupported(op);
        };
    }

    // Sequences

    /** The text of a sequence. It names the incarnation to which the sequence belongs. */
    String sequence(long number) {
        return incarnation + "-" + number;
    }

    /** The number of a sequence of this incarnation. */
    long position(Object sequence) {
        if (sequence instanceof String text && text.startsWith(incarnation + "-")) {
            var number = text.substring(incarnation.length() + 1);
            if (number.matches("0|[1-9][0-9]{0,17}") && Long.parseLong(number) <= last) {
                return Long.parseLong(number);
            }
        }
        throw Refusal.of("badSequence");
    }

    // Documents and their changes

    /** The document with an id. */
    Document document(String id) {
        return Optional.ofNullable(documents.get(id)).orElseThrow(() -> Refusal.notFound("missing"));
    }

    /** A copy of a document, or an empty one, to be changed and then given to {@link #settle}. */
    Document draft(String id) {
        return documents.containsKey(id) ? new Document(documents.get(id)) : new Document();
    }

    /** Adds a child of {@code parent} to a draft, or a root if {@code parent} is null. */
    RevisionId edit(
            String id, Document draft, RevisionId parent, boolean deleted, Map<String, Object> body) {
        var rev = parent == null ? RevisionId.first() : parent.child();
        checkAllowed(id, deleted, body);
        draft.merge(parent == null ? List.of(rev) : List.of(rev, parent), deleted, body);
        return rev;
    }

    /** Refuses a revision that the validation describes. */
    void checkAllowed(String id, boolean deleted, Map<String, Object> body) {
        if (refused.describes(id, deleted, body)) {
            throw Refusal.of("forbidden");
        }
    }

    /**
     * Replaces a document by its draft. Applies the history limit, and gives the document the next sequence if
     * anything differs.
     */
    void settle(String id, Document draft) {
        var before = documents.getOrDefault(id, new Document());
        if (!draft.hasSameRevisions(before)) {
            draft.keepNewest(historyLimit);
        }
        if (draft.hasSameRevisions(before)) {
            return;
        }
        last++;
        draft.sequence = last;
        if (draft.isEmpty()) {
            documents.remove(id);
        } else {
            documents.put(id, draft);
        }
    }

    /** Revision ids as results show them. */
    static List<String> shown(Stream<RevisionId> revs) {
        return revs.map(RevisionId::toString).toList();
    }
}
