import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The operations of replicators: revsDiff, getRevisions and insertRevisions. */
final class Replication {
    private Replication() {}

    static Map<String, Object> revsDiff(Database database, Arguments operation) {
        var results = operation.parts("revs").stream()
                .map(question -> difference(database, question.id(), question.revs("revs")))
                .filter(Objects::nonNull)
                .toList();
        return Json.object("results", results);
    }

    /** The missing revisions of one document with possible ancestors; null if no revision is missing. */
    private static Map<String, Object> difference(Database database, String id, List<RevisionId> revs) {
        var document = database.draft(id);
        var missing = revs.stream().distinct().filter(rev -> !document.holds(rev)).toList();
        if (missing.isEmpty()) {
            return null;
        }
        var highest = missing.stream().mapToLong(RevisionId::generation).max().getAsLong();
        var ancestors = document.leaves().stream().filter(leaf -> leaf.generation() < highest);
        return Json.object(
                "id", id,
                "missing", Database.shown(missing.stream()),
                "possibleAncestors", Database.shown(ancestors));
    }

    /** Returns one result for each requested revision. */
    static Map<String, Object> getRevisions(Database database, Arguments operation) {
        var results = new ArrayList<>();
        for (var question : operation.parts("docs")) {
            var id = question.id();
            var latest = question.flag("latest");
            for (var rev : question.revs("revs")) {
                var result = Json.object("id", id, "rev", rev.toString());
                result.putAll(found(database, id, rev, latest));
                results.add(result);
            }
        }
        return Json.object("results", results);
    }

    /** The record of a revision, or with {@code latest} those of the leaves that descend from it. */
    private static Map<String, Object> found(Database database, String id, RevisionId rev, boolean latest) {
        var document = database.draft(id);
        if (!document.holds(rev)) {
            return Json.object("missing", "missing");
        }
        if (!latest && !document.hasBody(rev)) {
            return Json.object("missing", "bodyMissing");
        }
        var wanted = List.of(rev).stream();
        if (latest) {
            wanted = document.leaves().stream().filter(leaf -> document.path(leaf).anyMatch(rev::equals));
        }
        return Json.object("records", wanted.map(leaf -> record(database, id, document, leaf)).toList());
    }

    /** A revision with as much of its history as the history limit allows. */
    private static Map<String, Object> record(
            Database database, String id, Document document, RevisionId rev) {
        var path = document.path(rev).limit(database.historyLimit);
        var record = Json.object("id", id, "path", Database.shown(path));
        if (document.isDeleted(rev)) {
            record.put("deleted", true);
        }
        record.put("body", document.revision(rev).body());
        return record;
    }

    /** Merges records independently. The history limit applies when all of them are merged. */
    static Map<String, Object> insertRevisions(Database database, Arguments operation) {
        var drafts = new HashMap<String, Document>();
        var results = new ArrayList<>();
        for (var record : operation.parts("records")) {
            try {
                insert(database, record, drafts);
                results.add(Json.object("ok", Json.object()));
            } catch (Refusal refusal) {
                results.add(Json.object("error", refusal.toJson()));
            }
        }
        drafts.forEach(database::settle);
        return Json.object("results", results);
    }

    private static void insert(Database database, Arguments record, Map<String, Document> drafts) {
        var id = record.id();
        var path = record.path();
        var deleted = record.flag("deleted");
        var body = record.body();
        var draft = drafts.computeIfAbsent(id, database::draft);
        if (!draft.hasBody(path.get(0))) {
            database.checkAllowed(id, deleted, body);
        }
        draft.merge(path, deleted, body);
    }
}
