// One named store from its creation to its destruction.

#ifndef DATABASE_H
#define DATABASE_H

#include "tree.h"

// The source of new names for one operation: 128 random bits, incremented for each name. An operation that is
// replayed with its seed creates the same ids.
struct seed {
    uint64_t high, low;
};

#define DRAWN_NAME 33

void draw_name(struct seed *seed, char name[DRAWN_NAME]);

struct database {
    json_t *name;
    bool open;
    char incarnation[DRAWN_NAME];
    struct document **documents;  // in byte order of their ids
    size_t count, room;
    struct document *oldest, *newest;  // in order of their latest change
    uint64_t last;
    json_t *locals;
    json_t *refused;         // the filter of the validation, or NULL
    uint64_t history_limit;  // 0: no limit
    struct seed *seed;
    struct database *next;
};

struct database *database_new(json_t *name, struct seed *seed);
void database_free(struct database *database);

// `database_attempt` returns a database with copies of the documents that a list of operations names.
// `database_take` replaces the content of the database by that of the attempt.
struct database *database_attempt(const struct database *database, const json_t *operations);
void database_take(struct database *database, struct database *attempt);

struct document *database_find(const struct database *database, const json_t *id);

// Returns the index of the first document whose id is not less than a text.
size_t database_place(const struct database *database, const json_t *text);

// `database_change` begins a change of a document, with any number of new and removed revisions.
// `database_settle` ends it: it applies the history limit and updates the row in `changes`.
struct document *database_change(struct database *database, json_t *id);
void database_settle(struct database *database, struct document *document);

// Returns the error of a revision that the validation refuses, or NULL.
json_t *database_forbids(const struct database *database, const json_t *id, const json_t *rev,
                         enum state state, const json_t *body);

// `database_refuses_edit` returns the error of an edit, or NULL if it is allowed. `database_edit` adds a child
// of a leaf and returns its revision id; with the parent NULL it adds a new root.
json_t *database_refuses_edit(const struct database *database, const json_t *id,
                              const struct revision *parent, enum state state, const json_t *body);
json_t *database_edit(struct database *database, json_t *id, const struct revision *parent,
                      enum state state, json_t *body);

// `database_sequence` encodes a number as a sequence. `database_position` decodes a sequence; it returns false
// for a sequence that is not of this database.
json_t *database_sequence(const struct database *database, uint64_t number);
bool database_position(const struct database *database, const json_t *sequence, uint64_t *number);

// The operations. Each returns an outcome.
typedef json_t *operation_function(struct database *database, const json_t *operation);

operation_function database_info, database_list, database_read, database_leaves, database_changes;
operation_function database_create, database_update, database_delete;
operation_function database_read_local, database_write_local;
operation_function database_revs_diff, database_get_revisions, database_insert_revisions;
operation_function database_resolve, database_compact, database_purge, database_set_history_limit;
operation_function database_batch, database_set_validation, database_flush;

// Returns the member `leaves` of results, the winner first.
json_t *leaf_rows(const struct document *document);

#endif
