import java.util.List;
import java.util.Map;

/** The arguments of an operation, or of a part of it. Each one is checked when it is read. */
record Arguments(Map<?, ?> members) {
    boolean has(String name) {
        return members.containsKey(name);
    }

    /** The value of a member, of any type. */
    Object value(String name) {
        return members.get(name);
    }

    /** The text of a member, or {@code absent} if there is no member. */
    String text(String name, String absent) {
        if (!has(name)) {
            return absent;
        }
        if (value(name) instanceof String text) {
            return text;
        }
        throw Refusal.badRequest(name);
    }

    /** A flag, which is false if it is absent. */
    boolean flag(String name) {
        if (!has(name)) {
            return false;
        }
        if (value(name) instanceof Boolean flag) {
            return flag;
        }
        throw Refusal.badRequest(name);
    }

    List<?> list(String name) {
        if (value(name) instanceof List<?> list) {
            return list;
        }
        throw Refusal.badRequest(name);
    }

    /** The objects of a list, each with its own arguments. */
    List<Arguments> parts(String name) {
        return list(name).stream().map(part -> {
            if (part instanceof Map<?, ?> members) {
                return new Arguments(members);
            }
            throw Refusal.badRequest(name);
        }).toList();
    }

    /** The limit that the operation sets, at least {@code smallest}. */
    long limit(long smallest) {
        if (value("limit") instanceof Long limit && limit >= smallest) {
            return limit;
        }
        throw Refusal.badRequest("limit");
    }

    /** The requested number of rows. */
    long rows() {
        return has("limit") ? limit(0) : Long.MAX_VALUE;
    }

    /** The id of a document. */
    String id() {
        if (value("id") instanceof String id && Names.isDocumentId(id)) {
            return id;
        }
        throw Refusal.of("badID");
    }

    /** The id of a local document. */
    String localId() {
        if (value("id") instanceof String id && Names.isLocalId(id)) {
            return id;
        }
        throw Refusal.of("badID");
    }

    RevisionId rev(String name) {
        return RevisionId.parse(value(name));
    }

    List<RevisionId> revs(String name) {
        return list(name).stream().map(RevisionId::parse).toList();
    }

    /** The path of a record: 1 revision or more, and each generation 1 less than the one before. */
    List<RevisionId> path() {
        var path = revs("path");
        for (var i = 1; i < path.size(); i++) {
            if (path.get(i - 1).generation() != path.get(i).generation() + 1) {
                throw Refusal.of("badRevision");
            }
        }
        if (path.isEmpty()) {
            throw Refusal.of("badRevision");
        }
        return path;
    }

    /** A body. It is shared from here on and never changed. */
    Map<String, Object> body() {
        if (!(value("body") instanceof Map<?, ?> members)) {
            throw Refusal.of("badBody");
        }
        // The reader creates only texts as names of members.
        @SuppressWarnings("unchecked")
        var body = (Map<String, Object>) members;
        Names.checkBody(body);
        return body;
    }
}
