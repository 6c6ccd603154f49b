import java.util.List;
import java.util.Map;

/** What an operation is asked with, or a part of it. Each argument is checked where it is taken out. */
record Arguments(Map<?, ?> members) {
    boolean has(String name) {
        return members.containsKey(name);
    }

    /** The value that stands under a name, whatever it is. */
    Object value(String name) {
        return members.get(name);
    }

    /** The text that stands under a name, or another one where there is none. */
    String text(String name, String absent) {
        if (!has(name)) {
            return absent;
        }
        if (value(name) instanceof String text) {
            return text;
        }
        throw Refusal.badRequest(name);
    }

    /** A flag, which is false where it is absent. */
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

    /** The objects of a list, each as arguments of its own. */
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

    /** How many rows are wanted. */
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

    /** The path of a record: at least one revision, generations falling by exactly one. */
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

    /** A body. It is shared from here on, and never changed. */
    Map<String, Object> body() {
        if (!(value("body") instanceof Map<?, ?> members)) {
            throw Refusal.of("badBody");
        }
        // Names of members are texts: nothing else comes out of the reader.
        @SuppressWarnings("unchecked")
        var body = (Map<String, Object>) members;
        Names.checkBody(body);
        return body;
    }
}
