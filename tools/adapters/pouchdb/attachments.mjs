// Attachments of PouchDB, and those of the contract. PouchDB's digests are MD5, so the adapter declares `ownDigests`.

import { createHash } from 'node:crypto';
import { checkID } from './documents.mjs';
import { Refusal } from './values.mjs';

/** Returns the bytes of a content: a `Buffer` in node, a `Blob` in a browser. */
const bytesOf = async (content) => Buffer.from(content instanceof Blob ? await content.arrayBuffer() : content);

/** Returns `attachments` of a document of PouchDB as the member of a result; no member if it has none. */
export function attachmentsOf({ _attachments: all = {} }) {
  const attachments = {};
  for (const [name, { content_type: type, digest: ownDigest, length, revpos, data }] of Object.entries(all)) {
    const form = data === undefined ? { stub: true, length } : { data, length: Buffer.from(data, 'base64').length };
    attachments[name] = { type, ownDigest, revpos, ...form };
  }
  return Object.keys(attachments).length === 0 ? {} : { attachments };
}

/**
 * Returns `_attachments` for a write as the member of a document; no member without attachments. A stub gets the digest
 * that PouchDB has for it, from the newest of `ancestors` that has a body, as an application sends it back. `sent` has
 * the documents that the same call stores, by their revisions.
 */
export async function newAttachments(pouch, attachments, id, ancestors = [], sent = new Map()) {
  if (attachments === undefined || Object.keys(attachments).length === 0) return {};
  const needsOld = Object.values(attachments).some(({ stub }) => stub);
  const old = needsOld ? await oldAttachments(pouch, id, ancestors, sent) : {};
  const _attachments = {};
  for (const [name, given] of Object.entries(attachments)) _attachments[name] = entry(name, given, old[name]);
  return { _attachments };
}

function entry(name, { type = 'application/octet-stream', data, stub, revpos, length, digest, ...others }, old) {
  for (const what of ['file', 'chunks', 'encoding', 'encodedLength']) {
    if (others[what] !== undefined) throw new Refusal('unsupported', { what });
  }
  const position = revpos === undefined ? {} : { revpos };
  if (!stub) return { content_type: type, data, ...position, ...(length !== undefined && { length }) };
  return old ?? { content_type: type, stub: true, digest: digest ?? `md5-of-${name}`, length: length ?? 0, revpos: revpos ?? 1 };
}

async function oldAttachments(pouch, id, ancestors, sent) {
  for (const rev of ancestors) {
    const near = sent.get(rev);
    if (near !== undefined) return stubsOf(near);
    const found = id === undefined ? undefined : await pouch.get(id, { rev }).catch(() => undefined);
    if (found !== undefined) return found._attachments ?? {};
  }
  return {};
}

/** Returns the attachments of a document to be stored as stubs. */
function stubsOf({ _rev, _attachments = {} }) {
  const stubs = Object.entries(_attachments).map(([name, { content_type, digest, length, data = '', revpos }]) => {
    const bytes = Buffer.from(data, 'base64');
    const own = digest ?? `md5-${createHash('md5').update(bytes).digest('base64')}`;
    const from = revpos ?? Number.parseInt(_rev, 10);
    return [name, { content_type, stub: true, digest: own, length: length ?? bytes.length, revpos: from }];
  });
  return Object.fromEntries(stubs);
}

export async function readAttachment({ pouch }, { id, rev, name, offset, limit }) {
  if (offset !== undefined || limit !== undefined) throw new Refusal('unsupported', { what: 'attachmentPieces' });
  const document = await pouch.get(checkID(id), rev === undefined ? {} : { rev });
  const { attachments = {} } = attachmentsOf(document);
  if (!Object.hasOwn(attachments, name)) throw new Refusal('notFound', { reason: 'missing' });
  const bytes = await bytesOf(await pouch.getAttachment(id, name, { rev: document._rev }));
  return { ...attachments[name], offset: 0, bytes: bytes.toString('base64') };
}
