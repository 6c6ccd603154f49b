// The skeleton of an adapter. Connect your store at the three places marked TO DO; `touchstone doctor`
// names the next step. In Touchstone, Vectors/protocol.md describes the lines and Vectors/README.md the
// operations.

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// TO DO 1: your store. Keep its files in the `folder` of `hello`, which is NULL over a socket.
struct store { json_t *databases; };

// Empties the store, as if it had just been installed.
static void reset(struct store *store)
{
    json_decref(store->databases);
    store->databases = json_object();
}

// TO DO 2: perform one operation. Return `ok` with its result, or `error` with its kind. Texts may have NUL.
static json_t *perform(struct store *store, const json_t *operation)
{
    const char *op = json_string_value(json_object_get(operation, "op"));
    // if (strcmp(op, "open") == 0)
    //     return open_database(store, name);  // which returns json_pack("{s:{}}", "ok")
    // if (json_object_get(store->databases, name) == NULL)
    //     return json_pack("{s:{s:s}}", "error", "kind", "noSuchStore");
    // if (strcmp(op, "create") == 0)
    //     return json_pack("{s:{s:o, s:o}}", "ok", "id", id, "rev", rev);
    return json_pack("{s:{s:s, s:s}}", "error", "kind", "unsupported", "what", op);
}

// TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped.
static json_t *hello(const json_t *runner, bool *running)
{
    const json_t *versions = json_object_get(runner, "protocol");
    *running = json_integer_value(json_object_get(versions, "first")) <= 1
            && json_integer_value(json_object_get(versions, "last")) >= 1;
    if (!*running)
        return json_pack("{s:{s:s}}", "error", "message", "this adapter speaks version 1");
    return json_pack("{s:{s:i, s:s, s:s, s:s, s:[], s:[]}}", "ok",
                     "protocol", 1, "name", "my-store", "version", "0.1", "language", "C11",
                     "capabilities", "profiles");
}

// Returns the response to a request; NULL for an unknown request.
static json_t *answer(struct store *store, const json_t *request, bool *running)
{
    if (json_object_get(request, "perform") != NULL)
        return perform(store, json_object_get(request, "perform"));
    if (json_object_get(request, "hello") != NULL)
        return hello(json_object_get(request, "hello"), running);
    *running = json_object_get(request, "reset") != NULL;
    if (*running) reset(store);
    return *running || json_object_get(request, "bye") != NULL ? json_pack("{s:{}}", "ok") : NULL;
}

int main(void)
{
    struct store store = {json_object()};
    char *line = NULL;
    size_t room = 0;
    bool running = true;
    for (ssize_t length; running && (length = getline(&line, &room, stdin)) > 0;) {
        json_t *request = json_loadb(line, (size_t)length, JSON_ALLOW_NUL, NULL);
        if (request == NULL)  // The line may have an integer outside 64 bits.
            request = json_loadb(line, (size_t)length, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
        json_t *reply = answer(&store, request, &running);
        if (reply == NULL)
            return fputs("adapter: unknown request\n", stderr), 1;
        double id = json_number_value(json_object_get(request, "id"));
        json_object_set_new(reply, "id", json_integer((json_int_t)id));
        char *text = json_dumps(reply, JSON_COMPACT);
        puts(text);
        fflush(stdout);  // The runner waits for the response, so it must not stay in a buffer.
        free(text);
        json_decref(reply);
        json_decref(request);
    }
}
