// The adapter of the little store, for `touchstone run --implementation 'exec:tools/adapters/c/adapter'`. It
// reads requests from the standard input and writes responses to the standard output (Vectors/protocol.md).
// An adapter for another store is this file with another store.

#include "reading.h"
#include "store.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>

#define VERSION 1

// Returns the description of the store. It is durable only with a folder.
static json_t *about(bool kept)
{
    return json_pack("{s:{s:i, s:s, s:s, s:s, s:[ssssssss], s:[ss], s:{s:i}, s:o, s:b}}", "ok",
                     "protocol", VERSION, "name", "little-store", "version", "1.0", "language", "C11",
                     "capabilities", "resolve", "compact", "purge", "historyLimit", "atomicBatch",
                     "validation", "flush", "tombstoneBodies",
                     "profiles", "dense-changes", "incarnation-sequences",
                     "limits", "depth", LARGEST_DEPTH,
                     "crashes", kept ? json_pack("[s]", "kill") : json_array(),
                     "pipelining", 1);
}

static json_t *hello(struct store *store, const json_t *runner, bool *running)
{
    const json_t *versions = json_object_get(runner, "protocol");
    const char *folder = json_string_value(json_object_get(runner, "folder"));
    *running = json_integer_value(json_object_get(versions, "first")) <= VERSION &&
               json_integer_value(json_object_get(versions, "last")) >= VERSION;
    if (!*running)
        return json_pack("{s:{s:s}}", "error", "message", "this adapter speaks version 1");
    return about(folder != NULL && store_keep(store, folder));
}

// Returns the response to a request; NULL for an unknown request.
static json_t *answer(struct store *store, const json_t *request, bool *running)
{
    const json_t *content;
    if ((content = json_object_get(request, "perform")) != NULL)
        return store_perform(store, content);
    if ((content = json_object_get(request, "hello")) != NULL)
        return hello(store, content, running);
    if (json_object_get(request, "reset") != NULL)
        store_reset(store);
    else if (json_object_get(request, "bye") != NULL)
        *running = false;
    else
        return NULL;
    return json_pack("{s:{}}", "ok");
}

// Returns the response to a line. Prints an error and returns NULL if the line is not a known request.
static json_t *reply_to(struct store *store, const char *line, size_t length, bool *running)
{
    json_error_t error;
    json_t *request = read_json(line, length, &error);
    json_t *id = json_object_get(request, "id");
    json_t *reply = json_is_number(id) ? answer(store, request, running) : NULL;
    if (reply == NULL)
        fprintf(stderr, "adapter: %s\n", request ? "request without an id, or unknown request" : error.text);
    else
        json_object_set_new(reply, "id", json_integer((json_int_t)json_number_value(id)));
    json_decref(request);
    return reply;
}

static void write_line(const json_t *reply)
{
    char *text = json_dumps(reply, JSON_COMPACT);
    puts(text);
    // The runner waits for the response, so it must not stay in a buffer.
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
        json_t *reply = reply_to(store, line, (size_t)length, &running);
        understood = reply != NULL;
        if (!understood)
            break;
        write_line(reply);
        json_decref(reply);
    }
    free(line);
    store_free(store);
    return understood ? 0 : 1;
}
