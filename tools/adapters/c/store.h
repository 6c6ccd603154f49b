// The little store: any number of named databases in memory, and an optional journal in a folder.

#ifndef STORE_H
#define STORE_H

#include <jansson.h>
#include <stdbool.h>

struct store;

struct store *store_new(void);
void store_free(struct store *store);

// Takes up what another process kept in a folder, with all databases closed, and keeps everything there
// from now on. Says whether the folder can be used.
bool store_keep(struct store *store, const char *folder);

// Forgets everything.
void store_reset(struct store *store);

// Performs an operation and answers its outcome, both as Vectors/README.md describes them.
json_t *store_perform(struct store *store, const json_t *operation);

#endif
