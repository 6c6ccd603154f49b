import { batch, compact, flush, historyLimit, purge, resolve, setValidation } from './capabilities.mjs';
import { Database } from './database.mjs';
import { changes, create, info, leaves, list, read, readLocal, remove, update, writeLocal } from './documents.mjs';
import { createIndex, dropIndex, explain, find, listIndexes } from './finding.mjs';
import { getRevisions, insertRevisions, revsDiff } from './replication.mjs';
import { Refusal, isStoreName } from './values.mjs';

const operations = new Map(
  Object.entries({
    info, create, update, delete: remove, read, list, leaves, changes, readLocal, writeLocal,
    revsDiff, getRevisions, insertRevisions,
    resolve, compact, purge, historyLimit, batch, setValidation, flush,
    find, explain, createIndex, dropIndex, listIndexes,
  }),
);

/** The little store: any number of named databases in memory. */
export class Store {
  #databases = new Map();
  #open = new Set();

  /** Performs an operation and returns its outcome. Vectors/README.md describes both. */
  perform(operation) {
    try {
      return { ok: this.#dispatch(operation) };
    } catch (error) {
      if (error instanceof Refusal) return error.outcome;
      throw error;
    }
  }

  #dispatch(operation) {
    const { op, store: name } = operation;
    if (op === 'open') return this.#openDatabase(name, operation);
    if (op === 'close' || op === 'destroy') {
      this.#open.delete(name);
      if (op === 'destroy') this.#databases.delete(name);
      return {};
    }
    const perform = operations.get(op);
    if (perform === undefined) throw new Refusal('unsupported', { what: op });
    if (!this.#open.has(name)) throw new Refusal('noSuchStore');
    return perform(this.#databases.get(name), operation);
  }

  #openDatabase(name, { revisionIDs = 'own', collation = 'bytes' }) {
    if (!isStoreName(name)) throw new Refusal('badName');
    // There is one choice of each, so an existing database always has the requested one.
    if (revisionIDs !== 'own') throw new Refusal('unsupported', { what: revisionIDs });
    if (collation !== 'bytes') throw new Refusal('unsupported', { what: collation });
    if (!this.#databases.has(name)) this.#databases.set(name, new Database());
    this.#open.add(name);
    return {};
  }
}
