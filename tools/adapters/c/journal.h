// The journal makes acknowledged writes survive a kill of the process. It is a file with the operations that
// changed the store, in order, each with its random seed.

#ifndef JOURNAL_H
#define JOURNAL_H

#include "database.h"

#include <stdio.h>

struct journal {
    FILE *file;  // NULL: no journal
    char *line;
    size_t room;
};

// Opens the journal of a folder. Returns false if that fails.
bool journal_open(struct journal *journal, const char *folder);
void journal_close(struct journal *journal);

// Reads the next operation, from the first on. Returns false after the last one; then the journal is writable.
bool journal_next(struct journal *journal, struct seed *seed, json_t **operation);

// Writes an operation to the kernel. Ends the program if that fails.
void journal_append(struct journal *journal, struct seed seed, const json_t *operation);
void journal_clear(struct journal *journal);

#endif
