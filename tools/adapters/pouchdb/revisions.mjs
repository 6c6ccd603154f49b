// The operations of replicators: revsDiff, getRevisions and insertRevisions.

import { attachmentsOf, newAttachments } from './attachments.mjs';
import { checkID } from './documents.mjs';
import { bodyOf, documentOf, outcomeOf, pathOf, revisionsOf } from './values.mjs';

export async function revsDiff({ pouch }, { revs: questions }) {
  const results = [];
  // A call of PouchDB cannot name a document twice.
  for (const { id, revs } of questions) {
    const answer = await pouch.revsDiff({ [checkID(id)]: revs });
    const { missing = [], possible_ancestors: possibleAncestors = [] } = answer[id] ?? {};
    if (missing.length > 0) results.push({ id, missing, possibleAncestors });
  }
  return { results };
}

export async function getRevisions({ pouch }, { docs }) {
  const results = [];
  for (const { id, revs, latest = false, attachmentsSince } of docs) {
    checkID(id);
    for (const rev of revs) {
      const options = { open_revs: [rev], revs: true, latest, attachments: attachmentsSince !== undefined };
      const found = await pouch.get(id, options).catch((error) => {
        if (error.status === 404) return [];
        throw error;
      });
      const records = found.filter(({ ok }) => ok).map(({ ok }) => ok);
      if (records.length === 0) results.push({ id, rev, missing: 'missing' });
      else results.push({ id, rev, records: records.map(record) });
    }
  }
  return { results };
}

function record(document) {
  return {
    id: document._id,
    path: pathOf(document._revisions),
    deleted: document._deleted ?? false,
    body: bodyOf(document),
    ...attachmentsOf(document),
  };
}

/** Stores records with one call, as replicators do. An error of the call is the error of each record. */
export async function insertRevisions({ pouch }, { records }) {
  const results = new Array(records.length);
  const sent = [];
  for (const [place, { id, path, deleted = false, body, attachments }] of records.entries()) {
    try {
      const near = new Map(sent.filter((each) => each.id === id).map((each) => [each.document._rev, each.document]));
      const members = await newAttachments(pouch, attachments, checkID(id), path, near);
      const flag = deleted ? { _deleted: true } : {};
      const document = documentOf(body, { ...members, ...flag, _id: id, _rev: path[0], _revisions: revisionsOf(path) });
      sent.push({ place, id, document });
    } catch (error) {
      results[place] = outcomeOf(error);
    }
  }
  // The result has the errors only, with ids and without revisions.
  const errors = await pouch.bulkDocs({ docs: sent.map(({ document }) => document), new_edits: false }).then(
    (rows) => new Map(rows.filter((row) => row.error).map((row) => [row.id, outcomeOf(row)])),
    (error) => new Map(sent.map(({ id }) => [id, outcomeOf(error)])),
  );
  for (const { place, id } of sent) results[place] = errors.get(id) ?? { ok: {} };
  return { results };
}
