// jansson stores and writes member names with NUL, but does not read them. So a line with such a name is read
// with escaped names, in which a mark and a letter encode NUL or the mark. Then the names are restored.

#include "reading.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

// The mark U+0001, encoded in JSON and in memory.
static const char nul[] = "\\u0000", mark[] = "\\u0001";
#define MARK '\1'
#define FOR_NUL 'n'
#define FOR_MARK 'm'
#define ESCAPE_LENGTH 6

// Returns the end of a string, after its closing quotation mark. `begin` is after the opening one.
static const char *text_end(const char *begin, const char *end)
{
    while (begin < end && *begin != '"')
        begin += *begin == '\\' && begin + 1 < end ? 2 : 1;
    return begin < end ? begin + 1 : end;
}

static bool is_name(const char *after, const char *end)
{
    while (after < end && strchr(" \t\r\n", *after) != NULL)
        after++;
    return after < end && *after == ':';
}

// Copies a name with its quotation marks and escapes it. Returns the end of the copy.
static char *copy_name(char *to, const char *from, const char *end)
{
    while (from < end) {
        bool is_nul = end - from > ESCAPE_LENGTH && memcmp(from, nul, ESCAPE_LENGTH) == 0;
        bool is_mark = end - from > ESCAPE_LENGTH && memcmp(from, mark, ESCAPE_LENGTH) == 0;
        if (is_nul || is_mark) {
            memcpy(to, mark, ESCAPE_LENGTH);
            to[ESCAPE_LENGTH] = is_nul ? FOR_NUL : FOR_MARK;
            to += ESCAPE_LENGTH + 1;
            from += ESCAPE_LENGTH;
        } else {
            // A backslash and the next character are one unit: `\\u0000` contains no NUL.
            size_t taken = *from == '\\' ? 2 : 1;
            memcpy(to, from, taken);
            to += taken;
            from += taken;
        }
    }
    return to;
}

// Returns the line with escaped names, which is at most 1/6 longer.
static char *with_other_names(const char *line, size_t *length)
{
    const char *end = line + *length;
    char *other = reallocate(NULL, *length + *length / ESCAPE_LENGTH + 1), *to = other;
    for (const char *from = line; from < end;) {
        const char *next = *from == '"' ? text_end(from + 1, end) : from + 1;
        if (*from == '"' && is_name(next, end)) {
            to = copy_name(to, from, next);
        } else {
            memcpy(to, from, (size_t)(next - from));
            to += next - from;
        }
        from = next;
    }
    *length = (size_t)(to - other);
    return other;
}

static void put_names_right(json_t *value);

static void put_members_right(json_t *object)
{
    json_t *members = json_object();
    const char *name;
    size_t length;
    json_t *member;
    json_object_keylen_foreach(object, name, length, member) {
        char *real = reallocate(NULL, length + 1);
        size_t used = 0;
        for (size_t i = 0; i < length; i++) {
            bool marked = name[i] == MARK && i + 1 < length;
            real[used++] = !marked ? name[i] : name[++i] == FOR_NUL ? '\0' : MARK;
        }
        put_names_right(member);
        json_object_setn(members, real, used, member);
        free(real);
    }
    json_object_clear(object);
    json_object_keylen_foreach(members, name, length, member) {
        json_object_setn(object, name, length, member);
    }
    json_decref(members);
}

static void put_names_right(json_t *value)
{
    size_t place;
    json_t *element;
    if (json_is_object(value))
        put_members_right(value);
    json_array_foreach(value, place, element) {
        put_names_right(element);
    }
}

static json_t *load(const char *line, size_t length, json_error_t *error)
{
    json_t *value = json_loadb(line, length, JSON_ALLOW_NUL, error);
    if (value == NULL && json_error_code(error) == json_error_numeric_overflow)
        value = json_loadb(line, length, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, error);
    return value;
}

json_t *read_json(const char *line, size_t length, json_error_t *error)
{
    json_t *value = load(line, length, error);
    if (value != NULL || json_error_code(error) != json_error_null_byte_in_key)
        return value;
    char *other = with_other_names(line, &length);
    value = load(other, length, error);
    free(other);
    if (value != NULL)
        put_names_right(value);
    return value;
}
