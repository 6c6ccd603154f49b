import java.util.Map;

/** A description of revisions. */
interface Filter {
    /** What describes no revision at all. */
    Filter NOTHING = (id, deleted, body) -> false;

    boolean describes(String id, boolean deleted, Map<String, Object> body);

    /** The filter that the argument {@code refuse} spells. */
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
