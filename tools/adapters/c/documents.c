// The operations of the core: edit, read, list, changes and local documents.

#include "database.h"

// Reads the optional `limit` of an operation. Returns false if it is invalid.
static bool read_limit(const json_t *operation, size_t *limit)
{
    const json_t *value = json_object_get(operation, "limit");
    *limit = value ? (size_t)json_integer_value(value) : SIZE_MAX;
    return value == NULL || (json_is_integer(value) && json_integer_value(value) >= 0);
}

json_t *database_info(struct database *database, const json_t *operation)
{
    (void)operation;
    size_t live = 0;
    for (size_t i = 0; i < database->count; i++)
        live += live_leaves(database->documents[i]) > 0;
    return success(json_pack("{s:I, s:I, s:o, s:s}",
                             "documents", (json_int_t)live,
                             "deletedDocuments", (json_int_t)(database->count - live),
                             "last", database_sequence(database, database->last),
                             "incarnation", database->incarnation));
}

// Edits

static json_t *edited(struct database *database, json_t *id, const struct revision *parent,
                      enum state state, json_t *body)
{
    json_t *refused = database_refuses_edit(database, id, parent, state, body);
    if (refused != NULL)
        return refused;
    json_t *rev = database_edit(database, id, parent, state, body);
    return success(json_pack("{s:O, s:o}", "id", id, "rev", rev));
}

static json_t *create(struct database *database, json_t *id, json_t *body)
{
    if (!is_id(id))
        return refusal("badID");
    if (!is_body(body))
        return body_refusal(body);
    const struct document *document = database_find(database, id);
    if (document != NULL && live_leaves(document) > 0)
        return refusal("conflict");
    return edited(database, id, document ? winner(document) : NULL, LIVE, body);
}

json_t *database_create(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id"), *body = json_object_get(operation, "body");
    if (id != NULL)
        return create(database, id, body);
    char fresh[DRAWN_NAME];
    draw_name(database->seed, fresh);
    id = json_string(fresh);
    json_t *outcome = create(database, id, body);
    json_decref(id);
    return outcome;
}

static json_t *edit_leaf(struct database *database, const json_t *operation, enum state state,
                         json_t *body)
{
    json_t *id = json_object_get(operation, "id"), *rev = json_object_get(operation, "rev");
    if (!is_id(id))
        return refusal("badID");
    if (generation_of(rev) == 0)
        return refusal("badRevision");
    if (!is_body(body))
        return body_refusal(body);
    const struct document *document = database_find(database, id);
    if (document == NULL)
        return refusal_with("notFound", "reason", json_string("missing"));
    const struct revision *leaf = document_find(document, rev);
    if (leaf == NULL || leaf->children > 0)
        return refusal("conflict");
    return edited(database, id, leaf, state, body);
}

json_t *database_update(struct database *database, const json_t *operation)
{
    return edit_leaf(database, operation, LIVE, json_object_get(operation, "body"));
}

json_t *database_delete(struct database *database, const json_t *operation)
{
    json_t *body = json_object_get(operation, "body");
    body = body ? json_incref(body) : json_object();
    json_t *outcome = edit_leaf(database, operation, DELETED, body);
    json_decref(body);
    return outcome;
}

// Reading

json_t *database_read(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id"), *rev = json_object_get(operation, "rev");
    if (!is_id(id))
        return refusal("badID");
    if (rev != NULL && generation_of(rev) == 0)
        return refusal("badRevision");
    const struct document *document = database_find(database, id);
    if (document == NULL)
        return refusal_with("notFound", "reason", json_string("missing"));
    const struct revision *revision = rev ? document_find(document, rev) : winner(document);
    if (revision == NULL)
        return refusal_with("notFound", "reason", json_string("missing"));
    if (rev == NULL && revision->state == DELETED)
        return refusal_with("notFound", "reason", json_string("deleted"));
    if (revision->body == NULL)
        return refusal_with("notFound", "reason", json_string("bodyMissing"));
    return success(json_pack("{s:O, s:O, s:b, s:O}", "id", id, "rev", revision->name,
                             "deleted", revision->state == DELETED, "body", revision->body));
}

json_t *database_list(struct database *database, const json_t *operation)
{
    size_t limit;
    if (!read_limit(operation, &limit))
        return refusal_with("badRequest", "path", json_string("limit"));
    const json_t *from = json_object_get(operation, "from");
    bool down = json_is_true(json_object_get(operation, "descending"));
    // The position of the walk: `left` documents sort before it.
    size_t left = down ? database->count : 0;
    if (json_is_string(from)) {
        left = database_place(database, from);
        bool there = left < database->count && same_value(database->documents[left]->id, from);
        left += down && there;
    }
    json_t *rows = json_array();
    while (json_array_size(rows) < limit && (down ? left > 0 : left < database->count)) {
        const struct document *document = database->documents[down ? --left : left++];
        if (live_leaves(document) > 0)
            json_array_append_new(rows, json_pack("{s:O, s:O}", "id", document->id,
                                                  "rev", winner(document)->name));
    }
    return success(json_pack("{s:o}", "rows", rows));
}

json_t *leaf_rows(const struct document *document)
{
    json_t *rows = json_array();
    for (size_t left = document->leaves.count; left > 0; left--) {
        const struct revision *leaf = document->leaves.items[left - 1];
        json_array_append_new(rows, json_pack("{s:O, s:b}", "rev", leaf->name,
                                              "deleted", leaf->state == DELETED));
    }
    return rows;
}

json_t *database_leaves(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id");
    if (!is_id(id))
        return refusal("badID");
    const struct document *document = database_find(database, id);
    if (document == NULL)
        return refusal_with("notFound", "reason", json_string("missing"));
    return success(json_pack("{s:o}", "leaves", leaf_rows(document)));
}

json_t *database_changes(struct database *database, const json_t *operation)
{
    size_t limit;
    uint64_t last = 0;
    json_t *since = json_object_get(operation, "since");
    if (!read_limit(operation, &limit))
        return refusal_with("badRequest", "path", json_string("limit"));
    if (since != NULL && !database_position(database, since, &last))
        return refusal("badSequence");
    const struct document *document = NULL;
    for (struct document *newer = database->newest; newer && newer->sequence > last; newer = newer->older)
        document = newer;
    json_t *rows = json_array();
    for (; document != NULL && json_array_size(rows) < limit; document = document->newer) {
        last = document->sequence;
        json_array_append_new(rows, json_pack("{s:o, s:O, s:b, s:o}",
                                              "seq", database_sequence(database, last),
                                              "id", document->id,
                                              "deleted", winner(document)->state == DELETED,
                                              "leaves", leaf_rows(document)));
    }
    bool more = document != NULL;
    return success(json_pack("{s:o, s:o, s:b}", "rows", rows,
                             "last", database_sequence(database, more ? last : database->last),
                             "more", more));
}

// Local documents

json_t *database_read_local(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id");
    if (!is_local_id(id))
        return refusal("badID");
    json_t *body = json_object_get(database->locals, json_string_value(id));
    if (body == NULL)
        return refusal_with("notFound", "reason", json_string("missing"));
    return success(json_pack("{s:O}", "body", body));
}

json_t *database_write_local(struct database *database, const json_t *operation)
{
    json_t *id = json_object_get(operation, "id"), *body = json_object_get(operation, "body");
    if (!is_local_id(id))
        return refusal("badID");
    if (json_is_null(body))
        json_object_del(database->locals, json_string_value(id));
    else if (is_body(body))
        json_object_set(database->locals, json_string_value(id), body);
    else
        return body_refusal(body);
    return success(json_object());
}
