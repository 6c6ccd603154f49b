#!/usr/bin/env node
// A conflict resolver in JavaScript, as an adapter with a resolver and without a store.
//
//     touchstone resolver --implementation 'exec:node tools/adapters/javascript/resolver.mjs'
//
// It merges member by member. Where two sides differ, the value of the winner remains. To check another
// resolver, replace `resolve`. `Vectors/protocol.md` describes the lines.

import { compareRevisions, compareTexts, sameValue } from './values.mjs';

const about = {
  protocol: 1,
  name: 'merge',
  version: '1.0',
  language: `JavaScript, Node ${process.versions.node}`,
  resolver: true,
};

/** Returns the answer to a conflict. */
function resolve({ leaves, ancestor }) {
  // The order of all devices: generation, then the bytes of the suffix.
  const ordered = [...leaves].sort((a, b) => compareRevisions(b.rev, a.rev));
  const live = ordered.filter((leaf) => !leaf.deleted).map((leaf) => leaf.body);
  const isUnchanged = ancestor && live.every((body) => sameValue(body, ancestor.body));
  // Each side deleted the document, or one did and no other side changed it.
  if (live.length === 0 || (live.length < leaves.length && isUnchanged)) return { delete: true };
  const base = ancestor?.body ?? {};
  const members = [];
  // The order of the names does not depend on the order of the leaves.
  const names = new Set([base, ...live].flatMap((body) => Object.keys(body)));
  for (const name of [...names].sort(compareTexts)) {
    const source = live.find((body) => !sameMember(body, base, name)) ?? base;
    if (Object.hasOwn(source, name)) members.push([name, source[name]]);
  }
  return { body: Object.fromEntries(members) };
}

/** True if two bodies have the same value of a member, or both lack it. */
function sameMember(a, b, name) {
  const inBoth = Object.hasOwn(a, name) && Object.hasOwn(b, name);
  return inBoth ? sameValue(a[name], b[name]) : Object.hasOwn(a, name) === Object.hasOwn(b, name);
}

/** Returns the response to a request. */
function answer({ hello, resolveConflict, perform, reset, bye }) {
  if (resolveConflict) return { ok: resolve(resolveConflict) };
  if (hello?.protocol.first <= about.protocol && about.protocol <= hello.protocol.last) return { ok: about };
  if (hello) return { error: { message: `this adapter speaks version ${about.protocol}` } };
  if (perform) return { error: { kind: 'unsupported', what: perform.op } };
  if (!reset && !bye) throw new Error('unknown request');
  return { ok: {} };
}

/** Yields the lines of a stream. They end at LF only; `node:readline` also ends them at U+2028. */
async function* lines(stream) {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

for await (const line of lines(process.stdin)) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
  if (request.bye) break;
}
