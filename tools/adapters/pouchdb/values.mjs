// Errors and documents of PouchDB, and those of the contract.

/** A refused operation. `outcome` has the reason. */
export class Refusal extends Error {
  constructor(kind, fields = {}) {
    super(kind);
    this.outcome = { error: { kind, ...fields } };
  }
}

/**
 * Returns the outcome that an error of PouchDB stands for. An error of another kind is no outcome of the contract:
 * the runner reports it as an invalid response, with the message.
 */
export function outcomeOf(error) {
  if (error instanceof Refusal) return error.outcome;
  const { status, name = '', message = '', reason } = error ?? {};
  const texts = [name, message, typeof reason === 'string' ? reason : ''].join(' ');
  const refused = (kind, fields) => ({ error: { kind, ...fields, message: `${status} ${texts}`.trim() } });
  if (status === 404) return refused('notFound', { reason: reason === 'deleted' ? 'deleted' : 'missing' });
  if (status === 409) return refused('conflict');
  if (status === 401 || status === 403) return refused('forbidden');
  if (status === 413) return refused('tooLarge');
  if (/missing_stub/.test(texts) || /attachment stub/.test(message)) return refused('missingStub');
  if (/missing_id|illegal_docid|reserved document ids|_id field must contain|_id is required/i.test(texts)) {
    return refused('badID');
  }
  if (/invalid rev|rev format/i.test(texts)) return refused('badRevision');
  if (/doc_validation|must be a JSON object/.test(texts)) return refused('badBody');
  if (/no_usable_index|Cannot sort on field/.test(texts)) return refused('unsupported', { what: 'sort' });
  if (/not_a_base64|badarg|attachment/i.test(texts)) return refused('badAttachment');
  return exceptionOutcome(error);
}

/** Returns the invalid response for an error that no error of the contract describes. */
export const exceptionOutcome = (error) => ({
  error: { kind: 'exceptionOfPouchDB', message: String(error?.stack ?? JSON.stringify(error)) },
});

/** The members of a document that are arguments of PouchDB's functions, so that no body can have them. */
const arguments_ = new Set(['_id', '_rev', '_revisions', '_deleted', '_attachments']);

/** Returns a document of PouchDB with a body. A body that cannot be one is refused. */
export function documentOf(body, members) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal('badBody');
  if (Object.keys(body).some((name) => arguments_.has(name))) throw new Refusal('badBody');
  return { ...body, ...members };
}

/** Returns the body of a document of PouchDB. */
export function bodyOf(document) {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !arguments_.has(name)));
}

export const generationOf = (rev) => Number.parseInt(rev, 10);

export const suffixOf = (rev) => rev.slice(rev.indexOf('-') + 1);

/** Returns the `_revisions` of a path, newest first. It can only name generations that decrease by one. */
export function revisionsOf(path) {
  if (path.length === 0) throw new Refusal('badRevision');
  const start = generationOf(path[0]);
  const isPath = path.every((rev, place) => place === 0 || rev === `${start - place}-${suffixOf(rev)}`);
  if (!isPath) throw new Refusal('badRevision');
  return { start, ids: path.map(suffixOf) };
}

export const pathOf = ({ start, ids }) => ids.map((suffix, place) => `${start - place}-${suffix}`);

/** Resolves as the promise does, and rejects with an error after a time. */
export function within(milliseconds, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`PouchDB did not finish ${what} within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
