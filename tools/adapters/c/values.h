// Names and JSON values: validity, equality and order.
//
// A text is a string of jansson with its length, because a revision id or a body may contain NUL.

#ifndef VALUES_H
#define VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

// The largest depth of a body; {} has depth 1.
#define LARGEST_DEPTH 256

// The largest generation, 2^53 - 1.
#define LARGEST_GENERATION UINT64_C(9007199254740991)

// True if a value, which may be NULL or of any type, is a valid name, id or body.
bool is_store_name(const json_t *value);
bool is_id(const json_t *value);
bool is_local_id(const json_t *value);
bool is_body(const json_t *value);
bool is_path(const json_t *value);

// True if a value is a list of revision ids.
bool are_revisions(const json_t *value);

// Returns the generation of a revision id, and 0 for any other value.
uint64_t generation_of(const json_t *value);

// Compares the bytes of two texts. A prefix is less than its extension.
int compare_texts(const json_t *a, const json_t *b);

// True if two JSON values are equal. `json_equal` distinguishes 1 and 1.0; the rules of bodies do not.
bool same_value(const json_t *a, const json_t *b);

// Outcomes. They steal the references to `result` and `value`.
json_t *success(json_t *result);
json_t *refusal(const char *kind);

// Returns the error of a value that is not a body, or of a body that is too deep.
json_t *body_refusal(const json_t *value);
json_t *refusal_with(const char *kind, const char *field, json_t *value);

// `realloc` that ends the program if there is no memory.
void *reallocate(void *memory, size_t size);

#endif
