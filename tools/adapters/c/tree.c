#include "tree.h"

#include <stdlib.h>
#include <string.h>

// Ordered lists of revisions

// Two ids of one generation begin with the same digits, so their suffixes decide.
static int by_name(const struct revision *a, const struct revision *b)
{
    if (a->generation != b->generation)
        return a->generation < b->generation ? -1 : 1;
    return compare_texts(a->name, b->name);
}

static int by_rank(const struct revision *a, const struct revision *b)
{
    return a->state != b->state ? (a->state == DELETED ? -1 : 1) : by_name(a, b);
}

typedef int order(const struct revision *, const struct revision *);

// Returns the index of the first revision that is not less than the given one.
static size_t place(const struct revisions *list, order *compare, const struct revision *revision)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(list->items[middle], revision) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct revisions *list, order *compare, struct revision *revision)
{
    if (list->count == list->room) {
        list->room = list->room * 2 + 2;
        list->items = reallocate(list->items, list->room * sizeof *list->items);
    }
    struct revision **here = list->items + place(list, compare, revision);
    memmove(here + 1, here, (size_t)(list->items + list->count - here) * sizeof *here);
    *here = revision;
    list->count++;
}

static void take_out(struct revisions *list, order *compare, const struct revision *revision)
{
    size_t at = place(list, compare, revision);
    if (at == list->count || list->items[at] != revision)
        return;
    list->count--;
    memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof *list->items);
}

// Documents

struct document *document_new(json_t *id)
{
    struct document *document = reallocate(NULL, sizeof *document);
    *document = (struct document){.id = json_incref(id)};
    return document;
}

static void revision_free(struct revision *revision)
{
    json_decref(revision->name);
    json_decref(revision->body);
    free(revision);
}

void document_free(struct document *document)
{
    if (document == NULL)
        return;
    for (size_t i = 0; i < document->all.count; i++)
        revision_free(document->all.items[i]);
    free(document->all.items);
    free(document->leaves.items);
    document_free(document->before);
    json_decref(document->id);
    free(document);
}

struct document *document_copy(const struct document *document)
{
    struct document *copy = document_new(document->id);
    copy->sequence = document->sequence;
    for (size_t i = 0; i < document->all.count; i++) {
        struct revision *revision = reallocate(NULL, sizeof *revision);
        *revision = *document->all.items[i];
        json_incref(revision->name);
        json_incref(revision->body);
        // A parent has a lower generation, so it was copied before.
        if (revision->parent != NULL)
            revision->parent = document_find(copy, revision->parent->name);
        insert(&copy->all, by_name, revision);
        if (revision->children == 0)
            insert(&copy->leaves, by_rank, revision);
    }
    return copy;
}

static bool same_revision(const struct revision *a, const struct revision *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return compare_texts(a->name, b->name) == 0;
}

bool same_documents(const struct document *a, const struct document *b)
{
    if (a->all.count != b->all.count)
        return false;
    for (size_t i = 0; i < a->all.count; i++) {
        const struct revision *one = a->all.items[i], *other = b->all.items[i];
        // A body is never replaced, so equal bodies are the same object.
        if (!same_revision(one, other) || !same_revision(one->parent, other->parent))
            return false;
        if (one->state != other->state || one->body != other->body)
            return false;
    }
    return true;
}

struct revision *document_find(const struct document *document, const json_t *name)
{
    struct revision key = {.name = (json_t *)name, .generation = generation_of(name)};
    size_t at = place(&document->all, by_name, &key);
    bool found = at < document->all.count && by_name(document->all.items[at], &key) == 0;
    return found ? document->all.items[at] : NULL;
}

// Leaves

struct revision *winner(const struct document *document)
{
    return document->leaves.items[document->leaves.count - 1];
}

size_t live_leaves(const struct document *document)
{
    size_t deleted = 0;
    while (deleted < document->leaves.count && document->leaves.items[deleted]->state == DELETED)
        deleted++;
    return document->leaves.count - deleted;
}

bool is_live_leaf(const struct revision *revision)
{
    return revision->children == 0 && revision->state == LIVE;
}

// Changes

static struct revision *add(struct document *document, json_t *name)
{
    struct revision *revision = reallocate(NULL, sizeof *revision);
    *revision = (struct revision){.name = json_incref(name), .generation = generation_of(name)};
    insert(&document->all, by_name, revision);
    return revision;
}

bool document_merge(struct document *document, const json_t *path, enum state state, json_t *body)
{
    bool changed = false;
    json_t *tip = json_array_get(path, 0);
    struct revision *child = document_find(document, tip);
    if (child == NULL) {
        child = add(document, tip);
        child->state = state;
        insert(&document->leaves, by_rank, child);
    }
    if (child->body == NULL) {
        child->body = json_incref(body);
        child->state = child->state == NAMED ? state : child->state;
        changed = true;
    }
    for (size_t i = 1; i < json_array_size(path); i++) {
        json_t *name = json_array_get(path, i);
        struct revision *parent = document_find(document, name);
        // A known parent is never replaced. Other parents that the path names are then not added.
        if (child != NULL && child->parent == NULL) {
            if (parent == NULL)
                parent = add(document, name);
            take_out(&document->leaves, by_rank, parent);
            parent->children++;
            child->parent = parent;
            changed = true;
        }
        child = parent;
    }
    return changed;
}

void document_remove(struct document *document, struct revision *leaf)
{
    take_out(&document->leaves, by_rank, leaf);
    while (leaf != NULL && leaf->children == 0) {
        struct revision *parent = leaf->parent;
        take_out(&document->all, by_name, leaf);
        revision_free(leaf);
        if (parent != NULL)
            parent->children--;
        leaf = parent;
    }
}

void document_cut(struct document *document, uint64_t limit)
{
    struct revisions *all = &document->all;
    for (size_t i = 0; i < all->count; i++)
        all->items[i]->marked = false;
    for (size_t i = 0; i < document->leaves.count; i++) {
        struct revision *kept = document->leaves.items[i];
        for (uint64_t steps = 0; kept != NULL && steps < limit; steps++, kept = kept->parent)
            kept->marked = true;
    }
    for (size_t i = 0; i < all->count; i++) {
        struct revision *parent = all->items[i]->parent;
        if (parent != NULL && !parent->marked)
            all->items[i]->parent = NULL;
        else if (parent != NULL && !all->items[i]->marked)
            parent->children--;
    }
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i]->marked)
            all->items[kept++] = all->items[i];
        else
            revision_free(all->items[i]);
    }
    all->count = kept;
}

void document_compact(struct document *document)
{
    for (size_t i = 0; i < document->all.count; i++) {
        struct revision *revision = document->all.items[i];
        if (revision->children > 0) {
            json_decref(revision->body);
            revision->body = NULL;
        }
    }
}

// Paths

json_t *revision_path(const struct revision *revision, uint64_t limit)
{
    json_t *path = json_array();
    for (; revision != NULL; revision = revision->parent) {
        json_array_append(path, revision->name);
        if (json_array_size(path) == limit)
            break;
    }
    return path;
}

bool descends(const struct revision *revision, const struct revision *ancestor)
{
    while (revision != NULL && revision->generation > ancestor->generation)
        revision = revision->parent;
    return revision == ancestor;
}
