#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_store_name(const json_t *value)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_$()+/-";
    const char *bytes = json_string_value(value);
    size_t length = json_string_length(value);
    // `strspn` stops at a NUL in the text, so the lengths differ.
    return length > 0 && bytes[0] >= 'a' && bytes[0] <= 'z' && strspn(bytes, allowed) == length;
}

bool is_local_id(const json_t *value)
{
    size_t length = json_string_length(value);
    return length > 0 && memchr(json_string_value(value), 0, length) == NULL;
}

bool is_id(const json_t *value)
{
    static const char design[] = "_design/";
    const char *bytes = json_string_value(value);
    size_t length = json_string_length(value);
    if (!is_local_id(value))
        return false;
    return bytes[0] != '_' || (length > strlen(design) && strncmp(bytes, design, strlen(design)) == 0);
}

// True if a value has at most `depth` levels.
static bool is_within(const json_t *value, size_t depth)
{
    const char *name;
    size_t place;
    json_t *part;
    if (depth == 0 && (json_is_object(value) || json_is_array(value)))
        return false;
    json_object_foreach((json_t *)value, name, part) {
        if (!is_within(part, depth - 1))
            return false;
    }
    json_array_foreach(value, place, part) {
        if (!is_within(part, depth - 1))
            return false;
    }
    return true;
}

// True if a value is an object whose member names are valid in a body.
static bool has_body_names(const json_t *value)
{
    if (!json_is_object(value))
        return false;
    const char *name;
    size_t length;
    json_t *member;
    json_object_keylen_foreach((json_t *)value, name, length, member) {
        if (length > 0 && name[0] == '_')
            return false;
    }
    return true;
}

bool is_body(const json_t *value)
{
    return has_body_names(value) && is_within(value, LARGEST_DEPTH);
}

json_t *body_refusal(const json_t *value)
{
    if (has_body_names(value))
        return refusal_with("tooLarge", "limit", json_integer(LARGEST_DEPTH));
    return refusal("badBody");
}

uint64_t generation_of(const json_t *value)
{
    const char *bytes = json_string_value(value);
    size_t length = json_string_length(value);
    if (length == 0 || bytes[0] == '0')
        return 0;
    uint64_t generation = 0;
    size_t digits = 0;
    // The largest generation has 16 digits, which do not overflow.
    while (digits < 16 && bytes[digits] >= '0' && bytes[digits] <= '9')
        generation = generation * 10 + (uint64_t)(bytes[digits++] - '0');
    bool suffixed = bytes[digits] == '-' && digits + 1 < length;
    return suffixed && generation <= LARGEST_GENERATION ? generation : 0;
}

bool are_revisions(const json_t *value)
{
    if (!json_is_array(value))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (generation_of(json_array_get(value, i)) == 0)
            return false;
    }
    return true;
}

bool is_path(const json_t *value)
{
    size_t count = json_array_size(value);
    uint64_t newest = generation_of(json_array_get(value, 0));
    // The oldest revision has at least generation 1, so the newest one has at least generation `count`.
    if (count == 0 || newest < count)
        return false;
    for (size_t i = 1; i < count; i++) {
        if (generation_of(json_array_get(value, i)) != newest - i)
            return false;
    }
    return true;
}

int compare_texts(const json_t *a, const json_t *b)
{
    size_t lengths[] = {json_string_length(a), json_string_length(b)};
    size_t common = lengths[0] < lengths[1] ? lengths[0] : lengths[1];
    int order = memcmp(json_string_value(a), json_string_value(b), common);
    return order != 0 ? order : (lengths[0] > lengths[1]) - (lengths[0] < lengths[1]);
}

static bool same_array(const json_t *a, const json_t *b)
{
    for (size_t i = 0; i < json_array_size(a); i++) {
        if (!same_value(json_array_get(a, i), json_array_get(b, i)))
            return false;
    }
    return json_array_size(a) == json_array_size(b);
}

static bool same_object(const json_t *a, const json_t *b)
{
    const char *name;
    size_t length;
    json_t *member;
    json_object_keylen_foreach((json_t *)a, name, length, member) {
        if (!same_value(member, json_object_getn(b, name, length)))
            return false;
    }
    return json_object_size(a) == json_object_size(b);
}

bool same_value(const json_t *a, const json_t *b)
{
    if (json_is_integer(a) && json_is_integer(b))
        return json_integer_value(a) == json_integer_value(b);
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    if (a == NULL || b == NULL || json_typeof(a) != json_typeof(b))
        return false;
    switch (json_typeof(a)) {
    case JSON_OBJECT:
        return same_object(a, b);
    case JSON_ARRAY:
        return same_array(a, b);
    case JSON_STRING:
        return compare_texts(a, b) == 0;
    default:
        return true;
    }
}

json_t *success(json_t *result)
{
    return json_pack("{s:o}", "ok", result);
}

json_t *refusal(const char *kind)
{
    return json_pack("{s:{s:s}}", "error", "kind", kind);
}

json_t *refusal_with(const char *kind, const char *field, json_t *value)
{
    return json_pack("{s:{s:s, s:o}}", "error", "kind", kind, field, value);
}

void *reallocate(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory == NULL && size > 0) {
        perror("adapter");
        exit(1);
    }
    return memory;
}
