// An adapter without a store. It responds to every request except `hello` with an empty result. A run with it
// measures the time of the runner and of the pipes.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] = "\"ok\":{\"protocol\":1,\"name\":\"echo\",\"version\":\"1.0\","
                            "\"language\":\"C11\",\"pipelining\":true}";

struct request {
    const char *id, *end;  // the digits
    bool hello, bye;
};

// Finds `id`, `hello` and `bye` in a request, in any order. Only names at depth 1 count, because an operation
// may contain an `id` too.
static struct request scan(const char *at, const char *end)
{
    struct request request = {.id = "0", .end = "0"};
    int depth = 0;
    for (; at < end; at++) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (*at != '"')
            continue;
        const char *text = ++at;
        while (at < end && *at != '"')
            at += *at == '\\' ? 2 : 1;
        if (depth != 1 || at + 1 >= end || at[1] != ':')
            continue;
        request.hello |= strncmp(text, "hello\"", 6) == 0;
        request.bye |= strncmp(text, "bye\"", 4) == 0;
        if (strncmp(text, "id\"", 3) == 0) {
            request.id = at + 2 + strspn(at + 2, " ");
            request.end = request.id + strspn(request.id, "0123456789");
        }
    }
    return request;
}

int main(void)
{
    size_t room = 1 << 16, filled = 0;
    char *buffer = malloc(room);
    bool running = buffer != NULL;
    while (running) {
        if (filled + 1 == room && (buffer = realloc(buffer, room *= 2)) == NULL)
            return 1;
        ssize_t count = read(STDIN_FILENO, buffer + filled, room - filled - 1);
        if (count <= 0)
            break;
        char *line = buffer, *searched = buffer + filled, *end;
        filled += (size_t)count;
        buffer[filled] = 0;
        while ((end = memchr(searched, '\n', (size_t)(buffer + filled - searched))) != NULL) {
            struct request request = scan(line, end);
            int digits = (int)(request.end - request.id);
            printf("{\"id\":%.*s,%s}\n", digits, request.id, request.hello ? about : "\"ok\":{}");
            running &= !request.bye;
            line = searched = end + 1;
        }
        // One write for all requests of one read.
        fflush(stdout);
        filled -= (size_t)(line - buffer);
        memmove(buffer, line, filled);
    }
    free(buffer);
    return 0;
}
