// The capability `replicate`: PouchDB's own replicator between a database and a peer of the runner.

import { peerOf } from './peer.mjs';
import { Exchanges } from './exchanges.mjs';
import { Refusal } from './values.mjs';

/** How long a replication may neither request anything nor end; the time limit of the runner is 10 s. */
const limitMilliseconds = 8_000;

/**
 * Runs a session and returns its last turn, as a blocking replicator does: meanwhile the session sends its requests to
 * the runner with `ask`. `run` is the number of the run since the last reset.
 */
export async function replicate({ pouch }, { event: { start } }, { ask, run, PouchDB, progress }) {
  if (start === undefined) throw new Refusal('badRequest', { path: 'event' });
  const exchanges = new Exchanges(ask);
  progress.exchanges = exchanges;
  const peer = await peerOf(PouchDB, exchanges, run, start.remote);
  const [source, target] = start.direction === 'push' ? [pouch, peer.database] : [peer.database, pouch];
  const replication = PouchDB.replicate(source, target, optionsOf(start));
  let isCancelled = false;
  exchanges.onCancel = () => {
    isCancelled = true;
    replication.cancel();
  };
  exchanges.onQuiet = () => replication.cancel();
  // A continuous replication that has nothing to do requests nothing: the session sleeps.
  if (start.continuous) {
    replication.on('paused', () => exchanges.rest());
    replication.on('active', () => exchanges.work());
  }
  const ended = new Promise((resolve) => {
    replication.on('complete', () => resolve({ state: 'complete' }));
    replication.on('error', (error) => resolve({ state: 'error', message: messageOf(error) }));
  });
  const hung = exchanges.whenIdle(limitMilliseconds).then(() => {
    if (!isCancelled) replication.cancel();
    return { state: 'error', message: `PouchDB requested nothing for ${limitMilliseconds} ms` };
  });
  let end;
  try {
    end = await Promise.race([ended, hung, exchanges.failed, progress.failure]);
  } finally {
    await exchanges.close();
    peer.close();
  }
  return { requests: [], ...(isCancelled ? { state: 'stopped' } : end) };
}

/** Returns the options of PouchDB for a session. */
function optionsOf({ filter = {}, continuous = false, batch }) {
  const { documentIDs, bodyFieldEquals, live, selector } = filter;
  return {
    live: continuous,
    retry: false,
    ...(batch !== undefined && { batch_size: batch }),
    ...(documentIDs && { doc_ids: documentIDs }),
    ...(selector && { selector }),
    ...(live && { filter: (document) => !document._deleted }),
    ...(bodyFieldEquals && { filter: fieldFilter(bodyFieldEquals) }),
  };
}

/** Returns a filter function. Its text is part of the id of a replication, so the text contains the arguments. */
function fieldFilter({ field, value }) {
  const [name, expected] = [field, value].map((each) => JSON.stringify(each));
  const same = 'const same = (a, b) => a === b || (typeof a === "object" && typeof b === "object" && a && b'
    + ' && Array.isArray(a) === Array.isArray(b) && Object.keys(a).length === Object.keys(b).length'
    + ' && Object.keys(a).every((k) => Object.hasOwn(b, k) && same(a[k], b[k])));';
  return new Function('document', `${same} return Object.hasOwn(document, ${name}) && same(document[${name}], ${expected});`);
}

const messageOf = (error) => String(error?.reason ?? error?.message ?? JSON.stringify(error)) || 'unknown';
