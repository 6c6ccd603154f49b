import java.util.Map;
import java.util.UUID;

/** Valid names of stores and documents, and the depth of bodies. */
final class Names {
    /** The largest number of objects and lists that may contain each other in a body. */
    static final int LARGEST_DEPTH = 128;

    private Names() {}

    static boolean isStoreName(String name) {
        return name.matches("[a-z][a-z0-9_$()+/-]*");
    }

    /** True for a valid id of a document. */
    static boolean isDocumentId(String id) {
        var design = id.startsWith("_design/") && id.length() > "_design/".length();
        return isLocalId(id) && (design || !id.startsWith("_"));
    }

    /** True for a valid id of a local document. It may begin with {@code _}. */
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

    /** Returns a name that is unique across processes. */
    static String fresh() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /**
     * Compares two texts by their bytes in UTF-8.
     *
     * <p>{@link String#compareTo} compares UTF-16 units. The two orders differ only at surrogates, which encode
     * the characters above all others but are less than some of the other units.
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
