// The operations of replicators: revsDiff, getRevisions and insertRevisions.

#include "database.h"

#include <stdlib.h>

static int by_bytes(const void *a, const void *b)
{
    return compare_texts(*(json_t *const *)a, *(json_t *const *)b);
}

// Returns the revisions that a document does not have, each once. `document` is NULL if the id is unknown.
static json_t *missing_revisions(const struct document *document, const json_t *revs)
{
    size_t count = 0;
    json_t **names = reallocate(NULL, (json_array_size(revs) + 1) * sizeof *names);
    for (size_t i = 0; i < json_array_size(revs); i++) {
        json_t *rev = json_array_get(revs, i);
        if (document == NULL || document_find(document, rev) == NULL)
            names[count++] = rev;
    }
    qsort(names, count, sizeof *names, by_bytes);
    json_t *missing = json_array();
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || by_bytes(&names[i - 1], &names[i]) != 0)
            json_array_append(missing, names[i]);
    }
    free(names);
    return missing;
}

static json_t *possible_ancestors(const struct document *document, const json_t *missing)
{
    json_t *ancestors = json_array();
    uint64_t highest = 0;
    for (size_t i = 0; i < json_array_size(missing); i++) {
        uint64_t generation = generation_of(json_array_get(missing, i));
        highest = generation > highest ? generation : highest;
    }
    for (size_t i = 0; document != NULL && i < document->leaves.count; i++) {
        if (document->leaves.items[i]->generation < highest)
            json_array_append(ancestors, document->leaves.items[i]->name);
    }
    return ancestors;
}

json_t *database_revs_diff(struct database *database, const json_t *operation)
{
    const json_t *questions = json_object_get(operation, "revs");
    json_t *results = json_array();
    for (size_t i = 0; i < json_array_size(questions); i++) {
        json_t *id = json_object_get(json_array_get(questions, i), "id");
        const json_t *revs = json_object_get(json_array_get(questions, i), "revs");
        if (!is_id(id) || !are_revisions(revs)) {
            json_decref(results);
            return refusal(is_id(id) ? "badRevision" : "badID");
        }
        const struct document *document = database_find(database, id);
        json_t *missing = missing_revisions(document, revs);
        if (json_array_size(missing) > 0)
            json_array_append_new(results, json_pack("{s:O, s:O, s:o}", "id", id, "missing", missing,
                                                     "possibleAncestors",
                                                     possible_ancestors(document, missing)));
        json_decref(missing);
    }
    return success(json_pack("{s:o}", "results", results));
}

// getRevisions

static json_t *record(const struct database *database, const struct document *document,
                      const struct revision *revision)
{
    json_t *path = revision_path(revision, database->history_limit);
    json_t *record = json_pack("{s:O, s:o, s:O}", "id", document->id, "path", path,
                               "body", revision->body);
    if (revision->state == DELETED)
        json_object_set_new(record, "deleted", json_true());
    return record;
}

// Returns the result for one requested revision.
static json_t *found(const struct database *database, json_t *id, json_t *rev, bool latest)
{
    const struct document *document = database_find(database, id);
    const struct revision *revision = document ? document_find(document, rev) : NULL;
    if (revision == NULL)
        return json_pack("{s:O, s:O, s:s}", "id", id, "rev", rev, "missing", "missing");
    if (revision->body == NULL && !latest)
        return json_pack("{s:O, s:O, s:s}", "id", id, "rev", rev, "missing", "bodyMissing");
    json_t *records = json_array();
    if (!latest)
        json_array_append_new(records, record(database, document, revision));
    for (size_t i = 0; latest && i < document->leaves.count; i++) {
        if (descends(document->leaves.items[i], revision))
            json_array_append_new(records, record(database, document, document->leaves.items[i]));
    }
    return json_pack("{s:O, s:O, s:o}", "id", id, "rev", rev, "records", records);
}

json_t *database_get_revisions(struct database *database, const json_t *operation)
{
    const json_t *questions = json_object_get(operation, "docs");
    json_t *results = json_array();
    for (size_t i = 0; i < json_array_size(questions); i++) {
        const json_t *question = json_array_get(questions, i);
        json_t *id = json_object_get(question, "id");
        const json_t *revs = json_object_get(question, "revs");
        if (!is_id(id) || !are_revisions(revs)) {
            json_decref(results);
            return refusal(is_id(id) ? "badRevision" : "badID");
        }
        bool latest = json_is_true(json_object_get(question, "latest"));
        for (size_t place = 0; place < json_array_size(revs); place++)
            json_array_append_new(results, found(database, id, json_array_get(revs, place), latest));
    }
    return success(json_pack("{s:o}", "results", results));
}

// insertRevisions

static json_t *insert(struct database *database, const json_t *record)
{
    json_t *id = json_object_get(record, "id"), *body = json_object_get(record, "body");
    const json_t *path = json_object_get(record, "path");
    enum state state = json_is_true(json_object_get(record, "deleted")) ? DELETED : LIVE;
    if (!is_id(id))
        return refusal("badID");
    if (!is_path(path))
        return refusal("badRevision");
    if (!is_body(body))
        return body_refusal(body);
    json_t *refused = database_forbids(database, id, json_array_get(path, 0), state, body);
    if (refused != NULL)
        return refused;
    struct document *document = database_change(database, id);
    document->changed |= document_merge(document, path, state, body);
    return success(json_object());
}

json_t *database_insert_revisions(struct database *database, const json_t *operation)
{
    const json_t *records = json_object_get(operation, "records");
    json_t *results = json_array();
    for (size_t i = 0; i < json_array_size(records); i++)
        json_array_append_new(results, insert(database, json_array_get(records, i)));
    // The history limit applies, and rows move, only after all records of the call are merged.
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *id = json_object_get(json_array_get(records, i), "id");
        struct document *document = is_id(id) ? database_find(database, id) : NULL;
        if (document != NULL)
            database_settle(database, document);
    }
    return success(json_pack("{s:o}", "results", results));
}
