// Conflicts, compaction, purge and the history limit.

import { checkID } from './documents.mjs';
import { Refusal, documentOf } from './values.mjs';
import { newAttachments } from './attachments.mjs';

/** Resolves a conflict with one `bulkDocs`, as applications of PouchDB do. This is not atomic. */
export async function resolve({ pouch }, { id, leaves, keep, body, attachments }) {
  if (!leaves.includes(keep)) throw new Refusal('badRequest', { path: 'keep' });
  if (attachments !== undefined && body === undefined) throw new Refusal('badRequest', { path: 'attachments' });
  const found = await pouch.get(checkID(id), { open_revs: 'all' });
  const live = found.filter(({ ok }) => !ok._deleted).map(({ ok }) => ok._rev);
  const given = new Set(leaves);
  if (live.length !== given.size || !live.every((rev) => given.has(rev))) throw new Refusal('conflict');
  const kept = found.find(({ ok }) => ok._rev === keep).ok;
  const inherited = attachments === undefined && kept._attachments ? { _attachments: kept._attachments } : {};
  const members = attachments === undefined ? inherited : await newAttachments(pouch, attachments, id, [keep]);
  const edits = body === undefined ? [] : [documentOf(body, { ...members, _id: id, _rev: keep })];
  const losers = live.filter((rev) => rev !== keep).map((rev) => ({ _id: id, _rev: rev, _deleted: true }));
  const rows = await pouch.bulkDocs([...edits, ...losers]);
  const failed = rows.find((row) => row.error);
  if (failed !== undefined) throw failed;
  const revs = rows.map(({ rev }) => rev);
  return { rev: body === undefined ? keep : revs[0], tombstones: revs.slice(edits.length) };
}

export async function compact({ pouch }) {
  await pouch.compact();
  return {};
}

/** Purges leaf by leaf: PouchDB fails for a revision that is not a leaf. */
export async function purge({ pouch }, { id, revs }) {
  const purged = [];
  for (const rev of revs) {
    const result = await pouch.purge(checkID(id), rev).catch((error) => {
      if (error.status === 404 || /does not exist|not a leaf/.test(error.message ?? error)) return undefined;
      throw error;
    });
    if (result !== undefined) purged.push(rev);
  }
  return { purged };
}

/** Sets `revs_limit`, an option of a database: PouchDB has no call, so the database is opened again. */
export async function historyLimit(database, { limit }) {
  if (limit < 1) throw new Refusal('badRequest', { path: 'limit' });
  await database.pouch.close();
  database.options = { ...database.options, revs_limit: limit };
  database.pouch = database.create(database.options);
  await database.pouch.info();
  return {};
}
