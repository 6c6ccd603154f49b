// One document: its revisions as a tree, or as several that may grow together.

#ifndef TREE_H
#define TREE_H

#include "values.h"

enum state {
    NAMED,  // known only from the path of another revision
    LIVE,
    DELETED,
};

struct revision {
    json_t *name;
    uint64_t generation;
    struct revision *parent;  // NULL: none, or not known
    size_t children;
    enum state state;
    json_t *body;  // NULL: known by name only, or compacted
    bool marked;   // of use within one function
};

struct revisions {
    struct revision **items;
    size_t count, room;
};

struct document {
    json_t *id;
    struct revisions all;     // by generation, then by the bytes of the suffix
    struct revisions leaves;  // live ones behind deleted ones, else as above: the winner is last
    uint64_t sequence;        // of the latest change
    struct document *older, *newer;
    bool changed;             // by the operation in hand
    struct document *before;  // what it was before that, where a history limit asks for it
};

struct document *document_new(json_t *id);
struct document *document_copy(const struct document *document);
void document_free(struct document *document);

// Whether two states of one document hold the same revisions with the same parents and bodies.
bool same_documents(const struct document *a, const struct document *b);

// The revision of a name, or NULL.
struct revision *document_find(const struct document *document, const json_t *name);

struct revision *winner(const struct document *document);
size_t live_leaves(const struct document *document);
bool is_live_leaf(const struct revision *revision);

// Adds what is new in a record, and says whether anything was. What is known is never replaced.
bool document_merge(struct document *document, const json_t *path, enum state state, json_t *body);

// Removes a leaf with the ancestors that no other leaf has.
void document_remove(struct document *document, struct revision *leaf);

// Removes what lies `limit` steps or more above every leaf.
void document_cut(struct document *document, uint64_t limit);

// Drops the bodies of all revisions that are not leaves.
void document_compact(struct document *document);

// A revision and its ancestors, newest first, at most `limit`; 0 means all.
json_t *revision_path(const struct revision *revision, uint64_t limit);

bool descends(const struct revision *revision, const struct revision *ancestor);

#endif
