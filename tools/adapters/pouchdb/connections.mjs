// Further connections of the runner over a Unix socket. Operations of different connections may overlap.

import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { Runner } from './runner.mjs';

/** Creates a socket at a path, and serves each connection with `serve`. Returns the response to `listen`. */
export async function listen(path, serve) {
  const server = createServer(async (socket) => {
    // The end of a connection, also an abrupt one, ends only this connection.
    socket.on('error', () => {});
    const runner = new Runner(socket, socket);
    await serve(runner).catch((error) => console.error(`adapter: a connection ended: ${error.message}`));
    runner.release();
    socket.end();
  });
  // The file has the mode 0600 from the moment at which it exists.
  const mask = process.umask(0o177);
  server.listen(path);
  process.umask(mask);
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  process.on('exit', () => rmSync(path, { force: true }));
  return { ok: {} };
}
