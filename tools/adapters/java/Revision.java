import java.util.Map;

/** One revision. The parent is null for a root. The body is null if it is not stored. */
record Revision(RevisionId parent, Kind kind, Map<String, Object> body) {
    /** A revision that is known only from the path of another one. */
    static final Revision NAME_ONLY = new Revision(null, Kind.UNKNOWN, null);

    enum Kind { UNKNOWN, LIVE, DELETED }

    boolean isDeleted() {
        return kind == Kind.DELETED;
    }

    /** Returns the revision with a parent, or as a root if {@code parent} is null. */
    Revision below(RevisionId parent) {
        return new Revision(parent, kind, body);
    }

    /** Returns the revision with flag and body if they were unknown; known ones are never replaced. */
    Revision filled(boolean deleted, Map<String, Object> body) {
        var arrived = deleted ? Kind.DELETED : Kind.LIVE;
        return new Revision(
                parent, kind == Kind.UNKNOWN ? arrived : kind, this.body == null ? body : this.body);
    }

    Revision withoutBody() {
        return new Revision(parent, kind, null);
    }
}
