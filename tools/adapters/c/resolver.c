// A conflict resolver in C, as an adapter with a resolver and without a store.
//
//     make -C tools/adapters/c resolver
//     touchstone resolver --implementation exec:tools/adapters/c/resolver
//
// It merges member by member. Where two sides differ, the value of the winner remains. To check another
// resolver, replace `resolve`. Vectors/protocol.md describes the lines.

#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Orders leaves as all devices do: the greater generation first, then the greater suffix.
static int compare_leaves(const void *a, const void *b)
{
    const json_t *one = json_object_get(*(json_t *const *)a, "rev");
    const json_t *other = json_object_get(*(json_t *const *)b, "rev");
    if (generation_of(one) != generation_of(other))
        return generation_of(one) < generation_of(other) ? 1 : -1;
    return compare_texts(other, one);
}

// Orders names of members by their bytes. Members with NUL in the name are not supported by jansson.
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// True if two bodies have the same value of a member, or both lack it.
static bool same_member(const json_t *a, const json_t *b, const char *name)
{
    const json_t *one = json_object_get(a, name), *other = json_object_get(b, name);
    return one == NULL || other == NULL ? one == other : same_value(one, other);
}

// Returns the merged body. `live` has the bodies of the live leaves, the winner first.
static json_t *merge(const json_t *base, json_t *const *live, size_t count)
{
    json_t *all = json_copy((json_t *)base), *merged = json_object();
    for (size_t i = 0; i < count; i++) json_object_update(all, live[i]);
    const char **names = reallocate(NULL, (json_object_size(all) + 1) * sizeof *names);
    size_t size = 0;
    const char *name;
    json_t *value;
    json_object_foreach(all, name, value) names[size++] = name;
    // The order of the names does not depend on the order of the leaves.
    qsort(names, size, sizeof *names, compare_names);
    for (size_t n = 0; n < size; n++) {
        const json_t *source = base;
        for (size_t i = count; i-- > 0;)
            if (!same_member(live[i], base, names[n])) source = live[i];
        value = json_object_get(source, names[n]);
        if (value != NULL) json_object_set(merged, names[n], value);
    }
    free(names);
    json_decref(all);
    return merged;
}

// Returns the answer to a conflict.
static json_t *resolve(const json_t *conflict)
{
    const json_t *leaves = json_object_get(conflict, "leaves");
    const json_t *ancestor = json_object_get(json_object_get(conflict, "ancestor"), "body");
    size_t size = json_array_size(leaves), count = 0;
    json_t **live = reallocate(NULL, (size + 1) * sizeof *live);
    for (size_t i = 0; i < size; i++)
        if (json_object_get(json_array_get(leaves, i), "body") != NULL)
            live[count++] = json_array_get(leaves, i);
    qsort(live, count, sizeof *live, compare_leaves);
    bool is_unchanged = ancestor != NULL;
    for (size_t i = 0; i < count; i++) {
        live[i] = json_object_get(live[i], "body");
        is_unchanged = is_unchanged && same_value(live[i], ancestor);
    }
    json_t *answer, *empty = json_object();
    // Each side deleted the document, or one did and no other side changed it.
    if (count == 0 || (count < size && is_unchanged))
        answer = json_pack("{s:b}", "delete", 1);
    else
        answer = json_pack("{s:o}", "body", merge(ancestor != NULL ? ancestor : empty, live, count));
    json_decref(empty);
    free(live);
    return answer;
}

static json_t *hello(const json_t *runner)
{
    const json_t *versions = json_object_get(runner, "protocol");
    if (json_integer_value(json_object_get(versions, "first")) > 1
        || json_integer_value(json_object_get(versions, "last")) < 1)
        return json_pack("{s:{s:s}}", "error", "message", "this adapter speaks version 1");
    return json_pack("{s:{s:i, s:s, s:s, s:s, s:b}}", "ok", "protocol", 1, "name", "merge",
                     "version", "1.0", "language", "C11", "resolver", 1);
}

// Returns the response to a request; NULL for an unknown request.
static json_t *answer(const json_t *request)
{
    if (json_object_get(request, "resolveConflict") != NULL)
        return json_pack("{s:o}", "ok", resolve(json_object_get(request, "resolveConflict")));
    if (json_object_get(request, "hello") != NULL) return hello(json_object_get(request, "hello"));
    if (json_object_get(request, "perform") != NULL)
        return json_pack("{s:{s:s, s:s}}", "error", "kind", "unsupported", "what",
                         json_string_value(json_object_get(json_object_get(request, "perform"), "op")));
    if (json_object_get(request, "reset") == NULL && json_object_get(request, "bye") == NULL) return NULL;
    return json_pack("{s:{}}", "ok");
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    bool running = true;
    for (ssize_t length; running && (length = getline(&line, &room, stdin)) > 0;) {
        json_t *request = json_loadb(line, (size_t)length, JSON_ALLOW_NUL, NULL);
        json_t *reply = answer(request);
        if (reply == NULL) return fputs("adapter: unknown request\n", stderr), 1;
        json_object_set(reply, "id", json_object_get(request, "id"));
        char *text = json_dumps(reply, JSON_COMPACT);
        puts(text);
        fflush(stdout);  // The runner waits for the response, so it must not stay in a buffer.
        running = json_object_get(request, "bye") == NULL;
        free(text);
        json_decref(reply);
        json_decref(request);
    }
    free(line);
}
