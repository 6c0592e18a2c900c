// @ts-check
/**
 * Uploads dumps that were written by other programs, and restores them. The same files are loaded with the
 * stock client into a plain server. Both databases must be equal, except for differences that the import
 * reports.
 *
 * Options: `--dir` (a folder of *.sql with origins.json, which maps file names to origins), `--engine
 * mariadb|mysql`, `--only a.sql,b.sql`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdminConnection } from '@rowhouse/mysql';
import { compareDatabases } from '../../dumps/compare-databases.mjs';
import { importDump } from '../../dumps/import-dump.mjs';
import { loadPlain, startPlainServer } from '../../dumps/plain-server.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const DIR = readWords('dir')?.[0] ?? process.env['DUMPS_DIR'] ?? '';
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb']);
const ONLY = readWords('only');
const SHOWN_MAX = 12;
/** The number of projects that one account may have. */
const PROJECTS_MAX = 90;

/**
 * @typedef {object} Outcome
 * @property {string} file
 * @property {string} origin
 * @property {string} engine
 * @property {number} bytes
 * @property {string} writer
 * @property {number} tables
 * @property {number} rows
 * @property {'equal' | 'equal except for reported differences' | 'refused' | 'differs'} result
 * @property {string[]} named the objects that the import and the restore report
 * @property {string[]} differences
 * @property {string | null} refusal
 */

/** @param {string} path */
function readWriter(path) {
  const head = readFileSync(path).subarray(0, 4_000).toString('latin1');
  const found =
    /(MySQL dump|MariaDB dump|phpMyAdmin|Navicat|HeidiSQL|MySQL Workbench|Adminer|TablePlus|DBeaver|Sequel (?:Pro|Ace)|SQLyog|dbForge|DataGrip)/i.exec(
      head,
    )?.[1];
  return found ?? 'by hand';
}

/**
 * Lists the objects that the import names as left out, in lower case.
 * @param {any} file
 * @param {any} load
 */
function listNamed(file, load) {
  const problems = /** @type {{ line: number, object: string, reason: string }[]} */ (
    file?.problems ?? []
  ).map(({ line, object, reason }) => `line ${line}${object === '' ? '' : ` ${object}`}: ${reason}`);
  return [...problems, ...(file?.notes ?? []), ...(load?.notes ?? [])];
}

/**
 * Returns whether the import or the restore has reported this difference.
 * @param {{ object: string, what: string }} difference
 * @param {string[]} named
 */
function isNamed({ object, what }, named) {
  const name = (object.split(/[. ]/)[0] ?? '').toLowerCase();
  if (named.some((line) => line.toLowerCase().includes(name))) return true;
  if (/"fallback"/.test(what) && named.some((line) => line.includes('0000-00-00'))) return true;
  if (/^index /.test(what) && named.some((line) => line.includes('were converted to InnoDB'))) return true;
  return /"collation"/.test(what) && named.some((line) => line.includes('collation'));
}

/**
 * @param {'mariadb' | 'mysql'} engine
 * @param {string} folder
 * @param {string[]} files
 * @param {Record<string, string>} origins
 * @returns {Promise<{ version: string, outcomes: Outcome[] }>}
 */
async function runEngine(engine, folder, files, origins) {
  const plain = await startPlainServer(engine, join(folder, engine));
  try {
    return await withProduct({ gateways: 1, engine }, async (product) => {
      const admin = await openAdminConnection(product.mysql.admin);
      const plainAdmin = await openAdminConnection(plain.server);
      if (engine === 'mysql')
        for (const session of [admin, plainAdmin])
          await session.run('SET SESSION information_schema_stats_expiry = 0');
      const platform = await openAdminConnection(product.platform.admin);
      const servers = { engine, plain, plainAdmin, admin, platform };
      /** @type {Outcome[]} */
      const outcomes = [];
      let user = await signUp(product.control, { name: 'dumps', starter: 'empty' });
      for (const [index, file] of files.entries()) {
        if (index > 0 && index % PROJECTS_MAX === 0)
          user = await signUp(product.control, { name: `dumps${index}`, starter: 'empty' });
        const outcome = await runFile({
          ...servers,
          person: user,
          file,
          at: index,
          origin: origins[file] ?? '',
        });
        outcomes.push(outcome);
        console.log(
          `${outcome.result.padEnd(28)} ${engine} ${file} ${outcome.tables} tables ${outcome.rows} rows ${outcome.refusal ?? ''}`,
        );
        for (const line of outcome.differences.slice(0, SHOWN_MAX)) console.log(`    ${line.slice(0, 400)}`);
      }
      await admin.close();
      await plainAdmin.close();
      await platform.close();
      return { version: product.mysql.version, outcomes };
    });
  } finally {
    await plain.server.stop(5_000);
  }
}

/**
 * @param {{ engine: 'mariadb' | 'mysql', plain: import('../../dumps/plain-server.mjs').PlainServer, plainAdmin: any, admin: any, platform: any, person: any, file: string, at: number, origin: string }} run
 * @returns {Promise<Outcome>}
 */
