import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.util.List;
import java.util.Map;

// An adapter, to be finished in three places marked TO DO. `touchstone doctor` says what comes first.
// In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md` the operations.
public final class Adapter {
    /** TO DO 3: who your store is. Capabilities and profiles that are not named are not asked for. */
    private static final Map<String, Object> ABOUT = Json.object(
            "protocol", 1L, "name", "my-store", "version", "0.1",
            "language", "Java " + Runtime.version().feature(), "capabilities", List.of(), "profiles", List.of());
    private static Store store;

    /** TO DO 1: your store. It is made at the start and at each reset, and then there is nothing in it. */
    private static final class Store {
        final String folder;  // where files belong, and those of the store before may still be
        // private final Map<String, Database> databases = new HashMap<>();

        Store(String folder) { this.folder = folder; }

        /** TO DO 2: does an operation, and answers {@code ok} with its result or {@code error} with its kind. */
        Map<String, Object> perform(Map<?, ?> operation) {
            var op = (String) operation.get("op");
            // if (op.equals("open")) {
            //     databases.computeIfAbsent((String) operation.get("store"), Database::new);
            //     return Json.object("ok", Json.object());
            // }
            // var database = databases.get(operation.get("store"));
            // if (database == null) return Json.object("error", Json.object("kind", "noSuchStore"));
            // if (op.equals("create")) {
            //     var rev = database.create(operation.get("id"), operation.get("body"));
            //     return Json.object("ok", Json.object("id", rev.document(), "rev", rev.toString()));
            // }
            return Json.object("error", Json.object("kind", "unsupported", "what", op));
        }
    }

    /** What a request is answered with: {@code ok} or {@code error}, and what stands behind it. */
    private static Map<String, Object> answer(Map<?, ?> request) {
        if (request.get("hello") instanceof Map<?, ?> question) {
            var versions = (Map<?, ?>) question.get("protocol");
            if ((Long) versions.get("first") > 1 || (Long) versions.get("last") < 1) {
                return Json.object("error", Json.object("message", "only version 1 is spoken"));
            }
            store = new Store((String) question.get("folder"));
            return Json.object("ok", ABOUT);
        } else if (request.get("perform") instanceof Map<?, ?> operation) {
            return store.perform(operation);
        } else if (request.containsKey("reset")) {
            store = new Store(store.folder);
        } else if (!request.containsKey("bye")) {
            throw new IllegalArgumentException("a line that is no request");
        }
        return Json.object("ok", Json.object());
    }

    public static void main(String[] arguments) throws IOException {
        // The platform's own character set need not be UTF-8. Bytes that are none end the process.
        var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8.newDecoder()));
        var replies = new OutputStreamWriter(System.out, UTF_8);
        System.setOut(System.err);  // what anybody else prints must not come between the replies
        var ended = false;
        for (String line; !ended && (line = requests.readLine()) != null; ) {
            var request = (Map<?, ?>) Json.parse(line);
            var outcome = answer(request);
            var reply = Json.object("id", request.get("id"));
            reply.putAll(outcome);
            replies.write(Json.write(reply) + "\n");
            replies.flush();
            ended = request.containsKey("bye") || request.containsKey("hello") && outcome.containsKey("error");
        }
    }
}
