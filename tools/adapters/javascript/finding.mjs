// The capability `find`. Each query reads all documents. Indexes are stored, but no query uses them.

import { compareForSort } from './conditions.mjs';
import { readPath, readSelector, selects, valueAt } from './selectors.mjs';
import { Refusal, checkList, compareTexts, isObject, sameValue } from './values.mjs';

const badRequest = (path) => new Refusal('badRequest', { path });

// Arguments

/** Returns a list of 1 path or more. */
function readPaths(texts, argument) {
  const paths = checkList(texts, argument).map(readPath);
  if (paths.length === 0) throw badRequest(argument);
  if (paths.includes(undefined)) throw badRequest(`${argument}[${paths.indexOf(undefined)}]`);
  return paths;
}

/** Returns a function that compares two documents by the keys of a sort, and then by their ids. */
function readOrder(sort) {
  const keys = checkList(sort, 'sort').map((key, place) => {
    const [[text, direction] = [], ...others] = isObject(key) ? Object.entries(key) : [];
    const path = readPath(text);
    const isGood = path !== undefined && others.length === 0 && (direction === 'asc' || direction === 'desc');
    if (!isGood) throw badRequest(`sort[${place}]`);
    return { path, sign: direction === 'asc' ? 1 : -1 };
  });
  return (a, b) => {
    for (const { path, sign } of keys) {
      const order = compareForSort(valueAt(a, path), valueAt(b, path));
      if (order !== 0) return sign * order;
    }
    return compareTexts(a._id, b._id);
  };
}

function readCount(value, argument) {
  if (!Number.isInteger(value) || value < 0) throw badRequest(argument);
  return value;
}

function readQuestion({ selector, sort = [], skip = 0, limit, fields }) {
  if (!isObject(selector)) throw badRequest('selector');
  return {
    selector: readSelector(selector),
    order: readOrder(sort),
    begin: readCount(skip, 'skip'),
    end: limit === undefined ? undefined : skip + readCount(limit, 'limit'),
    paths: fields === undefined ? undefined : readPaths(fields, 'fields'),
  };
}

// Queries

export function find(database, operation) {
  const { selector, order, begin, end, paths } = readQuestion(operation);
  const docs = [...database.documents]
    .filter(([, document]) => !document.isDeleted)
    // No member of a body begins with `_`, so these names are free.
    .map(([id, document]) => ({ ...document.get(document.winner).body, _id: id, _rev: document.winner }))
    .filter((object) => selects(selector, object))
    .sort(order)
    .slice(begin, end)
    .map(({ _id: id, _rev: rev, ...body }) => ({ id, rev, body: paths === undefined ? body : cut(body, paths) }))
    .map(({ body = {}, ...others }) => ({ ...others, body }));
  return { docs };
}

/** Returns the parts of a value at some paths; `undefined` if there are none. */
function cut(value, paths) {
  if (paths.some((path) => path.length === 0)) return value;
  if (!isObject(value)) return undefined;
  const kept = Object.keys(value)
    .map((name) => [name, paths.filter(([first]) => first === name).map(([, ...rest]) => rest)])
    .map(([name, rests]) => [name, cut(value[name], rests)])
    .filter(([, part]) => part !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export function explain(database, operation) {
  readQuestion(operation);
  return { index: null, plan: 'all documents, one after the other' };
}

// Indexes

export function createIndex(database, { name, type = 'json', fields }) {
  if (typeof name !== 'string' || name === '') throw badRequest('name');
  const paths = readPaths(fields, 'fields').map((path) => JSON.stringify(path));
  if (new Set(paths).size < paths.length) throw badRequest('fields');
  const index = { name, type, fields };
  const known = database.indexes.get(name);
  if (known !== undefined && !sameValue(known, index)) throw badRequest('name');
  database.indexes.set(name, index);
  return { created: known === undefined };
}

export function dropIndex(database, { name }) {
  if (!database.indexes.delete(name)) throw new Refusal('notFound', { reason: 'missing' });
  return {};
}

export const listIndexes = (database) => ({
  indexes: [...database.indexes.values()].sort((a, b) => compareTexts(a.name, b.name)),
});
