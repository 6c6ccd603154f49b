// Parsing of JSON lines.

#ifndef READING_H
#define READING_H

#include <jansson.h>

// Parses a line. Strings and member names may contain NUL. An integer outside 64 bits is read as a double.
// Returns NULL for invalid JSON.
json_t *read_json(const char *line, size_t length, json_error_t *error);

#endif
