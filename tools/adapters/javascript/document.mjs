import { compareRevisions } from './values.mjs';

/**
 * One document: its revisions as a tree, or as several that may grow together.
 *
 * A document is never changed; what changes it makes another one. So whoever holds one has it as it was,
 * to compare it with what came of it, or to take a change back.
 *
 * A revision is `{parent, deleted, body}`. One that is known by name only has neither flag nor body, and
 * one that was compacted has no body.
 */
export class Document {
  static none = new Document(new Map(), 0);

  #revisions;
  #leaves;

  constructor(revisions, sequence) {
    this.#revisions = revisions;
    this.sequence = sequence;
  }

  // What it holds

  get isEmpty() {
    return this.#revisions.size === 0;
  }

  get(rev) {
    return this.#revisions.get(rev);
  }

  /** Whether a revision is here, be it by name only. */
  has(rev) {
    return this.#revisions.has(rev);
  }

  /** The revisions without children, the winner first. */
  get leaves() {
    this.#leaves ??= this.#sortedLeaves();
    return this.#leaves;
  }

  get winner() {
    return this.leaves[0];
  }

  get liveLeaves() {
    return this.leaves.filter((rev) => !this.get(rev).deleted);
  }

  get isDeleted() {
    return this.get(this.winner).deleted;
  }

  #sortedLeaves() {
    const parents = new Set([...this.#revisions.values()].map((revision) => revision.parent));
    const leaves = [...this.#revisions.keys()].filter((rev) => !parents.has(rev));
    return leaves.sort((a, b) => this.get(a).deleted - this.get(b).deleted || compareRevisions(b, a));
  }

  /** A revision and its ancestors, newest first, at most `limit`. */
  path(rev, limit = Infinity) {
    const path = [];
    for (let step = rev; step !== undefined && path.length < limit; step = this.get(step).parent) path.push(step);
    return path;
  }

  /** Whether this document has the same revisions with the same parents and bodies as another one. */
  equals(other) {
    if (this.#revisions.size !== other.#revisions.size) return false;
    for (const [rev, { parent, deleted, body }] of this.#revisions) {
      const its = other.get(rev);
      // A body is never replaced, so the same body is the same object.
      if (its === undefined || its.parent !== parent || its.deleted !== deleted || its.body !== body) return false;
    }
    return true;
  }

  // What becomes of it

  at(sequence) {
    return new Document(this.#revisions, sequence);
  }

  /** With what is new in a record, or this one when nothing is. What is known is never replaced. */
  merged(path, deleted, body) {
    const revisions = new Map(this.#revisions);
    let changed = false;
    const set = (rev, known, news) => {
      revisions.set(rev, { ...known, ...news });
      changed = true;
    };
    const tip = revisions.get(path[0]);
    if (tip?.body === undefined) set(path[0], { deleted, ...tip }, { body });
    for (let i = 1; i < path.length; i++) {
      const child = revisions.get(path[i - 1]);
      // A parent, once known, stays. Then the path may name others that are not known: they stay so.
      if (child === undefined || child.parent !== undefined) continue;
      set(path[i - 1], child, { parent: path[i] });
      if (!revisions.has(path[i])) set(path[i], {}, {});
    }
    return changed ? new Document(revisions, this.sequence) : this;
  }

  /** Without some leaves, and without the ancestors that no other leaf has. */
  without(leaves) {
    const others = this.leaves.filter((leaf) => !leaves.includes(leaf));
    return this.#keeping(new Set(others.flatMap((leaf) => this.path(leaf))));
  }

  /** Without what lies `limit` steps or more above every leaf. */
  cut(limit) {
    return limit === Infinity ? this : this.#keeping(new Set(this.leaves.flatMap((leaf) => this.path(leaf, limit))));
  }

  #keeping(kept) {
    const revisions = new Map();
    for (const rev of kept) {
      const { parent, ...others } = this.get(rev);
      revisions.set(rev, kept.has(parent) ? { parent, ...others } : others);
    }
    return new Document(revisions, this.sequence);
  }

  /** Without the bodies of all revisions that are not leaves. */
  compacted() {
    const revisions = new Map();
    for (const [rev, { body, ...others }] of this.#revisions) {
      revisions.set(rev, this.leaves.includes(rev) ? { body, ...others } : others);
    }
    return new Document(revisions, this.sequence);
  }
}
