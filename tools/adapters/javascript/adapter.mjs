#!/usr/bin/env node
// The adapter of the little store, for `touchstone run --implementation 'exec:tools/adapters/javascript/adapter.mjs'`.
// `Vectors/protocol.md` describes the lines. An adapter for another store is this file with another `Store`,
// whose `perform` may return a promise.

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
 * Yields the lines of a stream. `node:readline` also ends lines at U+2028 and U+2029, which a JSON string may
 * contain.
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
  if (parts.some((part) => part.length)) throw new Error('the input ends within a line');
}

/**
 * Returns a value as JSON. JavaScript prints 2^64 as 18446744073709552000, which differs from 2^64 for a reader
 * of exact integers. An exponent marks it as a double.
 */
function toJSON(value) {
  const textsAndLongIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.])\d{17,}/g;
  return JSON.stringify(value).replace(textsAndLongIntegers, (part) =>
    part.startsWith('"') ? part : Number(part).toExponential(),
  );
}

/** Ends the adapter at a malformed or unknown request. */
function fail(line, reason) {
  console.error(`adapter: malformed request: ${line.slice(0, 200)}: ${reason}`);
  process.exit(1);
}

/** Returns the request of a line. */
function parse(line) {
  try {
    const request = JSON.parse(line);
    if (Number.isInteger(request?.id)) return request;
  } catch (error) {
    fail(line, error.message);
  }
  return fail(line, 'no id');
}

/** Returns the description of the store, or an error if the runner does not support this version. */
function hello({ protocol }) {
  if (protocol.first <= version && version <= protocol.last) return { ok: about };
  return { error: { message: `this adapter speaks version ${version} of the protocol` } };
}

let store = new Store();

/** Returns the response to a request; undefined for an unknown request. */
async function answer(request) {
  if (request.hello !== undefined) return hello(request.hello);
  if (request.perform !== undefined) return store.perform(request.perform);
  if (request.reset !== undefined) store = new Store();
  return request.reset === undefined && request.bye === undefined ? undefined : { ok: {} };
}

for await (const line of lines(process.stdin)) {
  const request = parse(line);
  const outcome = (await answer(request)) ?? fail(line, 'unknown request');
  process.stdout.write(`${toJSON({ id: request.id, ...outcome })}\n`);
  const refused = request.hello !== undefined && outcome.error !== undefined;
  if (refused || request.bye !== undefined) break;
}
