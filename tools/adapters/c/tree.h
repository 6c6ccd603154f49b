// One document: its revisions as one tree, or as several trees that a later merge may join.

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
    struct revision *parent;  // NULL: a root, or unknown
    size_t children;
    enum state state;
    json_t *body;  // NULL: known without a body, or compacted
    bool marked;   // temporary, within one function
};

struct revisions {
    struct revision **items;
    size_t count, room;
};

struct document {
    json_t *id;
    struct revisions all;     // by generation, then by the bytes of the suffix
    struct revisions leaves;  // deleted before live, then as above: the winner is last
    uint64_t sequence;        // of the latest change
    struct document *older, *newer;
    bool changed;             // by the current operation
    struct document *before;  // the state before it, if there is a history limit
};

struct document *document_new(json_t *id);
struct document *document_copy(const struct document *document);
void document_free(struct document *document);

// True if two states of one document have the same revisions with the same parents and bodies.
bool same_documents(const struct document *a, const struct document *b);

// Returns the revision with a name, or NULL.
struct revision *document_find(const struct document *document, const json_t *name);

struct revision *winner(const struct document *document);
size_t live_leaves(const struct document *document);
bool is_live_leaf(const struct revision *revision);

// Adds the new parts of a record, and never replaces known ones. Returns true if the document changed.
bool document_merge(struct document *document, const json_t *path, enum state state, json_t *body);

// Removes a leaf and those of its ancestors that are not ancestors of another leaf.
void document_remove(struct document *document, struct revision *leaf);

// Removes revisions that are `limit` steps or more above every leaf.
void document_cut(struct document *document, uint64_t limit);

// Drops the bodies of all revisions that are not leaves.
void document_compact(struct document *document);

// Returns a revision and its ancestors, newest first, at most `limit`; 0 means all.
json_t *revision_path(const struct revision *revision, uint64_t limit);

bool descends(const struct revision *revision, const struct revision *ancestor);

#endif
