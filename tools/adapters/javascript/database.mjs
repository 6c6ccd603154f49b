import { randomBytes } from 'node:crypto';

import { Document } from './document.mjs';
import { readSelector, selects } from './selectors.mjs';
import { Refusal, generationOf, sameValue } from './values.mjs';

/** Returns a name that is unique across processes. */
export const freshName = () => randomBytes(16).toString('hex');

/** One named store from its creation to its destruction. */
export class Database {
  incarnation = freshName();
  documents = new Map();
  locals = new Map();
  indexes = new Map();
  last = 0;
  historyLimit = Infinity;
  refused = null;

  /** Returns the document with an id. */
  document(id) {
    const document = this.documents.get(id);
    if (document === undefined) throw new Refusal('notFound', { reason: 'missing' });
    return document;
  }

  // Sequences

  /** Returns the text of a sequence. It names the incarnation to which the sequence belongs. */
  sequence(number) {
    return `${this.incarnation}-${number}`;
  }

  /** Returns the number of a sequence of this incarnation. */
  position(sequence) {
    const number = typeof sequence === 'string' ? Number(sequence.slice(sequence.indexOf('-') + 1)) : NaN;
    // A sequence is valid only in the encoding in which it was returned.
    if (sequence !== this.sequence(number) || !(number >= 0 && number <= this.last)) throw new Refusal('badSequence');
    return number;
  }

  // Changes

  /** Refuses a revision that the validation describes, unless it is already stored. */
  checkAllowed(id, deleted, body, held = false) {
    if (this.refused !== null && !held && describes(this.refused, id, deleted, body)) throw new Refusal('forbidden');
  }

  /** Adds a child of a leaf, or a root without a parent. Returns its id. */
  edit(id, parent, deleted, body) {
    this.checkAllowed(id, deleted, body);
    const generation = parent === undefined ? 1 : generationOf(parent) + 1;
    if (generation > Number.MAX_SAFE_INTEGER) throw new Refusal('badRevision');
    const rev = `${generation}-${freshName()}`;
    const document = this.documents.get(id) ?? Document.none;
    this.replace(id, document.merged(parent === undefined ? [rev] : [rev, parent], deleted, body));
    return rev;
  }

  /** Replaces a document. Applies the history limit, and gives the document the next sequence if it changed. */
  replace(id, document) {
    const before = this.documents.get(id) ?? Document.none;
    if (document === before) return;
    const after = document.cut(this.historyLimit);
    // A revision that the limit removes at once is not a change.
    if (after.equals(before)) return;
    this.last += 1;
    if (after.isEmpty) this.documents.delete(id);
    else this.documents.set(id, after.at(this.last));
  }

  /** Calls a function and returns its result. Undoes all changes if it throws. */
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

/** True if a filter describes a revision. */
function describes({ documentIDs, bodyFieldEquals, selector }, id, deleted, body) {
  if (documentIDs !== undefined) return documentIDs.includes(id);
  if (selector !== undefined) return selects(readSelector(selector), { ...body, _id: id });
  if (bodyFieldEquals === undefined) return !deleted;
  const { field, value } = bodyFieldEquals;
  return Object.hasOwn(body, field) && sameValue(body[field], value);
}
