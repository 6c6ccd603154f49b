// Names and JSON values: which are good, which are the same, and which comes first.
//
// A text is a string of jansson, which knows its length: in a revision id or a body there may be a NUL.

#ifndef VALUES_H
#define VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

// The largest depth of a body; {} has depth 1.
#define LARGEST_DEPTH 256

// The largest generation, 2^53 - 1.
#define LARGEST_GENERATION UINT64_C(9007199254740991)

// Whether a value, which may be NULL or of any type, is what the contract calls by that name.
bool is_store_name(const json_t *value);
bool is_id(const json_t *value);
bool is_local_id(const json_t *value);
bool is_body(const json_t *value);
bool is_path(const json_t *value);

// Whether a value is a list of revision ids.
bool are_revisions(const json_t *value);

// The generation of a revision id, and 0 for all that is none.
uint64_t generation_of(const json_t *value);

// The order of the bytes of two texts, a prefix before its extension.
int compare_texts(const json_t *a, const json_t *b);

// Whether two JSON values are the same. For jansson 1 is not 1.0; in the contract it is.
bool same_value(const json_t *a, const json_t *b);

// Outcomes. They take the reference to `result` and `value`.
json_t *success(json_t *result);
json_t *refusal(const char *kind);

// How a value is refused that is no body, or one that is too deep.
json_t *body_refusal(const json_t *value);
json_t *refusal_with(const char *kind, const char *field, json_t *value);

// `realloc` that ends the program when there is no memory.
void *reallocate(void *memory, size_t size);

#endif
