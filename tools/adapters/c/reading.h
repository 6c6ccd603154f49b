// JSON as it comes in.

#ifndef READING_H
#define READING_H

#include <jansson.h>

// Reads a line. NUL may stand in texts and in names of members; an integer beyond 64 bits is read as the
// double that it may be. NULL for what is no JSON.
json_t *read_json(const char *line, size_t length, json_error_t *error);

#endif
