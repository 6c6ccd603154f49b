#!/usr/bin/env node
// The little store in JavaScript, for `touchstone run --implementation 'exec:tools/adapters/javascript/adapter.mjs'`.
// `Vectors/protocol.md` describes the lines. An adapter for a store of your own is this file with another
// `Store`, whose `perform` may answer a promise as well.

import { Store } from './store.mjs';
import { largestDepth } from './values.mjs';

const version = 1;
const about = {
  protocol: version,
  name: 'little-store',
  version: '1.0',
  language: `JavaScript, Node ${process.versions.node}`,
  capabilities: [
    'resolve', 'compact', 'purge', 'historyLimit', 'atomicBatch', 'validation', 'flush', 'tombstoneBodies',
    'find', 'regex', 'decimals',
  ],
  profiles: ['dense-changes', 'incarnation-sequences'],
  limits: { depth: largestDepth },
  pipelining: true,
};

/**
 * The lines of a stream. `node:readline` would not do: for it U+2028 and U+2029 end a line too, and both
 * may stand in a text.
 */
async function* lines(stream) {
  let parts = [];
  for await (const chunk of stream) {
    let begin = 0;
    for (let end; (end = chunk.indexOf('\n', begin)) >= 0; begin = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(begin, end)]).toString();
      parts = [];
    }
    parts.push(chunk.subarray(begin));
  }
  if (parts.some((part) => part.length)) throw new Error('the input ends inside a line');
}

/**
 * A value as JSON. JavaScript spells 2^64 as 18446744073709552000, which is another number for a reader that
 * keeps integers exactly. With an exponent it is a double for everybody.
 */
function toJSON(value) {
  const textsAndLongIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.])\d{17,}/g;
  return JSON.stringify(value).replace(textsAndLongIntegers, (part) =>
    part.startsWith('"') ? part : Number(part).toExponential(),
  );
}

/** Ends the adapter: what cannot be read as a request nobody can answer. */
function fail(line, reason) {
  console.error(`adapter: no request: ${line.slice(0, 200)}: ${reason}`);
  process.exit(1);
}

/** The request of a line. */
function parse(line) {
  try {
    const request = JSON.parse(line);
    if (Number.isInteger(request?.id)) return request;
  } catch (error) {
    fail(line, error.message);
  }
  return fail(line, 'there is no id');
}

/** Who this is, if the runner speaks the version of this adapter. */
function hello({ protocol }) {
  if (protocol.first <= version && version <= protocol.last) return { ok: about };
  return { error: { message: `this adapter speaks version ${version} of the protocol` } };
}

let store = new Store();

/** What a request is answered with; nothing when it asks for nothing that is known. */
async function answer(request) {
  if (request.hello !== undefined) return hello(request.hello);
  if (request.perform !== undefined) return store.perform(request.perform);
  if (request.reset !== undefined) store = new Store();
  return request.reset === undefined && request.bye === undefined ? undefined : { ok: {} };
}

for await (const line of lines(process.stdin)) {
  const request = parse(line);
  const outcome = (await answer(request)) ?? fail(line, 'nobody knows what it asks for');
  process.stdout.write(`${toJSON({ id: request.id, ...outcome })}\n`);
  const refused = request.hello !== undefined && outcome.error !== undefined;
  if (refused || request.bye !== undefined) break;
}
