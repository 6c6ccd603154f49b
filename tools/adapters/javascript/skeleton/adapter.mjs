#!/usr/bin/env node
// The skeleton of an adapter. Connect your store at the three places marked TO DO; `touchstone doctor`
// names the next step. In Touchstone, `Vectors/protocol.md` describes the lines and `Vectors/README.md`
// the operations.

// TO DO 3: the description of your store. Vectors of undeclared capabilities and profiles are skipped.
const about = {
  protocol: 1,
  name: 'my-store',
  version: '0.1',
  language: `JavaScript, Node ${process.versions.node}`,
  capabilities: [],
  profiles: [],
};
let store;

/** TO DO 1: your store. It is created at the start and at each reset, and is then empty. */
class Store {
  constructor(folder) {
    // Keep files in this folder. Remove those of the previous store.
    this.folder = folder;
    this.databases = new Map();
  }

  /** TO DO 2: perform one operation. Return `ok` with its result, or `error` with its kind. */
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

/** Yields the lines of a stream. They end at LF only; `node:readline` also ends them at U+2028. */
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

/** Returns a value as JSON. Integers that JavaScript rounded get an exponent: they are doubles. */
const toJSON = (value) =>
  JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|(?<![\d.])\d{17,}/g, (part) =>
    part.startsWith('"') ? part : Number(part).toExponential());

/** Returns the response to a request. */
async function answer({ hello, perform, reset, bye }) {
  if (hello?.protocol.first <= about.protocol && about.protocol <= hello.protocol.last) {
    store = new Store(hello.folder);
    return { ok: about };
  }
  if (hello) return { error: { message: `this adapter speaks version ${about.protocol}` } };
  if (perform) return store.perform(perform);
  if (reset) store = new Store(store.folder);
  else if (!bye) throw new Error('unknown request');
  return { ok: {} };
}

// The output of other code must not mix with the responses.
console.log = console.info = console.debug = console.error;
for await (const line of lines(process.stdin)) {
  const request = JSON.parse(line);
  const outcome = await answer(request);
  process.stdout.write(`${toJSON({ id: request.id, ...outcome })}\n`);
  if (request.bye || (request.hello && outcome.error)) break;
}
