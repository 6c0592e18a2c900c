// @ts-check
/**
 * Loads two thousand SQL files of databases full of hostile names, comments, bodies, defaults and values. The
 * stock client of each engine and an import load the files. No command in a text may run, no other database
 * may change, and the copy must be equal.
 *
 * Options: `--count` (of each engine), `--seed`, `--parallel`, `--engine`, `--only <seed>`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdminConnection } from '@rowhouse/mysql';
import { findClient, WAYS } from '../../sql-files/load-file.mjs';
import { resetCanary, runAll, runCase } from '../../sql-files/run-case.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { startEngine } from '../lib/start-engine.mjs';

/** @typedef {import('../../sql-files/run-case.mjs').Outcome} Outcome */

const COUNT = readCount('count', 1_100);
const SEED = readCount('seed', 20_261_127);
const PARALLEL = readCount('parallel', 3);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const ONLY = readCount('only', 0);
/**
 * Of this many files, one is loaded in an interactive terminal, which is slow. Of `IMPORT_EACH` files, one is
 * imported instead of loaded by a client.
 */
const INTERACTIVE_EACH = 25;
const IMPORT_EACH = 20;
const BATCHED = WAYS.filter((method) => method !== 'interactive source');

/** @param {'mariadb' | 'mysql'} engine @param {string} folder */
async function runEngine(engine, folder) {
  const { servers, stop } = await startEngine(engine);
  try {
    const address = servers.mysql;
    const root = await openAdminConnection(address);
    await root.run('SET GLOBAL innodb_flush_log_at_trx_commit = 0');
    if (engine === 'mysql') await root.run('SET GLOBAL log_bin_trust_function_creators = 1');
    await resetCanary(root);
    await root.close();
    const bench = { engine, address, client: await findClient(engine), folder: join(folder, engine) };
    const run = (/** @type {number} */ position, /** @type {number} */ slot) => {
      const method =
        position % INTERACTIVE_EACH === 0
          ? 'interactive source'
          : /** @type {typeof WAYS[number]} */ (BATCHED[position % BATCHED.length]);
      return runCase(bench, slot, SEED + position, method, {
        hasSandbox: position % 2 === 0,
        imports: position % IMPORT_EACH === 3,
      });
    };
    const outcomes = ONLY > 0 ? [await run(ONLY - SEED, 0)] : await runAll(COUNT, PARALLEL, run);
    return { version: address.version, outcomes };
  } finally {
    await stop();
  }
}

/** @param {Outcome[]} outcomes @param {RegExp} pattern */
function having(outcomes, pattern) {
  return outcomes.filter((outcome) => outcome.faults.some((fault) => pattern.test(fault))).length;
}

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-sql-files-'));
  try {
    /** @type {Record<string, string>} */
    const engines = {};
    /** @type {Record<string, unknown>} */
    const figures = {};
    const claims = [];
    let files = 0;
    for (const engine of ENGINES) {
      const { version, outcomes } = await runEngine(engine, folder);
      const written = outcomes.filter(({ kind }) => kind !== 'no file');
      const faulty = outcomes.filter(({ kind }) => kind === 'faulty');
      for (const outcome of faulty.slice(0, 10)) console.log(JSON.stringify(outcome));
      files += written.filter(({ isImported }) => !isImported).length;
      engines[engine] = version;
      const sum = (/** @type {'objects' | 'leftOut'} */ member) =>
        outcomes.reduce((total, outcome) => total + outcome[member], 0);
      figures[engine] = {
        files: written.length,
        imported: written.filter(({ isImported }) => isImported).length,
        noFile: outcomes.length - written.length,
        objects: sum('objects'),
        leftOut: sum('leftOut'),
        faulty: faulty.length,
        ways: Object.fromEntries(
          WAYS.map((method) => [method, written.filter((outcome) => outcome.way === method).length]),
        ),
        reasons: countBy(
          outcomes.filter(({ kind }) => kind === 'no file').flatMap((outcome) => outcome.faults),
        ),
        found: faulty.slice(0, 10),
      };
      claims.push(
        {
          claim: `${engine}: no client runs a command or prints anything`,
          holds: having(outcomes, /files were written|the client/) === 0,
          found: `${having(outcomes, /files were written/)} files left a file behind, ${having(outcomes, /the client/)} made the client fail or print something`,
        },
        {
          claim: `${engine}: no other database is touched`,
          holds: having(outcomes, /another database/) === 0,
          found: `${having(outcomes, /another database/)} of ${written.length}`,
        },
        {
          claim: `${engine}: the copy is equal in its objects and rows`,
          holds: faulty.length === 0,
          found:
            `${written.length - faulty.length} of ${written.length}, ${sum('objects')} objects; ` +
            `${sum('leftOut')} objects are reported as omitted, ${outcomes.length - written.length} ` +
            'databases have a table that cannot be written safely and return no file',
        },
      );
    }
    claims.push({
      claim: 'a stock client loads at least 2,000 files',
      holds: files >= 2_000,
      found: String(files),
    });
    return {
      suite: 'sql-files',
      title: 'SQL files of hostile databases, loaded by the stock clients',
      command: 'pnpm test:long sql-files',
      seed: SEED,
      engines,
      skips: [],
      figures,
      claims,
      notes: [
        'Each engine is loaded by its own client, with every command of the client turned on. Every second file is loaded without its sandbox line, every twentieth by an import instead of a client.',
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string[]} reasons */
function countBy(reasons) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const reason of reasons) {
    const kind = reason.replaceAll(/.*: /gs, '').slice(0, 100);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
