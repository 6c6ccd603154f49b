// The operations of capabilities, which are optional.

#include "database.h"

#include <stdlib.h>
#include <string.h>

// Conflicts

// True if the revisions are exactly the live leaves of a document.
static bool are_live_leaves(const struct document *document, const json_t *revs)
{
    size_t live = live_leaves(document), known = 0;
    for (size_t i = 0; i < document->leaves.count; i++)
        document->leaves.items[i]->marked = false;
    for (size_t i = 0; i < json_array_size(revs); i++) {
        struct revision *revision = document_find(document, json_array_get(revs, i));
        if (revision == NULL || !is_live_leaf(revision))
            return false;
        known += !revision->marked;
        revision->marked = true;
    }
    return known == live;
}

// Checks all conditions first, because a resolution must not fail halfway.
static json_t *refuses_resolution(const struct database *database, const struct document *document,
                                  const struct revision *kept, const json_t *body)
{
    json_t *empty = json_object(), *refused = NULL;
    for (size_t i = 0; i < document->leaves.count && refused == NULL; i++) {
        const struct revision *leaf = document->leaves.items[i];
        if (leaf->state == LIVE && leaf != kept)
            refused = database_refuses_edit(database, document->id, leaf, DELETED, empty);
        else if (leaf == kept && body != NULL)
            refused = database_refuses_edit(database, document->id, leaf, LIVE, body);
    }
    json_decref(empty);
    return refused;
}

static bool holds(const json_t *texts, const json_t *text)
{
    for (size_t i = 0; i < json_array_size(texts); i++) {
        if (compare_texts(json_array_get(texts, i), text) == 0)
            return true;
    }
    return false;
}

json_t *database_resolve(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id"), *body = json_object_get(operation, "body");
    const json_t *leaves = json_object_get(operation, "leaves");
    json_t *keep = json_object_get(operation, "keep");
    if (!is_id(id))
        return refusal("badID");
    if (!are_revisions(leaves) || generation_of(keep) == 0)
        return refusal("badRevision");
    if (body != NULL && !is_body(body))
        return body_refusal(body);
    if (!holds(leaves, keep))
        return refusal_with("badRequest", "path", json_string("keep"));
    struct document *document = database_find(database, id);
    if (document == NULL || !are_live_leaves(document, leaves))
        return refusal("conflict");
    const struct revision *kept = document_find(document, keep);
    json_t *refused = refuses_resolution(database, document, kept, body);
    if (refused != NULL)
        return refused;
    json_t *rev = body ? database_edit(database, id, kept, LIVE, body) : json_incref(keep);
    json_t *tombstones = json_array(), *empty = json_object();
    for (size_t i = 0; i < json_array_size(leaves); i++) {
        json_t *name = json_array_get(leaves, i);
        const struct revision *leaf = document_find(document, name);
        // A leaf that is listed twice has a tombstone below it the second time, or was cut off.
        if (leaf != NULL && leaf->children == 0 && compare_texts(name, keep) != 0)
            json_array_append_new(tombstones, database_edit(database, id, leaf, DELETED, empty));
    }
    json_decref(empty);
    return success(json_pack("{s:o, s:o}", "rev", rev, "tombstones", tombstones));
}

// Compaction and purge

json_t *database_compact(struct database *database, const json_t *operation)
{
    (void)operation;
    for (size_t i = 0; i < database->count; i++)
        document_compact(database->documents[i]);
    return success(json_object());
}

json_t *database_purge(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id");
    const json_t *revs = json_object_get(operation, "revs");
    if (!is_id(id))
        return refusal("badID");
    if (!are_revisions(revs))
        return refusal("badRevision");
    json_t *purged = json_array();
    struct document *document = database_find(database, id);
    if (document != NULL)
        document = database_change(database, id);
    for (size_t i = 0; document != NULL && i < json_array_size(revs); i++) {
        json_t *rev = json_array_get(revs, i);
        struct revision *leaf = document_find(document, rev);
        if (leaf != NULL && leaf->children == 0) {
            document_remove(document, leaf);
            document->changed = true;
            json_array_append(purged, rev);
        }
    }
    if (document != NULL)
        database_settle(database, document);
    return success(json_pack("{s:o}", "purged", purged));
}

json_t *database_set_history_limit(struct database *database, const json_t *operation)
{
    json_int_t limit = json_integer_value(json_object_get(operation, "limit"));
    if (limit < 1)
        return refusal_with("badRequest", "path", json_string("limit"));
    database->history_limit = (uint64_t)limit;
    return success(json_object());
}

// Batches

static operation_function *batch_operation(const json_t *write)
{
    static const struct {
        const char *name;
        operation_function *perform;
    } known[] = {
        {"create", database_create},   {"update", database_update},
        {"delete", database_delete},   {"resolve", database_resolve},
        {"writeLocal", database_write_local},
    };
    const char *name = json_string_value(json_object_get(write, "op"));
    for (size_t i = 0; name != NULL && i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0)
            return known[i].perform;
    }
    return NULL;
}

json_t *database_batch(struct database *database, const json_t *operation)
{
    const json_t *writes = json_object_get(operation, "writes");
    struct database *attempt = database_attempt(database, writes);
    json_t *results = json_array();
    for (size_t i = 0; i < json_array_size(writes); i++) {
        json_t *write = json_array_get(writes, i);
        operation_function *perform = batch_operation(write);
        json_t *outcome = perform ? perform(attempt, write)
                                  : refusal_with("badRequest", "path",
                                                 json_sprintf("writes[%zu].op", i));
        json_t *error = json_object_get(outcome, "error");
        if (error != NULL) {
            json_object_set_new(error, "write", json_integer((json_int_t)i));
            json_decref(results);
            database_free(attempt);
            return outcome;
        }
        json_array_append(results, json_object_get(outcome, "ok"));
        json_decref(outcome);
    }
    database_take(database, attempt);
    return success(json_pack("{s:o}", "results", results));
}

// Validation and durability

json_t *database_set_validation(struct database *database, const json_t *operation)
{
    json_t *refuse = json_object_get(operation, "refuse");
    json_decref(database->refused);
    database->refused = json_is_object(refuse) ? json_incref(refuse) : NULL;
    return success(json_object());
}

json_t *database_flush(struct database *database, const json_t *operation)
{
    (void)database;
    (void)operation;
    // Each acknowledged write is already in the kernel.
    return success(json_object());
}
