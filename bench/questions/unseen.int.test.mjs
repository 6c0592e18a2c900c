// @ts-check
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openAdminConnection } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import { loadWritten, openReader, runQuery } from './databases/load-databases.mjs';
import { UNSEEN } from './unseen/all.mjs';

/** @type {import('@rowhouse/test-servers/start-test-servers').TestServers} */
const { engines } = JSON.parse(process.env['ROWHOUSE_TEST_SERVERS'] ?? '{}');
/** The statement time limit of this measurement uses a MariaDB setting. */
const server = engines.find(({ engine }) => engine === 'mariadb');

/** This test does not run the question engine, because its output would reveal which questions fail. */
it.skipIf(server === undefined)(
  'every expected statement of the unseen set finds rows and does not depend on the order of ties',
  async () => {
    if (server === undefined) throw new Error('no MariaDB');
    const connection = await openAdminConnection(server);
    const reader = await openReader(server);
    /** @type {string[]} */
    const faults = [];
    for (const schema of UNSEEN) {
      const database = await loadWritten(connection, schema);
      for (const [question, ...golds] of schema.questions) {
        for (const gold of golds)
          faults.push(
            ...(await listFaults(reader, database, gold)).map(
              (fault) => `${database}: ${question}: ${fault}`,
            ),
          );
      }
      await connection.run(`DROP DATABASE \`${database}\``);
    }
    await reader.end();
    await connection.close();
    expect(faults).toEqual([]);
  },
);

it('the unseen set contains every question once', () => {
  const questions = UNSEEN.flatMap((schema) =>
    schema.questions.map(([question]) => `${schema.name}: ${question}`),
  );
  expect(questions.length).toBe(290);
  expect(new Set(questions).size).toBe(questions.length);
  expect(new Set(UNSEEN.map(({ name }) => name)).size).toBe(22);
});

it('the report of the unseen set does not contain its failed questions', () => {
  const script = fileURLToPath(new URL('run-invented.mjs', import.meta.url));
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, '--set', 'unseen', '--details', 'details.tsv'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('--details is not available for unseen');
});

/**
 * Returns the faults of a gold statement.
 * It must not be rejected, and must return rows with values that do not depend on the order of equal rows.
 * @param {import('mysql2/promise').Connection} reader
 * @param {string} database
 * @param {string} gold
 * @returns {Promise<string[]>}
 */
async function listFaults(reader, database, gold) {
  const rows = await runQuery(reader, database, gold);
  if (rows === null) return ['refused'];
  if (rows.length === 0) return ['no rows'];
  const faults = rows.every((row) => row.every((value) => value === '\u0000')) ? ['nothing but NULL'] : [];
  const sorted =
    /^SELECT (?:DISTINCT )?.*? FROM (?<from>.*) ORDER BY (?<key>.*?)(?<down> DESC)?(?: LIMIT (?<limit>\d+))?$/.exec(
      gold,
    )?.groups;
  if (sorted === undefined) return faults;
  const { from = '', key = '', down = '', limit } = sorted;
  // One key more than the LIMIT is read, because it must differ from the last shown key.
  const keys = await runQuery(
    reader,
    database,
    `SELECT ${key} FROM ${from} ORDER BY ${key}${down}${limit === undefined ? '' : ` LIMIT ${Number(limit) + 1}`}`,
  );
  if (keys === null) return [...faults, 'no keys'];
  if (limit !== undefined && keys.length <= Number(limit)) faults.push('the limit leaves nothing out');
  if (new Set(keys.map(String)).size < keys.length) faults.push('equal rows');
  return faults;
}
