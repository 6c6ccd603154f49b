// The operations of capabilities, which are optional.

import { create, remove, update, writeLocal } from './documents.mjs';
import { Refusal, checkBody, checkID, checkLimit, checkList, checkRevision, checkRevisions } from './values.mjs';

// Conflicts and batches

export function resolve(database, { id, leaves, keep, body }) {
  checkID(id);
  checkRevision(keep);
  if (body !== undefined) checkBody(body);
  const given = new Set(checkRevisions(leaves));
  if (!given.has(keep)) throw new Refusal('badRequest', { path: 'keep' });
  const live = database.documents.get(id)?.liveLeaves ?? [];
  if (live.length !== given.size || !live.every((leaf) => given.has(leaf))) throw new Refusal('conflict');
  return database.attempt(() => {
    const rev = body === undefined ? keep : database.edit(id, keep, false, body);
    const losers = live.filter((leaf) => leaf !== keep);
    return { rev, tombstones: losers.map((loser) => database.edit(id, loser, true, {})) };
  });
}

const batchOperations = new Map(Object.entries({ create, update, delete: remove, resolve, writeLocal }));

export function batch(database, { writes }) {
  checkList(writes, 'writes');
  return database.attempt(() => ({ results: writes.map((write, place) => batched(database, write, place)) }));
}

function batched(database, write, place) {
  const operation = batchOperations.get(write.op);
  if (operation === undefined) throw new Refusal('badRequest', { path: `writes[${place}].op`, write: place });
  try {
    return operation(database, write);
  } catch (error) {
    if (error instanceof Refusal) error.outcome.error.write = place;
    throw error;
  }
}

// Compaction and purge

export function compact(database) {
  for (const [id, document] of database.documents) database.documents.set(id, document.compacted());
  return {};
}

export function purge(database, { id, revs }) {
  checkID(id);
  checkRevisions(revs);
  const document = database.documents.get(id);
  const purged = document?.leaves.filter((leaf) => revs.includes(leaf)) ?? [];
  if (purged.length > 0) database.replace(id, document.without(purged));
  return { purged };
}

export function historyLimit(database, { limit }) {
  database.historyLimit = checkLimit(limit, 1);
  return {};
}

// Validation and durability

export function setValidation(database, { refuse }) {
  database.refused = refuse;
  return {};
}

/** Does nothing: everything is in memory. */
export const flush = () => ({});
