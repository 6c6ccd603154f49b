import java.util.Map;

/** One revision: its parent, or null; what is known of it; and its body, or null when that is not here. */
record Revision(RevisionId parent, Kind kind, Map<String, Object> body) {
    /** A revision of which nothing is known but its name, from the path of another one. */
    static final Revision NAME_ONLY = new Revision(null, Kind.UNKNOWN, null);

    enum Kind { UNKNOWN, LIVE, DELETED }

    boolean isDeleted() {
        return kind == Kind.DELETED;
    }

    /** The revision with a parent, or with null as a root. */
    Revision below(RevisionId parent) {
        return new Revision(parent, kind, body);
    }

    /** The revision with flag and body, where they are not known. What is known is never replaced. */
    Revision filled(boolean deleted, Map<String, Object> body) {
        var arrived = deleted ? Kind.DELETED : Kind.LIVE;
        return new Revision(
                parent, kind == Kind.UNKNOWN ? arrived : kind, this.body == null ? body : this.body);
    }

    Revision withoutBody() {
        return new Revision(parent, kind, null);
    }
}
