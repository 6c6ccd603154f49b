import java.util.Map;
import java.util.UUID;

/** How stores and documents are called, and what a body may be. */
final class Names {
    /** How deep a body may nest. */
    static final int LARGEST_DEPTH = 128;

    private Names() {}

    static boolean isStoreName(String name) {
        return name.matches("[a-z][a-z0-9_$()+/-]*");
    }

    /** Whether this is an id of a document. */
    static boolean isDocumentId(String id) {
        var design = id.startsWith("_design/") && id.length() > "_design/".length();
        return isLocalId(id) && (design || !id.startsWith("_"));
    }

    /** Whether this is an id of a local document: it may begin with {@code _}. */
    static boolean isLocalId(String id) {
        return !id.isEmpty() && id.indexOf('\0') < 0;
    }

    static void checkBody(Map<String, Object> body) {
        if (body.keySet().stream().anyMatch(name -> name.startsWith("_"))) {
            throw Refusal.of("badBody");
        }
        if (Json.depth(body) > LARGEST_DEPTH) {
            throw Refusal.tooLarge(LARGEST_DEPTH);
        }
    }

    /** A name that nobody else makes, in this process or another one. */
    static String fresh() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /**
     * Compares two texts as their bytes of UTF-8 are compared.
     *
     * <p>The units of UTF-16, which {@link String#compareTo} compares, have the same order but for
     * surrogates: they spell what lies above all other characters, and are lower than some of them.
     */
    static int compareBytes(String a, String b) {
        for (var i = 0; i < Math.min(a.length(), b.length()); i++) {
            var x = a.charAt(i);
            var y = b.charAt(i);
            if (x != y) {
                var alike = Character.isSurrogate(x) == Character.isSurrogate(y);
                return alike ? x - y : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }
}
