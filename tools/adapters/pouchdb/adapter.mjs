#!/usr/bin/env node
// The adapter of PouchDB, for `touchstone run --implementation 'exec:tools/adapters/pouchdb/adapter.mjs'`.
// `Vectors/protocol.md` describes the lines, and README.md the options.

import { readInstallation } from './installation.mjs';
import { Runner } from './runner.mjs';
import { Store } from './store.mjs';

const version = 1;

// PouchDB prints notes with `console.info`. The standard output is for responses only.
console.log = console.info = console.debug = console.error;

const runner = new Runner(process.stdin, process.stdout);
let store;

/** Returns the description of the installed PouchDB, or an error if it cannot be used. */
async function hello({ protocol, folder }) {
  if (protocol.first > version || version > protocol.last) {
    return { error: { message: `this adapter speaks version ${version} of the protocol` } };
  }
  try {
    const installation = await readInstallation(folder);
    store = new Store(installation);
    return { ok: { protocol: version, ...installation.about } };
  } catch (error) {
    return { error: { message: `PouchDB cannot be tested: ${error.message}` } };
  }
}

/** Returns the response to a request. */
async function answer(request) {
  if (request.hello !== undefined) return hello(request.hello);
  if (request.perform !== undefined) return store.perform(request.perform, runner.caller(request.id));
  if (request.reset === undefined && request.bye === undefined) return undefined;
  runner.forget();
  await store?.reset();
  return { ok: {} };
}

// PouchDB throws some errors outside of its promises, which ends a program. The operations in progress get an
// invalid response, so that the vector fails and the adapter continues.
const fail = (error) => {
  console.error(error);
  store?.fail(error);
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

for await (const request of runner.requests()) {
  const end = answer(request).then((outcome) => {
    if (outcome === undefined) runner.reject(request);
    else if (!store?.isForgotten(outcome)) runner.respond(request.id, outcome);
    return request.bye !== undefined || (request.hello !== undefined && outcome.error !== undefined);
  });
  // A replication waits for responses of the runner, and other requests arrive meanwhile.
  if (request.perform?.op !== 'replicate' && (await end)) break;
}
await store?.reset();
process.exit(0);
