import { randomBytes } from 'node:crypto';

import { Document } from './document.mjs';
import { readSelector, selects } from './selectors.mjs';
import { Refusal, generationOf, sameValue } from './values.mjs';

/** A name that nobody else makes. */
export const freshName = () => randomBytes(16).toString('hex');

/** One named store from its creation to its destruction: its documents, and the ways in which they change. */
export class Database {
  incarnation = freshName();
  documents = new Map();
  locals = new Map();
  indexes = new Map();
  last = 0;
  historyLimit = Infinity;
  refused = null;

  /** A document that is here. */
  document(id) {
    const document = this.documents.get(id);
    if (document === undefined) throw new Refusal('notFound', { reason: 'missing' });
    return document;
  }

  // Sequences

  /** A sequence as it is handed out: it names the incarnation that it belongs to. */
  sequence(number) {
    return `${this.incarnation}-${number}`;
  }

  /** What a sequence stands for, if it is one of this incarnation. */
  position(sequence) {
    const number = typeof sequence === 'string' ? Number(sequence.slice(sequence.indexOf('-') + 1)) : NaN;
    // A sequence that is spelled in any other way than it was handed out is none.
    if (sequence !== this.sequence(number) || !(number >= 0 && number <= this.last)) throw new Refusal('badSequence');
    return number;
  }

  // Changes

  /** Refuses a revision that the validation describes, unless it is held already. */
  checkAllowed(id, deleted, body, held = false) {
    if (this.refused !== null && !held && describes(this.refused, id, deleted, body)) throw new Refusal('forbidden');
  }

  /** Makes a child of a leaf, or a first revision without one, and returns its id. */
  edit(id, parent, deleted, body) {
    this.checkAllowed(id, deleted, body);
    const generation = parent === undefined ? 1 : generationOf(parent) + 1;
    if (generation > Number.MAX_SAFE_INTEGER) throw new Refusal('badRevision');
    const rev = `${generation}-${freshName()}`;
    const document = this.documents.get(id) ?? Document.none;
    this.replace(id, document.merged(parent === undefined ? [rev] : [rev, parent], deleted, body));
    return rev;
  }

  /** Puts what became of a document in its place, with its history cut, and moves its row. */
  replace(id, document) {
    const before = this.documents.get(id) ?? Document.none;
    if (document === before) return;
    const after = document.cut(this.historyLimit);
    // What the limit cuts off again at once was no change.
    if (after.equals(before)) return;
    this.last += 1;
    if (after.isEmpty) this.documents.delete(id);
    else this.documents.set(id, after.at(this.last));
  }

  /** Does something wholly or not at all, and returns what it returns. */
  attempt(deed) {
    const before = { documents: new Map(this.documents), locals: new Map(this.locals), last: this.last };
    try {
      return deed();
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }
}

/** Whether a filter describes a revision. */
function describes({ documentIDs, bodyFieldEquals, selector }, id, deleted, body) {
  if (documentIDs !== undefined) return documentIDs.includes(id);
  if (selector !== undefined) return selects(readSelector(selector), { ...body, _id: id });
  if (bodyFieldEquals === undefined) return !deleted;
  const { field, value } = bodyFieldEquals;
  return Object.hasOwn(body, field) && sameValue(body[field], value);
}
