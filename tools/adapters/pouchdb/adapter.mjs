#!/usr/bin/env node
// The adapter of PouchDB, for `touchstone run --implementation 'exec:tools/adapters/pouchdb/adapter.mjs'`.
// `Vectors/protocol.md` describes the lines, and README.md the options.

import { listen } from './connections.mjs';
import { readInstallation } from './installation.mjs';
import { Runner } from './runner.mjs';
import { Store } from './store.mjs';

const version = 1;

// PouchDB prints notes with `console.info`. The standard output is for responses only.
console.log = console.info = console.debug = console.error;

const main = new Runner(process.stdin, process.stdout);
let installation;
let store;

/** Returns the description of the installed PouchDB, or an error if it cannot be used. All connections share a store. */
async function hello({ protocol, folder }) {
  if (protocol.first > version || version > protocol.last) {
    return { error: { message: `this adapter speaks version ${version} of the protocol` } };
  }
  try {
    installation ??= await readInstallation(folder);
    store ??= new Store(installation);
    return { ok: { protocol: version, ...installation.about, connections: 'socket' } };
  } catch (error) {
    return { error: { message: `PouchDB cannot be tested: ${error.message}` } };
  }
}

/** Returns the response to a request. */
async function answer(runner, request) {
  if (request.hello !== undefined) {
    runner.servesPass = request.hello.serves?.includes('pass') ?? false;
    return hello(request.hello);
  }
  if (request.perform !== undefined) return perform(runner, request.id, request.perform);
  if (request.bye !== undefined && runner !== main) return { ok: {} };
  if (request.listen !== undefined && runner === main) return listen(request.listen.path, serve);
  if (request.reset === undefined && request.bye === undefined) return undefined;
  runner.forget();
  await store?.reset();
  return { ok: {} };
}

/** Performs an operation. The runner may let another connection go first before it, between its calls, and after it. */
async function perform(runner, id, operation) {
  const ask = runner.caller(id);
  const isControlled = runner.servesPass && operation.op !== 'replicate';
  const pass = isControlled ? (point) => ask({ pass: { point } }) : undefined;
  await pass?.(`before ${operation.op}`);
  const outcome = await store.perform(operation, ask, pass);
  await pass?.(`after ${operation.op}`);
  return outcome;
}

// PouchDB throws some errors outside of its promises, which ends a program. The operations in progress get an
// invalid response, so that the vector fails and the adapter continues.
const fail = (error) => {
  console.error(error);
  store?.fail(error);
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

/** Responds to the requests of one connection until its end. */
async function serve(runner) {
  for await (const request of runner.requests()) {
    const end = answer(runner, request).then((outcome) => {
      if (outcome === undefined) runner.reject(request);
      else if (!store?.isForgotten(outcome)) runner.respond(request.id, outcome);
      return request.bye !== undefined || (request.hello !== undefined && outcome.error !== undefined);
    });
    // An operation that requests something from the runner waits for lines that this loop reads.
    const mayAsk = request.perform !== undefined && (runner.servesPass || request.perform.op === 'replicate');
    if (!mayAsk && (await end)) break;
  }
}

await serve(main);
await store?.reset();
process.exit(0);
