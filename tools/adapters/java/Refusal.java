import java.util.LinkedHashMap;
import java.util.Map;

/** The reason why an operation was refused: the member {@code error} of the response. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Object> error;

    private Refusal(Map<String, Object> error) {
        // A refusal is a normal response, so it needs no stack trace.
        super(error.toString(), null, false, false);
        this.error = error;
    }

    /** A refusal of a kind without other members. */
    static Refusal of(String kind) {
        return new Refusal(Json.object("kind", kind));
    }

    /** A document or revision that cannot be read: {@code missing}, {@code deleted} or {@code bodyMissing}. */
    static Refusal notFound(String reason) {
        return new Refusal(Json.object("kind", "notFound", "reason", reason));
    }

    /** An argument that is missing or invalid. */
    static Refusal badRequest(String path) {
        return new Refusal(Json.object("kind", "badRequest", "path", path));
    }

    /** An operation or a choice that the store does not offer. */
    static Refusal unsupported(String what) {
        return new Refusal(Json.object("kind", "unsupported", "what", what));
    }

    static Refusal tooLarge(long limit) {
        return new Refusal(Json.object("kind", "tooLarge", "limit", limit));
    }

    /** Returns this refusal as the error of one write of a batch. */
    Refusal ofWrite(int place) {
        var error = new LinkedHashMap<>(this.error);
        error.put("write", place);
        return new Refusal(error);
    }

    Map<String, Object> toJson() {
        return error;
    }
}
