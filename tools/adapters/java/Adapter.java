import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.Map;

/**
 * The adapter of the little store: the lines of {@code Vectors/protocol.md}, and nothing else.
 *
 * <p>An adapter for a store of your own is this file with another {@link #ABOUT} and another store.
 */
public final class Adapter {
    private static final long VERSION = 1;

    /** What {@code hello} says of the store. Only what is named here is asked for. */
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
        // The platform's own character set need not be UTF-8. Bytes that are none end the process.
        var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8.newDecoder()));
        var replies = new OutputStreamWriter(System.out, UTF_8);
        // What anybody else prints must not come between the replies.
        System.setOut(System.err);
        new Adapter().serve(requests, replies);
    }

    /** Answers one request after the other, until the last one or until the runner has gone. */
    private void serve(BufferedReader requests, Writer replies) throws IOException {
        var ended = false;
        for (String line; !ended && (line = requests.readLine()) != null; ) {
            if (!(Json.parse(line) instanceof Map<?, ?> request && request.get("id") instanceof Long)) {
                throw new IllegalArgumentException("a line that is no request");
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

    /** What a request is answered with: {@code ok} or {@code error}, and what stands behind it. */
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
            throw new IllegalArgumentException("a line that is no request");
        }
        return Json.object("ok", Json.object());
    }

    /** Who this is, if the runner speaks the version of this adapter. */
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
