// A peer of the runner as a remote database of PouchDB. PouchDB 7 and later have the option `fetch`. Earlier releases
// send their requests to a server of the adapter on the loopback interface.

import http from 'node:http';

const header = 'x-touchstone-session';
let server;
const sessions = new Map();

/**
 * Returns the remote database for the path of a peer. PouchDB remembers facts about a server, such as whether it has
 * `_bulk_get`, so after each reset (`run`) the peers are on another one.
 */
export async function peerOf(PouchDB, exchanges, run, remote) {
  const prefix = `/run-${run}`;
  const handle = (method, url, body) => answer(exchanges, method, url.slice(prefix.length), body);
  if (typeof PouchDB.fetch === 'function') {
    const database = new PouchDB(`http://touchstone.invalid${prefix}${remote}`, {
      skip_setup: true,
      fetch: async (url, { method = 'GET', body } = {}) => {
        const { pathname, search } = new URL(url);
        return responseOf(await handle(method, pathname + search, body));
      },
    });
    return { database, close: () => {} };
  }
  server ??= await listen();
  const session = String(sessions.size + 1);
  sessions.set(session, handle);
  const headers = { [header]: session };
  const address = `http://127.0.0.1:${server.address().port}${prefix}${remote}`;
  const database = new PouchDB(address, { skip_setup: true, skipSetup: true, headers, ajax: { headers } });
  return { database, close: () => sessions.set(session, undefined) };
}

/** Returns a response of the runner as one of `fetch`. */
function responseOf({ status, headers, content }) {
  const response = new Response(status === 204 || status === 304 ? null : content, { status, headers });
  // In node PouchDB reads content with the function of node-fetch.
  response.buffer = async () => Buffer.from(await response.arrayBuffer());
  return response;
}

/** Starts the server for releases without the option `fetch`. */
async function listen() {
  const started = http.createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const handle = sessions.get(request.headers[header]);
    const body = Buffer.concat(parts).toString();
    try {
      const { status, headers, content } = await handle(request.method, request.url, body);
      response.writeHead(status, { ...headers, connection: 'close' }).end(content);
    } catch {
      response.destroy();
    }
  });
  await new Promise((resolve) => started.listen(0, '127.0.0.1', resolve));
  started.unref();
  return started;
}

/** Performs a request through the runner; returns `status`, `headers` and `content`. */
async function answer(exchanges, method, url, text) {
  const [path, query] = url.split(/\?(.*)/s);
  const body = text ? JSON.parse(text) : undefined;
  const parameters = new URLSearchParams(query);
  // Peers of the runner have the requests of replicators only. These are those of other requests of PouchDB.
  if (path === '' || path === '/') return json(200, { couchdb: 'Welcome' });
  if (path.endsWith('/_all_docs')) {
    const keys = body?.keys ?? JSON.parse(parameters.get('keys'));
    return json(200, { rows: keys.map((key) => ({ key, error: 'not_found' })) });
  }
  if (method === 'GET' && parameters.has('doc_ids')) return changesOf(exchanges, path, parameters);
  const isLocal = body?.docs?.length > 0 && body.docs.every(({ _id }) => _id?.startsWith('_local/'));
  if (path.endsWith('/_bulk_docs') && isLocal) return writeLocals(exchanges, path, body.docs);
  if (parameters.has('open_revs')) return openRevisions(exchanges, path, parameters);
  const request = { method, path, ...(query && { query }), ...(body !== undefined && { body }) };
  const response = await exchanges.exchange(request);
  if (response.bytes === undefined) return json(response.status, response.body);
  return { status: response.status, headers: response.headers, content: Buffer.from(response.bytes, 'base64') };
}

const json = (status, body) => ({
  status,
  headers: { 'content-type': 'application/json' },
  content: body === undefined ? '' : JSON.stringify(body),
});

/** Answers `GET /db/id?open_revs=[…]`, the request of releases without `_bulk_get`, with a `_bulk_get`. */
async function openRevisions(exchanges, path, parameters) {
  const id = decodeURIComponent(path.slice(path.indexOf('/', 1) + 1));
  const docs = JSON.parse(parameters.get('open_revs')).map((rev) => ({ id, rev }));
  const kept = ['revs', 'latest', 'attachments'].filter((name) => parameters.get(name) === 'true');
  const query = kept.map((name) => `${name}=true`).join('&');
  const found = await exchanges.exchange({ method: 'POST', path: `${path.slice(0, path.indexOf('/', 1))}/_bulk_get`, query, body: { docs } });
  if (found.status !== 200) return json(found.status, found.body);
  const rows = found.body.results.flatMap((result) => result.docs);
  return json(200, rows.map((row) => (row.ok ? row : { missing: row.error.rev })));
}

/** Answers `_bulk_docs` with local documents, as PouchDB 5.0 and 5.1 write checkpoints, with a `PUT` for each. */
async function writeLocals(exchanges, path, docs) {
  const rows = [];
  for (const body of docs) {
    const id = encodeURIComponent(body._id.slice('_local/'.length));
    const request = { method: 'PUT', path: `${path.slice(0, -'_bulk_docs'.length)}_local/${id}`, body };
    const response = await exchanges.exchange(request);
    if (response.status >= 400) return json(response.status, response.body);
    rows.push({ ok: true, id: body._id, rev: response.body?.rev ?? '0-1' });
  }
  return json(201, rows);
}

/** Answers `GET _changes` with ids in the query, the request of releases before 6, with a `POST`. */
async function changesOf(exchanges, path, parameters) {
  const body = { doc_ids: JSON.parse(parameters.get('doc_ids')) };
  parameters.delete('doc_ids');
  const response = await exchanges.exchange({ method: 'POST', path, query: parameters.toString(), body });
  return json(response.status, response.body);
}
