#!/usr/bin/env node
// Runs all vectors against several installed releases of PouchDB, and prints a table in Markdown.
//
//     tools/adapters/pouchdb/matrix.mjs [OPTION]... PATH...
//
// Each PATH is an installation, as in TOUCHSTONE_POUCHDB. Options:
//
//     --product NAME|FILE   the declared deviations; the default is pouchdb-9, and `none` declares none
//     --touchstone PROGRAM  the default is `touchstone`
//     --filter GLOB         only these vectors; may be given several times
//     --jobs N              vectors at a time; the default is 2
//     --details FOLDER      keep the reports (JSON Lines) of the runs
//     --write FILE          write the table to a file, too
//
// The exit code is 0 if all runs were completed, whatever failed in them, 2 on wrong usage, and 3 otherwise.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const adapter = path.join(path.dirname(fileURLToPath(import.meta.url)), 'adapter.mjs');

/** Returns the options and paths of the command line; ends the program if they are wrong. */
function readArguments() {
  const text = (standard) => ({ type: 'string', ...(standard !== undefined && { default: standard }) });
  const options = {
    product: text('pouchdb-9'), touchstone: text('touchstone'), jobs: text('2'), details: text(), write: text(),
    filter: { type: 'string', multiple: true, default: [] },
  };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length === 0) throw new Error('no installation was given');
    return { ...values, paths: positionals };
  } catch (error) {
    console.error(`matrix: ${error.message}`);
    process.exit(2);
  }
}

/** Runs the vectors against one installation, and returns the lines of the report; undefined after an error. */
function report(place, file, { product, touchstone, filter, jobs }) {
  const options = ['run', '--implementation', `exec:node '${adapter}'`, '--report', `jsonl=${file}`, '--jobs', jobs];
  if (product !== 'none') options.push('--product', product);
  for (const glob of filter) options.push('--filter', glob);
  const environment = { ...process.env, TOUCHSTONE_POUCHDB: path.resolve(place) };
  const { status, error, stderr } = spawnSync(touchstone, options, { env: environment, maxBuffer: 2 ** 30 });
  if (status === 0 || status === 1) {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }
  console.error(`matrix: ${place}: ${error?.message ?? String(stderr).trim()}`);
  return undefined;
}

/** Returns the row of an installation. */
function summary(lines) {
  const { implementation } = lines.find(({ kind }) => kind === 'header');
  const vectors = lines.filter(({ kind }) => kind === 'vector');
  const failures = vectors.filter(({ verdict }) => verdict === 'fail');
  const explained = failures.filter(({ deviations }) => deviations?.length > 0);
  const unexplained = failures.filter((each) => !explained.includes(each));
  const found = new Map();
  for (const { deviations } of explained) for (const id of deviations) found.set(id, (found.get(id) ?? 0) + 1);
  return {
    version: implementation.version,
    capabilities: implementation.capabilities,
    passed: vectors.filter(({ verdict }) => verdict === 'pass').length,
    explained: explained.length,
    unexplained,
    found,
  };
}

/** Returns a table with one line for each row. */
function table(names, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the vectors that fail unexplained in some rows and pass in others, with the rows. */
function differences(rows) {
  const failing = new Map();
  for (const { name, unexplained } of rows) {
    for (const { id } of unexplained) failing.set(id, [...(failing.get(id) ?? []), name]);
  }
  return [...failing].filter(([, names]) => names.length < rows.length);
}

const given = readArguments();
const folder = given.details ?? mkdtempSync(path.join(tmpdir(), 'touchstone-matrix-'));
mkdirSync(folder, { recursive: true });
const rows = [];
for (const place of given.paths) {
  console.error(`matrix: ${place}`);
  const lines = report(place, path.join(folder, `${path.basename(place)}.jsonl`), given);
  if (lines !== undefined) rows.push({ ...summary(lines), name: path.basename(place) });
}
if (given.details === undefined) rmSync(folder, { recursive: true });

const ids = [...new Set(rows.flatMap(({ found }) => [...found.keys()]))].sort();
const text = [
  '## Results',
  '',
  `Product: ${given.product}. Explained: every outcome is as a declared deviation states.`,
  '',
  table(
    ['installation', 'version', 'passed', 'explained', 'unexplained', 'deviations found', 'capabilities'],
    rows.map((row) => [row.name, row.version, row.passed, row.explained, row.unexplained.length, row.found.size, row.capabilities.join(', ')]),
  ),
  '',
  '## Vectors explained by each deviation',
  '',
  table(['deviation', ...rows.map(({ name }) => name)], ids.map((id) => [id, ...rows.map(({ found }) => found.get(id) ?? '')])),
  '',
  '## Vectors that fail unexplained in some of these installations',
  '',
  table(['vector', 'fails in'], differences(rows).map(([id, names]) => [id, names.join(', ')])),
  '',
].join('\n');
console.log(text);
if (given.write !== undefined) writeFileSync(given.write, text);
process.exit(rows.length === given.paths.length ? 0 : 3);
