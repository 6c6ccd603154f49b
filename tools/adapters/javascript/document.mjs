import { compareRevisions } from './values.mjs';

/**
 * One document: its revisions as one tree, or as several trees that a later merge may join.
 *
 * A document never changes: each change returns another one. So the old one can be compared with the new one,
 * or restored.
 *
 * A revision is `{parent, deleted, body}`. One that is known only from the path of another one has neither
 * flag nor body, and one that was compacted has no body.
 */
export class Document {
  static none = new Document(new Map(), 0);

  #revisions;
  #leaves;

  constructor(revisions, sequence) {
    this.#revisions = revisions;
    this.sequence = sequence;
  }

  // Reading

  get isEmpty() {
    return this.#revisions.size === 0;
  }

  get(rev) {
    return this.#revisions.get(rev);
  }

  /** True if a revision is known, with or without a body. */
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

  /** True if another document has the same revisions with the same parents and bodies. */
  equals(other) {
    if (this.#revisions.size !== other.#revisions.size) return false;
    for (const [rev, { parent, deleted, body }] of this.#revisions) {
      const its = other.get(rev);
      // A body is never replaced, so equal bodies are the same object.
      if (its === undefined || its.parent !== parent || its.deleted !== deleted || its.body !== body) return false;
    }
    return true;
  }

  // Changes

  at(sequence) {
    return new Document(this.#revisions, sequence);
  }

  /** Adds the new parts of a record, and never replaces known ones. Returns `this` if there are none. */
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
      // A known parent is never replaced. Other parents that the path names are then not added.
      if (child === undefined || child.parent !== undefined) continue;
      set(path[i - 1], child, { parent: path[i] });
      if (!revisions.has(path[i])) set(path[i], {}, {});
    }
    return changed ? new Document(revisions, this.sequence) : this;
  }

  /** Removes some leaves, and the ancestors that no other leaf has. */
  without(leaves) {
    const others = this.leaves.filter((leaf) => !leaves.includes(leaf));
    return this.#keeping(new Set(others.flatMap((leaf) => this.path(leaf))));
  }

  /** Removes revisions that are `limit` steps or more above every leaf. */
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

  /** Drops the bodies of all revisions that are not leaves. */
  compacted() {
    const revisions = new Map();
    for (const [rev, { body, ...others }] of this.#revisions) {
      revisions.set(rev, this.leaves.includes(rev) ? { body, ...others } : others);
    }
    return new Document(revisions, this.sequence);
  }
}
