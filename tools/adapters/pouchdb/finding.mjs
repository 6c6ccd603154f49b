// `find` and its indexes, as pouchdb-find offers them.

import { Refusal, bodyOf } from './values.mjs';

/** Returns the arguments of a search that were given. The id and the revision are always requested. */
function request({ selector, sort, skip, limit, fields }) {
  const all = { selector, sort, skip, limit, fields: fields && ['_id', '_rev', ...fields] };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export async function find({ pouch }, operation) {
  const { docs } = await pouch.find(request(operation)).catch(refuse);
  return { docs: docs.map((document) => ({ id: document._id, rev: document._rev, body: bodyOf(document) })) };
}

export async function explain({ pouch }, operation) {
  const { index } = await pouch.explain(request(operation)).catch(refuse);
  return { index: index.type === 'special' ? null : index.name };
}

/** Translates an error of a search. PouchDB names neither the operator nor the path that it rejects. */
function refuse(error) {
  if (error?.status === 400 || /selector|operator/i.test(error?.message ?? '')) {
    throw new Refusal('badRequest', { path: 'selector', message: String(error.reason ?? error.message) });
  }
  throw error;
}

export async function createIndex({ pouch }, { name, type = 'json', fields }) {
  if (type !== 'json') throw new Refusal('unsupported', { what: type });
  const { result } = await pouch.createIndex({ index: { name, ddoc: name, fields } });
  return { created: result === 'created' };
}

export async function dropIndex({ pouch }, { name }) {
  const index = (await pouch.getIndexes()).indexes.find((each) => each.name === name && each.ddoc !== null);
  if (index === undefined) throw new Refusal('notFound', { reason: 'missing' });
  await pouch.deleteIndex(index);
  return {};
}

export async function listIndexes({ pouch }) {
  const { indexes } = await pouch.getIndexes();
  const own = indexes.filter(({ ddoc }) => ddoc !== null);
  const described = own.map(({ name, type, def }) => ({ name, type, fields: def.fields.map((field) => Object.keys(field)[0]) }));
  return { indexes: described.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))) };
}
