#include "store.h"
#include "journal.h"

#include <stdlib.h>
#include <string.h>

struct store {
    struct database *databases;
    struct seed seed;  // of the current operation
    FILE *entropy;
    struct journal journal;
};

struct store *store_new(void)
{
    struct store *store = reallocate(NULL, sizeof *store);
    *store = (struct store){.entropy = fopen("/dev/urandom", "rb")};
    if (store->entropy == NULL) {
        perror("/dev/urandom");
        exit(1);
    }
    return store;
}

static void forget_databases(struct store *store)
{
    while (store->databases != NULL) {
        struct database *first = store->databases;
        store->databases = first->next;
        database_free(first);
    }
}

void store_free(struct store *store)
{
    forget_databases(store);
    journal_close(&store->journal);
    fclose(store->entropy);
    free(store);
}

void store_reset(struct store *store)
{
    forget_databases(store);
    journal_clear(&store->journal);
}

// Databases by name

// Returns the link to the database with a name, or the link at which to insert it.
static struct database **find(struct store *store, const json_t *name)
{
    struct database **here = &store->databases;
    while (*here != NULL && !same_value((*here)->name, name))
        here = &(*here)->next;
    return here;
}

// True if an option of `open` has the only supported value. Otherwise `refused` gets the error.
static bool is_choice(const json_t *operation, const char *choice, const char *only, json_t **refused)
{
    json_t *value = json_object_get(operation, choice);
    if (value == NULL || (json_is_string(value) && strcmp(json_string_value(value), only) == 0))
        return true;
    *refused = refusal_with("unsupported", "what", json_incref(value));
    return false;
}

static json_t *open_database(struct store *store, const json_t *operation)
{
    json_t *name = json_object_get(operation, "store"), *refused = NULL;
    if (!is_store_name(name))
        return refusal("badName");
    if (!is_choice(operation, "revisionIDs", "own", &refused) ||
        !is_choice(operation, "collation", "bytes", &refused))
        return refused;
    struct database **here = find(store, name);
    if (*here == NULL)
        *here = database_new(name, &store->seed);
    (*here)->open = true;
    return success(json_object());
}

static json_t *close_database(struct store *store, const json_t *operation)
{
    struct database *database = *find(store, json_object_get(operation, "store"));
    if (database != NULL)
        database->open = false;
    return success(json_object());
}

static json_t *destroy_database(struct store *store, const json_t *operation)
{
    struct database **here = find(store, json_object_get(operation, "store")), *destroyed = *here;
    if (destroyed != NULL) {
        *here = destroyed->next;
        database_free(destroyed);
    }
    return success(json_object());
}

// Operations

static const struct operation {
    const char *name;
    bool writes;
    json_t *(*of_store)(struct store *store, const json_t *operation);
    operation_function *of_database;
} operations[] = {
    {"open", true, open_database, NULL},
    {"close", true, close_database, NULL},
    {"destroy", true, destroy_database, NULL},
    {"info", false, NULL, database_info},
    {"create", true, NULL, database_create},
    {"update", true, NULL, database_update},
    {"delete", true, NULL, database_delete},
    {"read", false, NULL, database_read},
    {"list", false, NULL, database_list},
    {"leaves", false, NULL, database_leaves},
    {"changes", false, NULL, database_changes},
    {"revsDiff", false, NULL, database_revs_diff},
    {"getRevisions", false, NULL, database_get_revisions},
    {"insertRevisions", true, NULL, database_insert_revisions},
    {"readLocal", false, NULL, database_read_local},
    {"writeLocal", true, NULL, database_write_local},
    {"resolve", true, NULL, database_resolve},
    {"compact", true, NULL, database_compact},
    {"purge", true, NULL, database_purge},
    {"historyLimit", true, NULL, database_set_history_limit},
    {"batch", true, NULL, database_batch},
    {"setValidation", true, NULL, database_set_validation},
    {"flush", false, NULL, database_flush},
};

static const struct operation *find_operation(const json_t *operation)
{
    const char *name = json_string_value(json_object_get(operation, "op"));
    for (size_t i = 0; name != NULL && i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(name, operations[i].name) == 0)
            return &operations[i];
    }
    return NULL;
}

static json_t *dispatch(struct store *store, const struct operation *known, const json_t *operation)
{
    if (known->of_store != NULL)
        return known->of_store(store, operation);
    struct database *database = *find(store, json_object_get(operation, "store"));
    if (database == NULL || !database->open)
        return refusal("noSuchStore");
    return known->of_database(database, operation);
}

json_t *store_perform(struct store *store, const json_t *operation)
{
    const struct operation *known = find_operation(operation);
    if (known == NULL) {
        json_t *name = json_object_get(operation, "op");
        return refusal_with("unsupported", "what", name ? json_incref(name) : json_string(""));
    }
    struct seed seed = {0};
    if (known->writes && fread(&seed, sizeof seed, 1, store->entropy) != 1) {
        perror("/dev/urandom");
        exit(1);
    }
    store->seed = seed;
    json_t *outcome = dispatch(store, known, operation);
    if (known->writes && json_object_get(outcome, "ok") != NULL)
        journal_append(&store->journal, seed, operation);
    return outcome;
}

bool store_keep(struct store *store, const char *folder)
{
    if (!journal_open(&store->journal, folder))
        return false;
    json_t *operation;
    while (journal_next(&store->journal, &store->seed, &operation)) {
        json_decref(dispatch(store, find_operation(operation), operation));
        json_decref(operation);
    }
    for (struct database *database = store->databases; database != NULL; database = database->next)
        database->open = false;
    return true;
}
