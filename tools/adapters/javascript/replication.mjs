// The operations of replicators: revsDiff, getRevisions and insertRevisions.

import { Document } from './document.mjs';
import { Refusal, checkBody, checkID, checkList, checkPath, checkRevisions, generationOf } from './values.mjs';

export function revsDiff(database, { revs: questions }) {
  const results = checkList(questions, 'revs').map(({ id, revs }) => {
    const document = database.documents.get(checkID(id)) ?? Document.none;
    const missing = [...new Set(checkRevisions(revs))].filter((rev) => !document.has(rev));
    const highest = missing.map(generationOf).reduce((a, b) => Math.max(a, b), 0);
    const possibleAncestors = document.leaves.filter((leaf) => generationOf(leaf) < highest);
    return { id, missing, possibleAncestors };
  });
  return { results: results.filter(({ missing }) => missing.length > 0) };
}

// getRevisions

export function getRevisions(database, { docs }) {
  const results = checkList(docs, 'docs').flatMap(({ id, revs, latest = false }) => {
    const document = database.documents.get(checkID(id)) ?? Document.none;
    return checkRevisions(revs).map((rev) => ({ id, rev, ...found(database, document, id, rev, latest) }));
  });
  return { results };
}

function found(database, document, id, rev, latest) {
  if (!document.has(rev)) return { missing: 'missing' };
  if (!latest && document.get(rev).body === undefined) return { missing: 'bodyMissing' };
  const wanted = latest ? document.leaves.filter((leaf) => document.path(leaf).includes(rev)) : [rev];
  return { records: wanted.map((name) => record(database, document, id, name)) };
}

function record(database, document, id, rev) {
  const { deleted, body } = document.get(rev);
  return { id, path: document.path(rev, database.historyLimit), ...(deleted && { deleted }), body };
}

// insertRevisions

export function insertRevisions(database, { records }) {
  // The history limit applies, and rows move, only after all records of the call are merged.
  const merged = new Map();
  const results = checkList(records, 'records').map((record) => {
    try {
      insert(database, record, merged);
      return { ok: {} };
    } catch (error) {
      if (error instanceof Refusal) return error.outcome;
      throw error;
    }
  });
  for (const [id, document] of merged) database.replace(id, document);
  return { results };
}

function insert(database, { id, path, deleted = false, body }, merged) {
  checkID(id);
  checkPath(path);
  checkBody(body);
  const document = merged.get(id) ?? database.documents.get(id) ?? Document.none;
  database.checkAllowed(id, deleted, body, document.get(path[0])?.body !== undefined);
  merged.set(id, document.merged(path, deleted, body));
}
