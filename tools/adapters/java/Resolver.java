import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * A conflict resolver in Java, as an adapter with a resolver and without a store.
 *
 * <pre>
 * (cd tools/adapters/java &amp;&amp; javac -d build *.java)
 * touchstone resolver --implementation 'exec:java -cp tools/adapters/java/build Resolver'
 * </pre>
 *
 * <p>It merges member by member. Where two sides differ, the value of the winner remains. To check another
 * resolver, replace {@code resolve}. {@code Vectors/protocol.md} describes the lines.
 */
public final class Resolver {
    private static final Map<String, Object> ABOUT = Json.object(
            "protocol", 1L, "name", "merge", "version", "1.0",
            "language", "Java " + Runtime.version().feature(), "resolver", true);

    private Resolver() {}

    /** Returns the answer to a conflict. */
    private static Map<String, Object> resolve(Map<?, ?> conflict) {
        var leaves = (List<?>) conflict.get("leaves");
        List<Map<?, ?>> live = leaves.stream()
                .map(leaf -> (Map<?, ?>) leaf)
                .filter(leaf -> leaf.containsKey("body"))
                // The order of all devices: generation, then the bytes of the suffix.
                .sorted(Comparator.comparing((Map<?, ?> leaf) -> RevisionId.parse((String) leaf.get("rev"))).reversed())
                .<Map<?, ?>>map(leaf -> (Map<?, ?>) leaf.get("body"))
                .toList();
        var ancestor = conflict.get("ancestor") instanceof Map<?, ?> version ? (Map<?, ?>) version.get("body") : null;
        var isUnchanged = ancestor != null && live.stream().allMatch(body -> Json.same(body, ancestor));
        // Each side deleted the document, or one did and no other side changed it.
        if (live.isEmpty() || live.size() < leaves.size() && isUnchanged) {
            return Json.object("delete", true);
        }
        var base = Objects.requireNonNullElse(ancestor, Map.of());
        // The order of the names does not depend on the order of the leaves.
        var names = new TreeSet<String>();
        base.keySet().forEach(name -> names.add((String) name));
        live.forEach(body -> body.keySet().forEach(name -> names.add((String) name)));
        var merged = Json.object();
        for (var name : names) {
            var source = live.stream().filter(body -> !sameMember(body, base, name)).findFirst();
            Map<?, ?> chosen = source.isPresent() ? source.get() : base;
            if (chosen.containsKey(name)) {
                merged.put(name, chosen.get(name));
            }
        }
        return Json.object("body", merged);
    }

    /** True if two bodies have the same value of a member, or both lack it. */
    private static boolean sameMember(Map<?, ?> a, Map<?, ?> b, String name) {
        return a.containsKey(name) == b.containsKey(name) && Json.same(a.get(name), b.get(name));
    }

    /** Returns the response to a request: {@code ok} with its result, or {@code error} with its members. */
    private static Map<String, Object> answer(Map<?, ?> request) {
        if (request.get("resolveConflict") instanceof Map<?, ?> conflict) {
            return Json.object("ok", resolve(conflict));
        } else if (request.get("hello") instanceof Map<?, ?> question) {
            var versions = (Map<?, ?>) question.get("protocol");
            return (Long) versions.get("first") <= 1 && (Long) versions.get("last") >= 1
                    ? Json.object("ok", ABOUT)
                    : Json.object("error", Json.object("message", "this adapter speaks version 1"));
        } else if (request.get("perform") instanceof Map<?, ?> operation) {
            return Json.object("error", Json.object("kind", "unsupported", "what", operation.get("op")));
        } else if (!request.containsKey("reset") && !request.containsKey("bye")) {
            throw new IllegalArgumentException("unknown request");
        }
        return Json.object("ok", Json.object());
    }

    public static void main(String[] arguments) throws IOException {
        // The default character set may differ from UTF-8. This decoder rejects invalid bytes.
        var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8.newDecoder()));
        var replies = new OutputStreamWriter(System.out, UTF_8);
        for (String line; (line = requests.readLine()) != null; ) {
            var request = (Map<?, ?>) Json.parse(line);
            var reply = Json.object("id", request.get("id"));
            reply.putAll(answer(request));
            replies.write(Json.write(reply) + "\n");
            replies.flush();
            if (request.containsKey("bye")) {
                break;
            }
        }
    }
}
