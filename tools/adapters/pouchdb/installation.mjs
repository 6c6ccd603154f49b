// The installed PouchDB: where it is, its adapters, and what it offers.

import { createRequire } from 'node:module';
import path from 'node:path';
import { within } from './values.mjs';

const { TOUCHSTONE_POUCHDB: place = 'pouchdb', TOUCHSTONE_POUCHDB_WITHOUT: without = '' } = process.env;

/** Returns `require` of a program in the current folder. */
const requireHere = createRequire(path.join(process.cwd(), 'adapter.js'));

/** Returns a module of the same installation as PouchDB; undefined if there is none. */
function optional(require, name) {
  try {
    const module = require(name);
    return module.default ?? module;
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

/** Returns the file of an installed PouchDB; throws if there is none. */
function locate(place) {
  try {
    return requireHere.resolve(/^[./]/.test(place) ? path.resolve(place) : place);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`no PouchDB at '${place}'; TOUCHSTONE_POUCHDB is a path or the name of a package`);
  }
}

/** Loads PouchDB, and adds its memory adapter and `find` where these are packages of their own. */
function load() {
  const file = locate(place);
  const module = requireHere(file);
  const PouchDB = module.default ?? module;
  const require = createRequire(file);
  if (PouchDB.adapters.memory === undefined) {
    const memory = optional(require, 'pouchdb-adapter-memory') ?? optional(require, 'pouchdb/extras/memory');
    if (typeof memory === 'function') PouchDB.plugin(memory);
  }
  if (typeof PouchDB.prototype.find !== 'function') {
    const find = optional(require, 'pouchdb-find');
    if (find !== undefined) PouchDB.plugin(find);
  }
  return { PouchDB, file };
}

/** Returns the databases of one of PouchDB's adapters: a function from names and options to a database. */
function databases(PouchDB, kind, folder) {
  if (kind === 'memory') {
    if (PouchDB.adapters.memory === undefined) throw new Error('pouchdb-adapter-memory is not installed');
    return (name, options) => new PouchDB(`touchstone-${name}`, { ...options, adapter: 'memory' });
  }
  if (kind === 'leveldb') {
    if (PouchDB.adapters.leveldb === undefined) throw new Error('this PouchDB has no LevelDB adapter');
    if (folder === undefined) throw new Error('the runner gave no folder for LevelDB');
    return (name, options) => new PouchDB(path.join(folder, name), { ...options, adapter: 'leveldb' });
  }
  if (/^https?:/.test(kind)) {
    const base = `${kind.replace(/\/$/, '')}/touchstone-pouch-${process.pid}-`;
    return (name, options) => new PouchDB(base + encodeURIComponent(name), { ...options, skip_setup: false });
  }
  throw new Error(`TOUCHSTONE_POUCHDB_ADAPTER is memory, leveldb or the URL of a server, not ${kind}`);
}

/** True if the option `revs_limit` has an effect: releases before 5.2 ignore it. */
async function hasHistoryLimit(create) {
  const database = create('probe-limit', { revs_limit: 1 });
  const { rev } = await database.put({ _id: 'd' });
  await database.put({ _id: 'd', _rev: rev });
  const { _revisions } = await database.get('d', { revs: true });
  await database.destroy();
  return _revisions.ids.length === 1;
}

/** Returns the capabilities of this PouchDB, as its databases have them. A server has a limit that PouchDB cannot set. */
async function capabilitiesOf(PouchDB, create, database, isRemote) {
  const offered = {
    resolve: true,
    compact: true,
    tombstoneBodies: true,
    historyLimit: !isRemote && (await within(5_000, hasHistoryLimit(create), 'a probe')),
    // `purge` itself also exists where the adapter cannot purge.
    purge: typeof database._purge === 'function',
    find: typeof database.find === 'function',
    attachment: typeof database.getAttachment === 'function',
    replicate: !isRemote && typeof PouchDB.replicate === 'function',
  };
  const declined = new Set(without.split(','));
  return Object.keys(offered).filter((name) => offered[name] && !declined.has(name));
}

/**
 * Returns the installed PouchDB: `create(name, options)` makes a database, and `about` is its description for the
 * runner. `folder` is the folder of the runner for this adapter.
 */
export async function readInstallation(folder) {
  const kind = process.env.TOUCHSTONE_POUCHDB_ADAPTER ?? 'memory';
  const { PouchDB, file } = load();
  const create = databases(PouchDB, kind, folder);
  const isRemote = /^https?:/.test(kind);
  const probe = create('probe', {});
  // A native module that does not load fails at the first use of a database.
  await within(20_000, probe.info(), 'opening a database');
  const capabilities = await capabilitiesOf(PouchDB, create, probe, isRemote);
  await within(5_000, probe.destroy(), 'removing a database');
  return { PouchDB, create, isRemote, about: describe(PouchDB, kind, file, capabilities, isRemote) };
}

function describe(PouchDB, kind, file, capabilities, isRemote) {
  console.error(`adapter: PouchDB ${PouchDB.version} of ${file}, adapter ${kind.replace(/\/\/.*@/, '//')}`);
  return {
    name: 'PouchDB',
    version: PouchDB.version,
    language: `JavaScript, Node ${process.versions.node}`,
    homepage: 'https://pouchdb.com',
    capabilities,
    capabilitiesVersion: 3,
    ...(capabilities.includes('attachment') && { restrictions: ['ownDigests'] }),
    profiles: isRemote ? ['dense-changes', 'couchdb'] : ['dense-changes'],
    ...(isRemote && { defaults: { revisionIDs: 'couchdb', collation: 'couchdb' } }),
    ...(kind === 'leveldb' && { crashes: ['kill'] }),
  };
}
