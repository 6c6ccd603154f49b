// The operations of the core: edit, read, list, changes and local documents.

import { freshName } from './database.mjs';
import { Refusal, checkBody, checkID, checkLocalID, checkLimit, checkRevision, compareTexts } from './values.mjs';

export function info(database) {
  const documents = [...database.documents.values()];
  const deletedDocuments = documents.filter((document) => document.isDeleted).length;
  return {
    documents: documents.length - deletedDocuments,
    deletedDocuments,
    last: database.sequence(database.last),
    incarnation: database.incarnation,
  };
}

// Edits

export function create(database, { id = freshName(), body }) {
  checkID(id);
  checkBody(body);
  const document = database.documents.get(id);
  if (document !== undefined && !document.isDeleted) throw new Refusal('conflict');
  return { id, rev: database.edit(id, document?.winner, false, body) };
}

export const update = (database, { id, rev, body }) => editLeaf(database, id, rev, false, body);

export const remove = (database, { id, rev, body = {} }) => editLeaf(database, id, rev, true, body);

function editLeaf(database, id, parent, deleted, body) {
  checkID(id);
  checkRevision(parent);
  checkBody(body);
  if (!database.document(id).leaves.includes(parent)) throw new Refusal('conflict');
  return { id, rev: database.edit(id, parent, deleted, body) };
}

// Reading

export function read(database, { id, rev }) {
  checkID(id);
  if (rev !== undefined) checkRevision(rev);
  const document = database.document(id);
  if (rev === undefined && document.isDeleted) throw new Refusal('notFound', { reason: 'deleted' });
  const revision = document.get(rev ?? document.winner);
  if (revision === undefined) throw new Refusal('notFound', { reason: 'missing' });
  if (revision.body === undefined) throw new Refusal('notFound', { reason: 'bodyMissing' });
  return { id, rev: rev ?? document.winner, deleted: revision.deleted, body: revision.body };
}

export function list(database, { from, limit, descending = false }) {
  if (limit !== undefined) checkLimit(limit, 0);
  const order = descending ? (a, b) => compareTexts(b, a) : compareTexts;
  const ids = [...database.documents.keys()]
    .filter((id) => !database.document(id).isDeleted && (from === undefined || order(id, from) >= 0))
    .sort(order)
    .slice(0, limit);
  return { rows: ids.map((id) => ({ id, rev: database.document(id).winner })) };
}

const leafRows = (document) => document.leaves.map((rev) => ({ rev, deleted: document.get(rev).deleted }));

export const leaves = (database, { id }) => ({ leaves: leafRows(database.document(checkID(id))) });

export function changes(database, { since, limit }) {
  if (limit !== undefined) checkLimit(limit, 0);
  const position = since === undefined ? 0 : database.position(since);
  const changed = [...database.documents]
    .filter(([, document]) => document.sequence > position)
    .sort(([, a], [, b]) => a.sequence - b.sequence);
  const shown = changed.slice(0, limit);
  const more = shown.length < changed.length;
  const [, lastShown] = shown.at(-1) ?? [];
  const rows = shown.map(([id, document]) => ({
    seq: database.sequence(document.sequence),
    id,
    deleted: document.isDeleted,
    leaves: leafRows(document),
  }));
  return { rows, last: database.sequence(more ? lastShown?.sequence ?? position : database.last), more };
}

// Local documents

export function readLocal(database, { id }) {
  const body = database.locals.get(checkLocalID(id));
  if (body === undefined) throw new Refusal('notFound', { reason: 'missing' });
  return { body };
}

export function writeLocal(database, { id, body }) {
  checkLocalID(id);
  if (body === null) database.locals.delete(id);
  else database.locals.set(id, checkBody(body));
  return {};
}
