#include "journal.h"
#include "reading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

// A line has the seed as 32 hexadecimal digits, then the operation.
#define SEED_DIGITS (DRAWN_NAME - 1)

bool journal_open(struct journal *journal, const char *folder)
{
    json_t *path = json_sprintf("%s/journal", folder);
    *journal = (struct journal){.file = path ? fopen(json_string_value(path), "a+") : NULL};
    json_decref(path);
    return journal->file != NULL;
}

void journal_close(struct journal *journal)
{
    if (journal->file != NULL)
        fclose(journal->file);
    free(journal->line);
}

static void demand(bool written)
{
    if (!written) {
        perror("adapter: cannot open or write the journal");
        exit(1);
    }
}

bool journal_next(struct journal *journal, struct seed *seed, json_t **operation)
{
    off_t begin = ftello(journal->file);
    ssize_t length = getline(&journal->line, &journal->room, journal->file);
    bool whole = length > SEED_DIGITS && journal->line[length - 1] == '\n';
    if (!whole) {
        // The process was killed while it wrote the last line, so this operation was not acknowledged.
        demand(ftruncate(fileno(journal->file), begin) == 0 && fseeko(journal->file, 0, SEEK_END) == 0);
        return false;
    }
    sscanf(journal->line, "%16" SCNx64 "%16" SCNx64, &seed->high, &seed->low);
    json_error_t error;
    *operation = read_json(journal->line + SEED_DIGITS, (size_t)length - SEED_DIGITS, &error);
    return true;
}

void journal_append(struct journal *journal, struct seed seed, const json_t *operation)
{
    if (journal->file == NULL)
        return;
    char digits[DRAWN_NAME];
    draw_name(&seed, digits);
    fputs(digits, journal->file);
    json_dumpf(operation, journal->file, JSON_COMPACT);
    demand(putc('\n', journal->file) != EOF && fflush(journal->file) == 0);
}

void journal_clear(struct journal *journal)
{
    if (journal->file != NULL)
        demand(ftruncate(fileno(journal->file), 0) == 0);
}
