// One named store from its creation to its destruction.

#ifndef DATABASE_H
#define DATABASE_H

#include "tree.h"

// What one operation may draw: 128 bits that nobody else has, and what follows by counting on from them.
// So an operation that is performed again with its seed makes the same ids.
struct seed {
    uint64_t high, low;
};

#define DRAWN_NAME 33

void draw_name(struct seed *seed, char name[DRAWN_NAME]);

struct database {
    json_t *name;
    bool open;
    char incarnation[DRAWN_NAME];
    struct document **documents;  // by the bytes of their ids
    size_t count, room;
    struct document *oldest, *newest;  // by their latest change
    uint64_t last;
    json_t *locals;
    json_t *refused;         // the filter of the validation, or NULL
    uint64_t history_limit;  // 0: none
    struct seed *seed;
    struct database *next;
};

struct database *database_new(json_t *name, struct seed *seed);
void database_free(struct database *database);

// A database with copies of the documents that a list of operations names, on which they can be tried;
// and the way in which it becomes what the database is.
struct database *database_attempt(const struct database *database, const json_t *operations);
void database_take(struct database *database, struct database *attempt);

struct document *database_find(const struct database *database, const json_t *id);

// The place of the first document whose id does not come before a text.
size_t database_place(const struct database *database, const json_t *text);

// A change of a document begins with the first and ends with the second, which cuts its history and moves
// its row. Between them any number of revisions may come and go.
struct document *database_change(struct database *database, json_t *id);
void database_settle(struct database *database, struct document *document);

// Why a revision cannot be stored, or NULL.
json_t *database_forbids(const struct database *database, const json_t *id, const json_t *rev,
                         enum state state, const json_t *body);

// Why a leaf, or NULL for none, cannot get a child, or NULL; and the name of the child that it gets.
json_t *database_refuses_edit(const struct database *database, const json_t *id,
                              const struct revision *parent, enum state state, const json_t *body);
json_t *database_edit(struct database *database, json_t *id, const struct revision *parent,
                      enum state state, json_t *body);

// A sequence as it is handed out, and what one stands for; the second says whether it is one of here.
json_t *database_sequence(const struct database *database, uint64_t number);
bool database_position(const struct database *database, const json_t *sequence, uint64_t *number);

// The operations. Each answers an outcome.
typedef json_t *operation_function(struct database *database, const json_t *operation);

operation_function database_info, database_list, database_read, database_leaves, database_changes;
operation_function database_create, database_update, database_delete;
operation_function database_read_local, database_write_local;
operation_function database_revs_diff, database_get_revisions, database_insert_revisions;
operation_function database_resolve, database_compact, database_purge, database_set_history_limit;
operation_function database_batch, database_set_validation, database_flush;

// The `leaves` of answers, the winner first.
json_t *leaf_rows(const struct document *document);

#endif
