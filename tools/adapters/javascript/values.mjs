// Names and JSON values: validity, equality and order.

/** The largest depth of a body; {} has depth 1. */
export const largestDepth = 256;

/** A refused operation. `outcome` has the reason. */
export class Refusal extends Error {
  constructor(kind, fields = {}) {
    super(kind);
    this.outcome = { error: { kind, ...fields } };
  }
}

// Texts

/** True for a text without lone surrogates, which have no encoding in UTF-8. */
export const isText = (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);

/**
 * Compares two texts by their bytes in UTF-8, which is the order of their code points. `<` compares UTF-16
 * units: it sorts the surrogates of U+10000 and above before U+E000 to U+FFFF.
 */
export function compareTexts(a, b) {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** The rank of a UTF-16 unit in the order of code points. */
const rank = (unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

// Names

export const isStoreName = (value) => typeof value === 'string' && /^[a-z][a-z0-9_$()+/-]*$/.test(value);

/** Returns the id of a document, or refuses it. */
export function checkID(value) {
  if (!isText(value) || !/^(?:[^_\0]|_design\/[^\0])[^\0]*$/.test(value)) throw new Refusal('badID');
  return value;
}

/** Returns the id of a local document, which may begin with `_`, or refuses it. */
export function checkLocalID(value) {
  if (!isText(value) || !/^[^\0]+$/.test(value)) throw new Refusal('badID');
  return value;
}

/** Returns a revision id, or refuses it. */
export function checkRevision(value) {
  const good = isText(value) && /^[1-9][0-9]{0,15}-./s.test(value);
  if (!good || generationOf(value) > Number.MAX_SAFE_INTEGER) throw new Refusal('badRevision');
  return value;
}

/** Returns a list of revision ids, or refuses it. */
export const checkRevisions = (values) => checkList(values, 'revs').map(checkRevision);

/** Returns a path, or refuses it. */
export function checkPath(values) {
  const path = checkList(values, 'path').map(checkRevision);
  const falls = path.every((rev, i) => generationOf(rev) === generationOf(path[0]) - i);
  if (path.length === 0 || !falls) throw new Refusal('badRevision');
  return path;
}

/** Returns the generation of a revision id. The largest one is also the largest safe integer. */
export const generationOf = (rev) => Number(rev.slice(0, rev.indexOf('-')));

/** Compares two revision ids: generations as numbers, then suffixes as bytes. */
export function compareRevisions(a, b) {
  // Ids of one generation begin with the same digits, so their suffixes decide.
  return generationOf(a) - generationOf(b) || compareTexts(a, b);
}

// Values

/** Returns a body, or refuses it. */
export function checkBody(value) {
  if (!isObject(value) || Object.keys(value).some((name) => name.startsWith('_'))) throw new Refusal('badBody');
  const waiting = [[value, 1]];
  while (waiting.length > 0) {
    const [part, depth] = waiting.pop();
    if (typeof part === 'string' && !isText(part)) throw new Refusal('badBody');
    // `JSON.parse` reads 1e999 as an infinity, which JSON cannot encode.
    if (typeof part === 'number' && !Number.isFinite(part)) throw new Refusal('badBody');
    if (typeof part !== 'object' || part === null) continue;
    if (depth > largestDepth) throw new Refusal('tooLarge', { limit: largestDepth });
    if (!Object.keys(part).every(isText)) throw new Refusal('badBody');
    for (const inner of Object.values(part)) waiting.push([inner, depth + 1]);
  }
  return value;
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if two JSON values are equal. */
export function sameValue(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    // A member may have the name of an inherited property.
    names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]))
  );
}

// Arguments

/** Returns a list, or refuses another value. */
export function checkList(value, path) {
  if (!Array.isArray(value)) throw new Refusal('badRequest', { path });
  return value;
}

/** Returns a limit, or refuses one that is too small or not an integer. */
export function checkLimit(value, smallest) {
  if (!Number.isSafeInteger(value) || value < smallest) throw new Refusal('badRequest', { path: 'limit' });
  return value;
}
