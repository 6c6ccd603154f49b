import static java.util.Comparator.comparing;

import java.util.List;
import java.util.Map;

/** Writing and reading documents, one at a time and in lists, and local documents. */
final class Documents {
    private Documents() {}

    static Map<String, Object> info(Database database) {
        var live = database.documents.values().stream().filter(Document::isLive).count();
        return Json.object(
                "documents", live,
                "deletedDocuments", database.documents.size() - live,
                "last", database.sequence(database.last),
                "incarnation", database.incarnation);
    }

    /** Creates a document, or a live child of the winner of a deleted one. */
    static Map<String, Object> create(Database database, Arguments operation) {
        var id = operation.has("id") ? operation.id() : Names.fresh();
        var body = operation.body();
        var draft = database.draft(id);
        if (draft.isLive()) {
            throw Refusal.of("conflict");
        }
        var tombstone = draft.isEmpty() ? null : draft.leaves().get(0);
        var rev = database.edit(id, draft, tombstone, false, body);
        database.settle(id, draft);
        return Json.object("id", id, "rev", rev.toString());
    }

    static Map<String, Object> update(Database database, Arguments operation) {
        return editLeaf(database, operation, false, operation.body());
    }

    static Map<String, Object> delete(Database database, Arguments operation) {
        var body = operation.has("body") ? operation.body() : Json.object();
        return editLeaf(database, operation, true, body);
    }

    /** Adds a child of the leaf that the operation names. */
    private static Map<String, Object> editLeaf(
            Database database, Arguments operation, boolean deleted, Map<String, Object> body) {
        var id = operation.id();
        var parent = operation.rev("rev");
        if (!database.document(id).leaves().contains(parent)) {
            throw Refusal.of("conflict");
        }
        var draft = database.draft(id);
        var rev = database.edit(id, draft, parent, deleted, body);
        database.settle(id, draft);
        return Json.object("id", id, "rev", rev.toString());
    }

    /** Returns the live winner, or the given revision. */
    static Map<String, Object> read(Database database, Arguments operation) {
        var id = operation.id();
        var asked = operation.has("rev") ? operation.rev("rev") : null;
        var document = database.document(id);
        var rev = asked != null
                ? asked
                : document.liveWinner().orElseThrow(() -> Refusal.notFound("deleted"));
        if (!document.hasBody(rev)) {
            throw Refusal.notFound(document.holds(rev) ? "bodyMissing" : "missing");
        }
        var revision = document.revision(rev);
        return Json.object(
                "id", id, "rev", rev.toString(), "deleted", revision.isDeleted(), "body", revision.body());
    }

    /** Returns the documents with a live winner in byte order of their ids. */
    static Map<String, Object> list(Database database, Arguments operation) {
        var limit = operation.rows();
        var from = operation.text("from", null);
        var documents = operation.flag("descending")
                ? database.documents.descendingMap()
                : database.documents;
        var reached = from == null ? documents : documents.tailMap(from, true);
        var rows = reached.entrySet().stream()
                .filter(entry -> entry.getValue().isLive())
                .limit(limit)
                .map(entry -> Json.object(
                        "id", entry.getKey(), "rev", entry.getValue().liveWinner().get().toString()))
                .toList();
        return Json.object("rows", rows);
    }

    static Map<String, Object> leaves(Database database, Arguments operation) {
        return Json.object("leaves", leafRows(database.document(operation.id())));
    }

    /** Returns one row for each document that changed after {@code since}, in the order of the changes. */
    static Map<String, Object> changes(Database database, Arguments operation) {
        var limit = operation.rows();
        var since = operation.has("since") ? database.position(operation.value("since")) : 0;
        var changed = database.documents.entrySet().stream()
                .filter(entry -> entry.getValue().sequence > since)
                .sorted(comparing(entry -> entry.getValue().sequence))
                .toList();
        var shown = changed.stream().limit(limit).toList();
        var more = shown.size() < changed.size();
        var last = database.last;
        if (more) {
            last = shown.isEmpty() ? since : shown.get(shown.size() - 1).getValue().sequence;
        }
        var rows = shown.stream().map(entry -> changeRow(database, entry.getKey(), entry.getValue()));
        return Json.object("rows", rows.toList(), "last", database.sequence(last), "more", more);
    }

    private static Map<String, Object> changeRow(Database database, String id, Document document) {
        return Json.object(
                "seq", database.sequence(document.sequence),
                "id", id,
                "deleted", !document.isLive(),
                "leaves", leafRows(document));
    }

    /** The leaves as {@code leaves} and {@code changes} show them. */
    private static List<Map<String, Object>> leafRows(Document document) {
        return document.leaves().stream()
                .map(rev -> Json.object("rev", rev.toString(), "deleted", document.isDeleted(rev)))
                .toList();
    }

    static Map<String, Object> readLocal(Database database, Arguments operation) {
        var body = database.localDocuments.get(operation.localId());
        if (body == null) {
            throw Refusal.notFound("missing");
        }
        return Json.object("body", body);
    }

    /** Replaces a local document. The body {@code null} deletes it. */
    static Map<String, Object> writeLocal(Database database, Arguments operation) {
        var id = operation.localId();
        if (operation.has("body") && operation.value("body") == null) {
            database.localDocuments.remove(id);
        } else {
            database.localDocuments.put(id, operation.body());
        }
        return Json.object();
    }
}
