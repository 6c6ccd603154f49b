// The operations of documents as calls of PouchDB.

import { attachmentsOf, newAttachments } from './attachments.mjs';
import { Refusal, bodyOf, documentOf } from './values.mjs';

export async function info({ pouch }) {
  const { doc_count: documents, doc_del_count: deleted, update_seq: last } = await pouch.info();
  // Only servers count deleted documents.
  const deletedDocuments = deleted ?? (await pouch.changes({ since: 0 })).results.filter((row) => row.deleted).length;
  return { documents, deletedDocuments, last, incarnation: await pouch.id() };
}

// Edits

const written = ({ id, rev }) => ({ id, rev });

export async function create({ pouch }, { id, body, attachments }) {
  const document = documentOf(body, await newAttachments(pouch, attachments));
  return written(await (id === undefined ? pouch.post(document) : pouch.put({ ...document, _id: checkID(id) })));
}

export async function update({ pouch }, { id, rev, body, attachments }) {
  const members = await newAttachments(pouch, attachments, checkID(id), [rev]);
  return written(await pouch.put(documentOf(body, { ...members, _id: id, _rev: rev })));
}

export async function remove({ pouch }, { id, rev, body }) {
  checkID(id);
  if (body === undefined) return written(await pouch.remove(id, rev));
  return written(await pouch.put(documentOf(body, { _id: id, _rev: rev, _deleted: true })));
}

/** Returns the id of a document. PouchDB's functions treat ids with this prefix as those of local documents. */
export function checkID(id) {
  if (id.startsWith('_local/')) throw new Refusal('badID');
  return id;
}

// Reading

export async function read({ pouch }, { id, rev }) {
  const document = await pouch.get(checkID(id), rev === undefined ? {} : { rev });
  return {
    id: document._id,
    rev: document._rev,
    deleted: document._deleted ?? false,
    body: bodyOf(document),
    ...attachmentsOf(document),
  };
}

export async function list({ pouch }, { from, limit, descending }) {
  const options = { startkey: from, limit, descending };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { rows } = await pouch.allDocs(Object.fromEntries(given));
  return { rows: rows.map(({ id, value }) => ({ id, rev: value.rev })) };
}

export async function leaves({ pouch }, { id }) {
  const found = await pouch.get(checkID(id), { open_revs: 'all' });
  const revs = found.map(({ ok, missing }) => ok?._rev ?? missing);
  return { leaves: ordered(found, revs, (await winners(pouch, [id])).get(id)) };
}

/** Returns the winning revisions of documents, also of deleted ones. */
async function winners(pouch, ids) {
  const { rows } = await pouch.allDocs({ keys: ids });
  return new Map(rows.filter(({ value }) => value).map(({ key, value }) => [key, value.rev]));
}

/** Returns leaves with their flags, the winner first: PouchDB lists them in an order of its own. */
function ordered(found, revs, winner) {
  const flags = new Map(found.filter(({ ok }) => ok).map(({ ok }) => [ok._rev, ok._deleted ?? false]));
  const others = revs.filter((rev) => rev !== winner);
  const all = others.length < revs.length ? [winner, ...others] : others;
  return all.map((rev) => ({ rev, deleted: flags.get(rev) ?? false }));
}

export async function changes({ pouch }, { since = 0, limit }) {
  if (limit !== undefined && limit < 0) throw new Refusal('badRequest', { path: 'limit' });
  // One row more than requested tells whether more follow.
  const paged = limit === undefined ? {} : { limit: limit + 1 };
  const { results, last_seq: end } = await pouch.changes({ since, style: 'all_docs', ...paged });
  const more = limit !== undefined && results.length > limit;
  const page = more ? results.slice(0, limit) : results;
  const winner = page.length === 0 ? new Map() : await winners(pouch, page.map(({ id }) => id));
  const rows = [];
  for (const { seq, id, deleted = false, changes: leaf } of page) {
    const revs = leaf.map(({ rev }) => rev);
    const found = await pouch.get(id, { open_revs: revs });
    rows.push({ seq, id, deleted, leaves: ordered(found, revs, winner.get(id)) });
  }
  return { rows, last: more ? (rows.at(-1)?.seq ?? since) : end, more };
}

// Local documents

export async function readLocal({ pouch }, { id }) {
  return { body: bodyOf(await pouch.get(`_local/${id}`)) };
}

/** Writes a local document. Another connection may write it between the calls, then it is read again. */
export async function writeLocal({ pouch }, { id, body }) {
  const _id = `_local/${id}`;
  for (;;) {
    const old = await pouch.get(_id).catch(otherwise(404, undefined));
    if (body === null && old === undefined) return {};
    const result = body === null
      ? pouch.remove(old).catch(otherwise(404, {}))
      : pouch.put(documentOf(body, { _id, ...(old && { _rev: old._rev }) }));
    if (await result.then(() => true, otherwise(409, false))) return {};
  }
}

/** Returns a handler of errors that returns a value for one status. */
const otherwise = (status, value) => (error) => {
  if (error.status === status) return value;
  throw error;
};
