import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The operations of capabilities, which are optional. */
final class Capabilities {
    private static final Set<String> WRITES = Set.of("create", "update", "delete", "resolve", "writeLocal");

    private Capabilities() {}

    /** Ends a conflict: keeps one live leaf, or adds a child to it, and deletes the others. */
    static Map<String, Object> resolve(Database database, Arguments operation) {
        var id = operation.id();
        var keep = operation.rev("keep");
        var leaves = operation.revs("leaves");
        var body = operation.has("body") ? operation.body() : null;
        if (!leaves.contains(keep)) {
            throw Refusal.badRequest("keep");
        }
        var draft = database.draft(id);
        var losers = new HashSet<>(draft.liveLeaves());
        if (!losers.equals(new HashSet<>(leaves))) {
            throw Refusal.of("conflict");
        }
        losers.remove(keep);
        var rev = body == null ? keep : database.edit(id, draft, keep, false, body);
        var tombstones = new ArrayList<RevisionId>();
        for (var loser : losers) {
            tombstones.add(database.edit(id, draft, loser, true, Json.object()));
        }
        database.settle(id, draft);
        return Json.object("rev", rev.toString(), "tombstones", Database.shown(tombstones.stream()));
    }

    /** Drops the bodies of all revisions that are not leaves. No document counts as changed. */
    static Map<String, Object> compact(Database database) {
        database.documents.replaceAll((id, document) -> {
            var compacted = new Document(document);
            compacted.compact();
            return compacted;
        });
        return Json.object();
    }

    /** Removes leaves without leaving tombstones. */
    static Map<String, Object> purge(Database database, Arguments operation) {
        var id = operation.id();
        var revs = operation.revs("revs");
        var draft = database.draft(id);
        var purged = draft.leaves().stream().filter(revs::contains).toList();
        draft.removeLeaves(purged);
        database.settle(id, draft);
        return Json.object("purged", Database.shown(purged.stream()));
    }

    /** Sets how many revisions of each leaf a document keeps from its next change on. */
    static Map<String, Object> historyLimit(Database database, Arguments operation) {
        database.historyLimit = operation.limit(1);
        return Json.object();
    }

    /** Performs writes in order on a copy of the database, and keeps the copy if all succeed. */
    static Map<String, Object> batch(Database database, Arguments operation) {
        var attempt = new Database(database);
        var results = new ArrayList<Map<String, Object>>();
        for (var write : operation.parts("writes")) {
            var place = results.size();
            try {
                var op = write.text("op", "");
                if (!WRITES.contains(op)) {
                    throw Refusal.badRequest("writes[" + place + "].op");
                }
                results.add(attempt.perform(op, write));
            } catch (Refusal refusal) {
                throw refusal.ofWrite(place);
            }
        }
        database.adopt(attempt);
        return Json.object("results", results);
    }

    /** Sets which writes are refused. The filter {@code null} refuses none. */
    static Map<String, Object> setValidation(Database database, Arguments operation) {
        var nothing = operation.has("refuse") && operation.value("refuse") == null;
        database.refused = nothing ? Filter.NOTHING : Filter.parse(operation.value("refuse"));
        return Json.object();
    }

    /** Does nothing: everything is in memory. */
    static Map<String, Object> flush() {
        return Json.object();
    }
}
