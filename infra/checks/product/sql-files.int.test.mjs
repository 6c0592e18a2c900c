import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection } from '../../../libs/mysql/dist/index.js';
import { findClient, WAYS } from '../../../e2e/sql-files/load-file.mjs';
import { resetCanary, runAll, runCase } from '../../../e2e/sql-files/run-case.mjs';

/** The number of files. `pnpm test:long sql-files` loads thousands. */
const FILES = 12;
const SEED = 71_000;

/** @type {import('../../test-servers/start-test-servers.mjs').TestServers} */
const { engines } = JSON.parse(process.env['ROWHOUSE_TEST_SERVERS'] ?? '{"engines":[]}');

describe.each(engines)('SQL files of hostile databases on $engine', (address) => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-sql-files-'));
  /** @type {import('../../../e2e/sql-files/run-case.mjs').Bench} */
  let bench;

  beforeAll(async () => {
    const root = await openAdminConnection(address);
    await resetCanary(root);
    if (address.engine === 'mysql') await root.run('SET GLOBAL log_bin_trust_function_creators = 1');
    await root.close();
    bench = { engine: address.engine, address, client: await findClient(address.engine), folder };
  });
  afterAll(async () => {
    const root = await openAdminConnection(address);
    for (const name of ['canary', 'sqlfrom0', 'sqlto0']) await root.run(`DROP DATABASE IF EXISTS ${name}`);
    await root.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('SQL files of hostile databases load into equal databases and run no other command', async () => {
    const outcomes = await runAll(FILES, 1, (position) =>
      runCase(bench, 0, SEED + position, WAYS[position % WAYS.length] ?? 'batch', {
        hasSandbox: position % 2 === 0,
        imports: position % 7 === 3,
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'faulty')).toEqual([]);
    expect(outcomes.filter(({ kind }) => kind === 'equal').length).toBeGreaterThan(FILES / 2);
  });
});
