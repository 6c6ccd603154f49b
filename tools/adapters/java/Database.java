import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One named store from its creation to its destruction: what it holds, and how anything in it changes. */
final class Database {
    final String incarnation;
    NavigableMap<String, Document> documents;
    Map<String, Map<String, Object>> localDocuments;
    long last;
    long historyLimit;
    Filter refused;

    /** An empty store, which is an incarnation of its own. */
    Database() {
        incarnation = Names.fresh();
        documents = new TreeMap<>(Names::compareBytes);
        localDocuments = new HashMap<>();
        last = 0;
        historyLimit = Long.MAX_VALUE;
        refused = Filter.NOTHING;
    }

    /** A copy to try something with. Documents and bodies are shared: they never change. */
    Database(Database other) {
        incarnation = other.incarnation;
        historyLimit = other.historyLimit;
        refused = other.refused;
        adopt(other);
    }

    /** Takes over what another database holds. */
    void adopt(Database other) {
        documents = new TreeMap<>(other.documents);
        localDocuments = new HashMap<>(other.localDocuments);
        last = other.last;
    }

    /** Performs one operation. Those that fail have changed nothing. */
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

    /** A sequence as it is handed out: it names the incarnation that it belongs to. */
    String sequence(long number) {
        return incarnation + "-" + number;
    }

    /** What a sequence stands for, if it is one of this incarnation. */
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

    /** A document that is here. */
    Document document(String id) {
        return Optional.ofNullable(documents.get(id)).orElseThrow(() -> Refusal.notFound("missing"));
    }

    /** A copy of a document, or of one without revisions, to be changed and then settled. */
    Document draft(String id) {
        return documents.containsKey(id) ? new Document(documents.get(id)) : new Document();
    }

    /** Adds an edit to a draft: a child of {@code parent}, or with null a first revision. */
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
     * Puts a draft in the place of its document: cuts the history, and moves the row if anything is another
     * than before.
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

    /** Revision ids as outcomes show them. */
    static List<String> shown(Stream<RevisionId> revs) {
        return revs.map(RevisionId::toString).toList();
    }
}
