// A file that keeps what was acknowledged when the process is killed: the operations that changed
// something, each with what it drew at random, in their order.

#ifndef JOURNAL_H
#define JOURNAL_H

#include "database.h"

#include <stdio.h>

struct journal {
    FILE *file;  // NULL: nothing is kept
    char *line;
    size_t room;
};

// Opens the journal of a folder, and says whether it could.
bool journal_open(struct journal *journal, const char *folder);
void journal_close(struct journal *journal);

// Reads the next operation from the beginning on; after the last one the journal can be written.
bool journal_next(struct journal *journal, struct seed *seed, json_t **operation);

// Hands an operation to the kernel, or ends the program.
void journal_append(struct journal *journal, struct seed seed, const json_t *operation);
void journal_clear(struct journal *journal);

#endif
