// The little store: any number of named databases in memory, and an optional journal in a folder.

#ifndef STORE_H
#define STORE_H

#include <jansson.h>
#include <stdbool.h>

struct store;

struct store *store_new(void);
void store_free(struct store *store);

// Restores the databases that an earlier process stored in a folder, all closed, and keeps later changes there.
// Returns false if the folder cannot be used.
bool store_keep(struct store *store, const char *folder);

// Removes all databases.
void store_reset(struct store *store);

// Performs an operation and returns its outcome. Vectors/README.md describes both.
json_t *store_perform(struct store *store, const json_t *operation);

#endif
