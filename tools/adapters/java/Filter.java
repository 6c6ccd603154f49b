import java.util.Map;

/** True for the revisions that a filter describes, by document, deletion and body. */
interface Filter {
    /** The filter that describes no revision. */
    Filter NOTHING = (id, deleted, body) -> false;

    boolean describes(String id, boolean deleted, Map<String, Object> body);

    /** The filter in the argument {@code refuse}. */
    static Filter parse(Object value) {
        if (value instanceof Map<?, ?> members) {
            var rule = new Arguments(members);
            if (rule.has("documentIDs")) {
                var ids = rule.list("documentIDs");
                return (id, deleted, body) -> ids.contains(id);
            }
            if (rule.value("bodyFieldEquals") instanceof Map<?, ?> member) {
                var field = member.get("field");
                var wanted = member.get("value");
                return (id, deleted, body) -> body.containsKey(field) && Json.same(body.get(field), wanted);
            }
            if (rule.has("live")) {
                return (id, deleted, body) -> !deleted;
            }
        }
        throw Refusal.badRequest("refuse");
    }
}
