import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.util.List;
import java.util.Map;

// The skeleton of an adapter. Connect your store at the three places marked TO DO; `touchstone doctor` names
// the next step. In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md` the operations.
public final class Adapter {
    /** TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped. */
    private static final Map<String, Object> ABOUT = Json.object(
            "protocol", 1L, "name", "my-store", "version", "0.1",
            "language", "Java " + Runtime.version().feature(), "capabilities", List.of(), "profiles", List.of());
    private static Store store;

    /** TO DO 1: your store. It is created at the start and at each reset, and is then empty. */
    private static final class Store {
        final String folder;  // Keep files in this folder. Remove those of the previous store.
        // private final Map<String, Database> databases = new HashMap<>();

        Store(String folder) { this.folder = folder; }

        /** TO DO 2: perform one operation. Return {@code ok} with its result, or {@code error} with its kind. */
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

    /** Returns the response to a request: {@code ok} with its result, or {@code error} with its members. */
    private static Map<String, Object> answer(Map<?, ?> request) {
        if (request.get("hello") instanceof Map<?, ?> question) {
            var versions = (Map<?, ?>) question.get("protocol");
            if ((Long) versions.get("first") > 1 || (Long) versions.get("last") < 1) {
                return Json.object("error", Json.object("message", "this adapter speaks version 1"));
            }
            store = new Store((String) question.get("folder"));
            return Json.object("ok", ABOUT);
        } else if (request.get("perform") instanceof Map<?, ?> operation) {
            return store.perform(operation);
        } else if (request.containsKey("reset")) {
            store = new Store(store.folder);
        } else if (!request.containsKey("bye")) {
            throw new IllegalArgumentException("unknown request");
        }
        return Json.object("ok", Json.object());
    }

    public static void main(String[] arguments) throws IOException {
        // The default character set may differ from UTF-8. This decoder rejects invalid bytes.
        var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8.newDecoder()));
        var replies = new OutputStreamWriter(System.out, UTF_8);
        System.setOut(System.err);  // The output of other code must not mix with the responses.
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
