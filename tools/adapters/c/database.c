#include "database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void draw_name(struct seed *seed, char name[DRAWN_NAME])
{
    snprintf(name, DRAWN_NAME, "%016" PRIx64 "%016" PRIx64, seed->high, seed->low++);
}

struct database *database_new(json_t *name, struct seed *seed)
{
    struct database *database = reallocate(NULL, sizeof *database);
    *database = (struct database){.name = json_incref(name), .locals = json_object(), .seed = seed};
    draw_name(seed, database->incarnation);
    return database;
}

void database_free(struct database *database)
{
    for (size_t i = 0; i < database->count; i++)
        document_free(database->documents[i]);
    free(database->documents);
    json_decref(database->locals);
    json_decref(database->refused);
    json_decref(database->name);
    free(database);
}

// Documents by id

size_t database_place(const struct database *database, const json_t *text)
{
    size_t low = 0, high = database->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_texts(database->documents[middle]->id, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct document *database_find(const struct database *database, const json_t *id)
{
    size_t at = database_place(database, id);
    bool found = at < database->count && compare_texts(database->documents[at]->id, id) == 0;
    return found ? database->documents[at] : NULL;
}

// Documents by their latest change

static void unlink_document(struct database *database, struct document *document)
{
    *(document->older ? &document->older->newer : &database->oldest) = document->newer;
    *(document->newer ? &document->newer->older : &database->newest) = document->older;
}

static void link_newest(struct database *database, struct document *document)
{
    document->older = database->newest;
    document->newer = NULL;
    *(database->newest ? &database->newest->newer : &database->oldest) = document;
    database->newest = document;
}

static void add_document(struct database *database, struct document *document)
{
    if (database->count == database->room) {
        database->room = database->room * 2 + 8;
        database->documents = reallocate(database->documents, database->room * sizeof document);
    }
    size_t at = database_place(database, document->id);
    struct document **here = database->documents + at;
    memmove(here + 1, here, (database->count - at) * sizeof *here);
    *here = document;
    database->count++;
    link_newest(database, document);
}

static void take_document(struct database *database, struct document *document)
{
    size_t at = database_place(database, document->id);
    struct document **here = database->documents + at;
    database->count--;
    memmove(here, here + 1, (database->count - at) * sizeof *here);
    unlink_document(database, document);
}

// Changes

struct document *database_change(struct database *database, json_t *id)
{
    struct document *document = database_find(database, id);
    if (document == NULL) {
        document = document_new(id);
        add_document(database, document);
    }
    // A revision that the limit removes at once is not a change. Without a limit, the merge detects changes.
    if (database->history_limit > 0 && document->before == NULL)
        document->before = document_copy(document);
    return document;
}

void database_settle(struct database *database, struct document *document)
{
    if (document->changed && database->history_limit > 0) {
        document_cut(document, database->history_limit);
        document->changed = !same_documents(document, document->before);
    }
    document_free(document->before);
    document->before = NULL;
    if (document->changed) {
        document->changed = false;
        document->sequence = ++database->last;
        unlink_document(database, document);
        link_newest(database, document);
    }
    if (document->all.count == 0) {
        take_document(database, document);
        document_free(document);
    }
}

// Attempts of batches

struct database *database_attempt(const struct database *database, const json_t *operations)
{
    struct database *attempt = reallocate(NULL, sizeof *attempt);
    *attempt = *database;
    json_incref(attempt->name);
    json_incref(attempt->refused);
    attempt->locals = json_copy(database->locals);
    attempt->documents = NULL;
    attempt->count = attempt->room = 0;
    attempt->oldest = attempt->newest = NULL;
    for (size_t i = 0; i < json_array_size(operations); i++) {
        json_t *id = json_object_get(json_array_get(operations, i), "id");
        const struct document *document = is_id(id) ? database_find(database, id) : NULL;
        if (document != NULL && database_find(attempt, id) == NULL)
            add_document(attempt, document_copy(document));
    }
    return attempt;
}

void database_take(struct database *database, struct database *attempt)
{
    struct document *document = attempt->oldest;
    while (document != NULL) {
        struct document *newer = document->newer;
        if (document->sequence > database->last) {
            take_document(attempt, document);
            struct document *replaced = database_find(database, document->id);
            if (replaced != NULL) {
                take_document(database, replaced);
                document_free(replaced);
            }
            add_document(database, document);
        }
        document = newer;
    }
    database->last = attempt->last;
    json_t *locals = database->locals;
    database->locals = attempt->locals;
    attempt->locals = locals;
    database_free(attempt);
}

// Edits

static bool describes(const json_t *filter, const json_t *id, enum state state, const json_t *body)
{
    const json_t *ids = json_object_get(filter, "documentIDs");
    const json_t *equals = json_object_get(filter, "bodyFieldEquals");
    if (equals != NULL) {
        const json_t *field = json_object_get(equals, "field");
        const json_t *member = json_object_getn(body, json_string_value(field), json_string_length(field));
        return member != NULL && same_value(member, json_object_get(equals, "value"));
    }
    if (ids == NULL)
        return state == LIVE;
    for (size_t i = 0; i < json_array_size(ids); i++) {
        if (same_value(json_array_get(ids, i), id))
            return true;
    }
    return false;
}

json_t *database_forbids(const struct database *database, const json_t *id, const json_t *rev,
                         enum state state, const json_t *body)
{
    if (database->refused == NULL || !describes(database->refused, id, state, body))
        return NULL;
    const struct document *document = rev ? database_find(database, id) : NULL;
    const struct revision *known = document ? document_find(document, rev) : NULL;
    return known != NULL && known->body != NULL ? NULL : refusal("forbidden");
}

json_t *database_refuses_edit(const struct database *database, const json_t *id,
                              const struct revision *parent, enum state state, const json_t *body)
{
    if (parent != NULL && parent->generation == LARGEST_GENERATION)
        return refusal("badRevision");
    return database_forbids(database, id, NULL, state, body);
}

json_t *database_edit(struct database *database, json_t *id, const struct revision *parent,
                      enum state state, json_t *body)
{
    char suffix[DRAWN_NAME];
    draw_name(database->seed, suffix);
    uint64_t generation = parent ? parent->generation + 1 : 1;
    json_t *rev = json_sprintf("%" PRIu64 "-%s", generation, suffix);
    json_t *path = parent ? json_pack("[O, O]", rev, parent->name) : json_pack("[O]", rev);
    struct document *document = database_change(database, id);
    document->changed |= document_merge(document, path, state, body);
    database_settle(database, document);
    json_decref(path);
    return rev;
}

// Sequences

json_t *database_sequence(const struct database *database, uint64_t number)
{
    return json_sprintf("%s-%" PRIu64, database->incarnation, number);
}

bool database_position(const struct database *database, const json_t *sequence, uint64_t *number)
{
    const char *bytes = json_string_value(sequence);
    const char *hyphen = bytes ? strchr(bytes, '-') : NULL;
    *number = hyphen ? strtoull(hyphen + 1, NULL, 10) : 0;
    // A sequence is valid only in the encoding in which it was returned.
    json_t *same = database_sequence(database, *number);
    bool known = json_equal(sequence, same) && *number <= database->last;
    json_decref(same);
    return known;
}
