import java.util.LinkedHashMap;
import java.util.Map;

/** Why an operation was refused: what stands behind {@code error} in an outcome. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Object> error;

    private Refusal(Map<String, Object> error) {
        // Refusals are answers like any other, and nobody looks where one was made.
        super(error.toString(), null, false, false);
        this.error = error;
    }

    /** A refusal of a kind that needs no other member. */
    static Refusal of(String kind) {
        return new Refusal(Json.object("kind", kind));
    }

    /** What is not there: {@code missing}, {@code deleted} or {@code bodyMissing}. */
    static Refusal notFound(String reason) {
        return new Refusal(Json.object("kind", "notFound", "reason", reason));
    }

    /** An argument that is missing, or makes no sense. */
    static Refusal badRequest(String path) {
        return new Refusal(Json.object("kind", "badRequest", "path", path));
    }

    /** An operation or a choice that this store does not know. */
    static Refusal unsupported(String what) {
        return new Refusal(Json.object("kind", "unsupported", "what", what));
    }

    static Refusal tooLarge(long limit) {
        return new Refusal(Json.object("kind", "tooLarge", "limit", limit));
    }

    /** This refusal as that of one write of a batch. */
    Refusal ofWrite(int place) {
        var error = new LinkedHashMap<>(this.error);
        error.put("write", place);
        return new Refusal(error);
    }

    Map<String, Object> toJson() {
        return error;
    }
}