async function runFile({
  engine,
  plain,
  plainAdmin,
  admin,
  platform,
  person: user,
  file,
  at: index,
  origin,
}) {
  const path = join(DIR, file);
  const [loaded, imported] = await Promise.all([
    loadPlain(plain, path),
    importDump(user, path, `Dump ${index}`),
  ]);
  const named = listNamed(imported.file, imported.load);
  const shared = {
    file,
    origin,
    engine,
    bytes: statSync(path).size,
    writer: readWriter(path),
    named,
    refusal: imported.refusal,
  };
  if (imported.refusal !== null || imported.database === null || loaded.database === null) {
    const differences = loaded.errors.slice(0, SHOWN_MAX).map((error) => `plain client: ${error}`);
    return {
      ...shared,
      tables: 0,
      rows: 0,
      result: imported.refusal === null ? 'differs' : 'refused',
      differences,
    };
  }
  const [row] = /** @type {{ name: string }[]} */ (
    await platform.rows('SELECT schema_name AS name FROM rowhouse_cell.tenant_database WHERE id = ?', [
      imported.database,
    ])
  );
  const compared = await compareDatabases(
    { connection: plainAdmin, database: loaded.database },
    { connection: admin, database: row?.name ?? '' },
  );
  const unnamed = compared.differences.filter(
    (difference) =>
      !isNamed(difference, named) &&
      !(loaded.errors.length > 0 && difference.what.endsWith('only in the copy')),
  );
  const differences = [
    ...unnamed,
    ...compared.differences.filter((difference) => isNamed(difference, named)),
  ].map(({ object, what }) => `${object}: ${what}`);
  const result =
    unnamed.length > 0
      ? 'differs'
      : compared.differences.length > 0 || (imported.file.problems ?? []).length > 0
        ? 'equal except for reported differences'
        : 'equal';
  return {
    ...shared,
    tables: compared.tables,
    rows: compared.rows,
    result,
    differences: [...differences, ...loaded.errors.map((error) => `plain client: ${error}`)],
  };
}

/** @param {Outcome[]} outcomes */
function toTable(outcomes) {
  const cell = (/** @type {string} */ text) =>
    text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').slice(0, 300);
  return [
    '| File | Origin | Writer | Bytes | Engine | Tables | Rows | Result | Named |',
    '|---|---|---|---|---|---|---|---|---|',
    ...outcomes.map(
      (item) =>
        `| ${[item.file, item.origin, item.writer, String(item.bytes), item.engine, String(item.tables), String(item.rows), item.result, item.refusal ?? item.named.slice(0, 3).join(' ')].map(cell).join(' | ')} |`,
    ),
  ].join('\n');
}

await runSuite(async () => {
  if (DIR === '') throw new Error('Name a folder of dumps: pnpm test:long dumps --dir <folder>');
  const origins = /** @type {Record<string, string>} */ (
    JSON.parse(readFileSync(join(DIR, 'origins.json'), 'utf8'))
  );
  const files = readdirSync(DIR)
    .filter((file) => file.endsWith('.sql') && (ONLY === undefined || ONLY.includes(file)))
    .sort();
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-dumps-'));
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {Outcome[]} */
  const outcomes = [];
  try {
    for (const engine of ENGINES) {
      const { version, outcomes: some } = await runEngine(engine, folder, files, origins);
      engines[engine] = version;
      outcomes.push(...some);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const count = (/** @type {Outcome['result']} */ result) =>
    outcomes.filter((item) => item.result === result).length;
  const differing = outcomes.filter((item) => item.result === 'differs');
  return {
    suite: 'dumps',
    title: 'Dumps from other programs',
    command: 'pnpm test:long dumps --dir <folder>',
    seed: null,
    engines,
    skips: [],
    claims: [
      {
        claim: 'every dump is imported, or rejected with a hint',
        holds: outcomes.every((item) => item.result !== 'refused' || /\. \S|: /.test(item.refusal ?? '')),
        found: `${outcomes.length} imports, ${count('refused')} refused`,
      },
      {
        claim:
          'the schema and values equal those of a plain server, except for objects that the import names',
        holds: differing.length === 0,
        found:
          `${count('equal')} equal, ${count('equal except for reported differences')} equal except for ` +
          `reported differences, ${differing.length} differ`,
      },
      {
        claim: 'at least 40 dumps were tried',
        holds: new Set(outcomes.map((item) => item.file)).size >= 40,
        found: String(new Set(outcomes.map((item) => item.file)).size),
      },
    ],
    notes: [
      'The plain server has the defaults of its engine except for the collation `utf8mb4_unicode_ci`. The stock client skips statements that the server rejects (`--force`). All times of the current day count as equal.',
      toTable(outcomes),
    ],
    figures: {
      rows: outcomes.reduce((sum, item) => sum + item.rows, 0),
      tables: outcomes.reduce((sum, item) => sum + item.tables, 0),
      outcomes: outcomes.map((item) => ({
        ...item,
        named: item.named.slice(0, 20),
        differences: item.differences.slice(0, 20),
      })),
    },
  };
});
