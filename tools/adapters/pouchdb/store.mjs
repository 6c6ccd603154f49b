import { readAttachment } from './attachments.mjs';
import { compact, historyLimit, purge, resolve } from './capabilities.mjs';
import { changes, create, info, leaves, list, read, readLocal, remove, update, writeLocal } from './documents.mjs';
import { createIndex, dropIndex, explain, find, listIndexes } from './finding.mjs';
import { replicate } from './replicating.mjs';
import { getRevisions, insertRevisions, revsDiff } from './revisions.mjs';
import { Refusal, exceptionOutcome, outcomeOf, within } from './values.mjs';

const operations = new Map(
  Object.entries({
    info, create, update, delete: remove, read, list, leaves, changes, readLocal, writeLocal,
    revsDiff, getRevisions, insertRevisions, replicate, readAttachment,
    resolve, compact, purge, historyLimit, find, explain, createIndex, dropIndex, listIndexes,
  }),
);

/** The operations of each capability that has operations. */
const needs = new Map(
  Object.entries({
    resolve: 'resolve', compact: 'compact', purge: 'purge', historyLimit: 'historyLimit', replicate: 'replicate',
    readAttachment: 'attachment',
    find: 'find', explain: 'find', createIndex: 'find', dropIndex: 'find', listIndexes: 'find',
  }),
);

/** The time limit of an operation; that of the runner is 10 s. */
const limitMilliseconds = 8_000;

/** How long an operation waits for further errors after one outside of PouchDB's promises. */
const furtherMilliseconds = 20;

/** Returns a database of PouchDB that waits before each call except the first, so that other connections go first. */
function controlled(pouch, pass) {
  let isFirst = true;
  const call = async (name, values) => {
    if (!isFirst) await pass(`before the call of ${name}`);
    isFirst = false;
    return pouch[name](...values);
  };
  return new Proxy(pouch, {
    get: (_, name) => (typeof pouch[name] === 'function' ? (...values) => call(name, values) : pouch[name]),
  });
}

/** Databases of PouchDB by their names in the contract. */
export class Store {
  #installation;
  #databases = new Map();
  #inProgress = new Set();
  #forgotten = new WeakSet();
  /** Part of the names of databases: another one after a reset that could not remove all. */
  #era = 0;
  #runs = 0;

  constructor(installation) {
    this.#installation = installation;
  }

  /**
   * Performs an operation and returns its outcome. `ask` sends a request to the runner. With `pass` the operation
   * waits between its calls of PouchDB until the runner lets it go on.
   */
  async perform(operation, ask, pass) {
    const progress = {};
    progress.failure = new Promise((_, reject) => (progress.fail = reject));
    progress.failure.catch(() => {});
    this.#inProgress.add(progress);
    const result = this.#dispatch(operation, { ask, pass, progress });
    result.catch(() => {});
    const isSession = operation.op === 'replicate';
    // With `pass` the runner decides how long an operation takes.
    const limited = () => (pass === undefined ? within(limitMilliseconds, result, operation.op) : result);
    try {
      // A session ends itself: the runner has to respond to its last request before.
      const end = isSession ? result : Promise.race([limited(), progress.failure]);
      return { ok: await end };
    } catch (error) {
      return error.outcome ?? (error.isException ? exceptionOutcome(error) : outcomeOf(error));
    } finally {
      this.#inProgress.delete(progress);
    }
  }

  /**
   * Fails the operations in progress, because PouchDB did not handle an error. A session that waits for the runner is not
   * one of them, unless the error is that of its request.
   */
  fail(error) {
    const stack = String(error?.stack ?? JSON.stringify(error));
    const exception = Object.assign(new Error('PouchDB'), { isException: true, stack });
    if (error?.fail !== undefined) {
      error.fail(exception);
      return;
    }
    // PouchDB may throw again for the same call; a later operation must not get these errors.
    const failed = [...this.#inProgress].filter(({ exchanges }) => !exchanges?.isWaiting);
    setTimeout(() => failed.forEach((progress) => progress.fail(exception)), furtherMilliseconds);
    this.#era++;
  }

  /** True for the outcome of a session that was in progress at a reset: the runner expects no response. */
  isForgotten(outcome) {
    return this.#forgotten.has(outcome);
  }

  /** Removes all databases. Sessions in progress end without a response. */
  async reset() {
    for (const { fail } of this.#inProgress) {
      const outcome = { error: { kind: 'badRequest', path: 'reset' } };
      this.#forgotten.add(outcome);
      fail(Object.assign(new Error('reset'), { outcome }));
    }
    this.#runs++;
    const databases = [...this.#databases.values()];
    this.#databases.clear();
    const removed = databases.map((database) => this.#remove(database));
    const failed = (await Promise.allSettled(removed)).filter(({ status }) => status === 'rejected');
    if (failed.length > 0) this.#era++;
    for (const { reason } of failed) console.error(`adapter: a database was not removed: ${reason.message}`);
  }

  async #dispatch(operation, { ask, pass, progress }) {
    const { op, store: name } = operation;
    if (op === 'open') return this.#open(name, operation);
    if (op === 'close' || op === 'destroy') return this.#close(name, op === 'destroy');
    const perform = operations.get(op);
    const isOffered = !needs.has(op) || this.#installation.about.capabilities.includes(needs.get(op));
    if (perform === undefined || !isOffered) throw new Refusal('unsupported', { what: op });
    const database = this.#databases.get(name);
    if (database?.pouch === undefined) throw new Refusal('noSuchStore');
    // `historyLimit` replaces the database of PouchDB.
    const used = pass === undefined || op === 'historyLimit' ? database : { pouch: controlled(database.pouch, pass) };
    return perform(used, operation, { ask, run: this.#runs, PouchDB: this.#installation.PouchDB, progress });
  }

  /** Opens a database. The name is checked here, because the database has a prefix and PouchDB does not see it. */
  async #open(name, { revisionIDs, collation }) {
    if (!/^[a-z][a-z0-9_$()+/-]*$/.test(name)) throw new Refusal('badName');
    const { isRemote, create } = this.#installation;
    const choice = isRemote ? { revisionIDs: 'couchdb', collation: 'couchdb' } : { revisionIDs: 'own', collation: 'bytes' };
    if ((revisionIDs ?? choice.revisionIDs) !== choice.revisionIDs) throw new Refusal('unsupported', { what: revisionIDs });
    if ((collation ?? choice.collation) !== choice.collation) throw new Refusal('unsupported', { what: collation });
    let database = this.#databases.get(name);
    if (database === undefined) {
      // The identity of a database on a server is its name, so each creation has another one.
      const label = isRemote ? `${Date.now()}-` : '';
      const own = `${this.#era}-${label}${name}`;
      database = { isRemote, create: (options) => create(isRemote ? own : encodeURIComponent(own), options), options: {} };
      this.#databases.set(name, database);
    }
    database.pouch ??= database.create(database.options);
    await database.pouch.info();
    return {};
  }

  async #close(name, isRemoved) {
    const database = this.#databases.get(name);
    if (database === undefined) return {};
    if (isRemoved) {
      this.#databases.delete(name);
      await this.#remove(database);
    } else if (database.pouch !== undefined) {
      const { pouch } = database;
      database.pouch = undefined;
      await pouch.close();
    }
    return {};
  }

  #remove(database) {
    const pouch = database.pouch ?? database.create({});
    return within(2_000, pouch.destroy(), 'destroy');
  }
}
