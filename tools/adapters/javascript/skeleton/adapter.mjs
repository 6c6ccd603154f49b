#!/usr/bin/env node
// An adapter, to be finished in three places marked TO DO. `touchstone doctor` says what comes first.
// In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md` the operations.

// TO DO 3: who your store is. Capabilities and profiles that are not named are not asked for.
const about = {
  protocol: 1,
  name: 'my-store',
  version: '0.1',
  language: `JavaScript, Node ${process.versions.node}`,
  capabilities: [],
  profiles: [],
};
let store;

/** TO DO 1: your store. It is made at the start and at each reset, and then there is nothing in it. */
class Store {
  constructor(folder) {
    // Files belong into this folder, where those of the store before may still be.
    this.folder = folder;
    this.databases = new Map();
  }

  /** TO DO 2: does an operation, and answers `ok` with its result or `error` with its kind. */
  async perform(operation) {
    // const database = this.databases.get(operation.store);
    // if (operation.op === 'open') {
    //   if (!database) this.databases.set(operation.store, new Database());
    //   return { ok: {} };
    // }
    // if (!database) return { error: { kind: 'noSuchStore' } };
    // if (operation.op === 'create') {
    //   const { id, rev } = await database.create(operation.id, operation.body);
    //   return { ok: { id, rev } };
    // }
    return { error: { kind: 'unsupported', what: operation.op } };
  }
}

/** The lines of a stream, which end at LF alone: for `node:readline` U+2028 ends a line, too. */
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

/** A value as JSON. Integers that JavaScript rounded get an exponent, which says that they are doubles. */
const toJSON = (value) =>
  JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|(?<![\d.])\d{17,}/g, (part) =>
    part.startsWith('"') ? part : Number(part).toExponential());

/** What a request is answered with. */
async function answer({ hello, perform, reset, bye }) {
  if (hello?.protocol.first <= about.protocol && about.protocol <= hello.protocol.last) {
    store = new Store(hello.folder);
    return { ok: about };
  }
  if (hello) return { error: { message: `only version ${about.protocol} is spoken` } };
  if (perform) return store.perform(perform);
  if (reset) store = new Store(store.folder);
  else if (!bye) throw new Error('a line that is no request');
  return { ok: {} };
}

// What anybody else prints must not come between the replies.
console.log = console.info = console.debug = console.error;
for await (const line of lines(process.stdin)) {
  const request = JSON.parse(line);
  const outcome = await answer(request);
  process.stdout.write(`${toJSON({ id: request.id, ...outcome })}\n`);
  if (request.bye || (request.hello && outcome.error)) break;
}
