// An adapter for `touchstone run --implementation 'exec:tools/adapters/c/adapter'`: it reads requests from
// the standard input and writes answers to the standard output, as Vectors/protocol.md describes them.
// An adapter for a store of your own is this file with another store.

#include "store.h"

#include <stdio.h>
#include <stdlib.h>

// Who the store is. Only with a folder does it outlive its process.
static json_t *about(bool kept)
{
    return json_pack("{s:{s:i, s:s, s:s, s:s, s:[ssssssss], s:[ss], s:{s:i, s:i, s:i}, s:o, s:b}}", "ok",
                     "protocol", 1, "name", "little-store", "version", "1.0", "language", "C11",
                     "capabilities", "resolve", "compact", "purge", "historyLimit", "atomicBatch",
                     "validation", "flush", "tombstoneBodies",
                     "profiles", "dense-changes", "incarnation-sequences",
                     "limits", "bodyBytes", 1000000, "idBytes", 240, "depth", 1000,
                     "crashes", kept ? json_pack("[s]", "kill") : json_array(),
                     "pipelining", 1);
}

static json_t *hello(struct store *store, const json_t *runner, bool *running)
{
    const json_t *versions = json_object_get(runner, "protocol");
    const char *folder = json_string_value(json_object_get(runner, "folder"));
    *running = json_integer_value(json_object_get(versions, "first")) <= 1;
    if (!*running)
        return json_pack("{s:{s:s}}", "error", "message", "this adapter speaks version 1 alone");
    return about(folder != NULL && store_keep(store, folder));
}

// What a request is answered with.
static json_t *answer(struct store *store, const json_t *request, bool *running)
{
    const json_t *content;
    if ((content = json_object_get(request, "perform")) != NULL)
        return store_perform(store, content);
    if ((content = json_object_get(request, "hello")) != NULL)
        return hello(store, content, running);
    if (json_object_get(request, "reset") != NULL)
        store_reset(store);
    else  // `bye`
        *running = false;
    return json_pack("{s:{}}", "ok");
}

// Reads a request. An integer beyond 64 bits is read as the double that it may be.
static json_t *parse(const char *line, size_t length)
{
    json_error_t error;
    json_t *request = json_loadb(line, length, JSON_ALLOW_NUL, &error);
    if (request == NULL && json_error_code(&error) == json_error_numeric_overflow)
        request = json_loadb(line, length, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
    if (request == NULL)
        fprintf(stderr, "adapter: no request: %s\n", error.text);
    return request;
}

static void write_line(const json_t *reply)
{
    char *text = json_dumps(reply, JSON_COMPACT);
    puts(text);
    // What stays in a buffer never reaches the runner, which waits for it.
    fflush(stdout);
    free(text);
}

int main(void)
{
    struct store *store = store_new();
    char *line = NULL;
    size_t room = 0;
    bool running = true, understood = true;
    for (ssize_t length; running && (length = getline(&line, &room, stdin)) > 0;) {
        json_t *request = parse(line, (size_t)length);
        understood = running = request != NULL;
        if (!understood)
            break;
        json_t *reply = answer(store, request, &running);
        json_int_t id = (json_int_t)json_number_value(json_object_get(request, "id"));
        json_object_set_new(reply, "id", json_integer(id));
        write_line(reply);
        json_decref(reply);
        json_decref(request);
    }
    free(line);
    store_free(store);
    return understood ? 0 : 1;
}
