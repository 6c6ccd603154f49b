import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.Map;

/**
 * The adapter of the little store. It implements only the lines of {@code Vectors/protocol.md}.
 *
 * <p>An adapter for another store is this file with another {@link #ABOUT} and another store.
 */
public final class Adapter {
    private static final long VERSION = 1;

    /** The response to {@code hello}. Vectors of undeclared capabilities and profiles are skipped. */
    private static final Map<String, Object> ABOUT = Json.object(
            "protocol", VERSION,
            "name", "little-store",
            "version", "1.0",
            "language", "Java " + Runtime.version().feature(),
            "capabilities", LittleStore.CAPABILITIES,
            "profiles", LittleStore.PROFILES,
            "limits", Json.object("depth", Names.LARGEST_DEPTH),
            "pipelining", true);

    private LittleStore store = new LittleStore();

    public static void main(String[] arguments) throws IOException {
        // The default character set may differ from UTF-8. This decoder rejects invalid bytes.
        var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8.newDecoder()));
        var replies = new OutputStreamWriter(System.out, UTF_8);
        // The output of other code must not mix with the responses.
        System.setOut(System.err);
        new Adapter().serve(requests, replies);
    }

    /** Responds to requests until the last one or the end of the input. */
    private void serve(BufferedReader requests, Writer replies) throws IOException {
        var ended = false;
        for (String line; !ended && (line = requests.readLine()) != null; ) {
            if (!(Json.parse(line) instanceof Map<?, ?> request && request.get("id") instanceof Long)) {
                throw new IllegalArgumentException("a request without an id");
            }
            var outcome = answer(request);
            var reply = Json.object("id", request.get("id"));
            reply.putAll(outcome);
            replies.write(Json.write(reply) + "\n");
            replies.flush();
            var refused = request.containsKey("hello") && outcome.containsKey("error");
            ended = refused || request.containsKey("bye");
        }
    }

    /** Returns the response to a request: {@code ok} with its result, or {@code error} with its members. */
    private Map<String, Object> answer(Map<?, ?> request) {
        if (request.get("hello") instanceof Map<?, ?> question) {
            return hello(question);
        }
        if (request.get("perform") instanceof Map<?, ?> operation) {
            try {
                return Json.object("ok", store.perform(new Arguments(operation)));
            } catch (Refusal refusal) {
                return Json.object("error", refusal.toJson());
            }
        }
        if (request.containsKey("reset")) {
            store = new LittleStore();
        } else if (!request.containsKey("bye")) {
            throw new IllegalArgumentException("unknown request");
        }
        return Json.object("ok", Json.object());
    }

    /** Returns the description of the store, or an error if the runner does not support this version. */
    private static Map<String, Object> hello(Map<?, ?> question) {
        if (question.get("protocol") instanceof Map<?, ?> versions
                && versions.get("first") instanceof Long first
                && versions.get("last") instanceof Long last
                && first <= VERSION && VERSION <= last) {
            return Json.object("ok", ABOUT);
        }
        var message = "this adapter speaks version " + VERSION + " of the protocol";
        return Json.object("error", Json.object("message", message));
    }
}
