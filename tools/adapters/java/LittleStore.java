import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A small document store in memory, written from {@code Vectors/README.md} to be read.
 *
 * <p>Where a faster or shorter form would be harder to follow, it uses the plain one.
 */
final class LittleStore {
    static final List<String> CAPABILITIES = List.of(
            "resolve", "compact", "purge", "historyLimit", "atomicBatch", "validation", "flush",
            "tombstoneBodies");
    static final List<String> PROFILES =
            List.of("dense-changes", "incarnation-sequences", "exact-numbers");

    private final Map<String, Database> databases = new HashMap<>();
    private final Set<String> opened = new HashSet<>();

    /** Performs one operation and returns its result, or throws a {@link Refusal}. */
    Map<String, Object> perform(Arguments operation) {
        var op = operation.text("op", "");
        var name = operation.text("store", "");
        switch (op) {
            case "open" -> open(name, operation);
            case "close" -> opened.remove(name);
            case "destroy" -> {
                opened.remove(name);
                databases.remove(name);
            }
            default -> {
                if (!opened.contains(name)) {
                    throw Refusal.of("noSuchStore");
                }
                return databases.get(name).perform(op, operation);
            }
        }
        return Json.object();
    }

    /** Creates a database or reopens it. There is one kind of revision ids and one collation. */
    private void open(String name, Arguments operation) {
        if (!Names.isStoreName(name)) {
            throw Refusal.of("badName");
        }
        checkChoice(operation.text("revisionIDs", "own"), "own");
        checkChoice(operation.text("collation", "bytes"), "bytes");
        databases.computeIfAbsent(name, absent -> new Database());
        opened.add(name);
    }

    private static void checkChoice(String chosen, String known) {
        if (!chosen.equals(known)) {
            throw Refusal.unsupported(chosen);
        }
    }
}
