import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@rowhouse/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../modules/auth/password-hasher.js';
import { prepareInstallation } from '../testing/start-test-control-plane.js';
import { createCellDataSource, createGlobalDataSource } from './data-sources.js';
import { CreateGlobalTables1700000000001 } from './migrations/1700000000001-create-global-tables.js';
import { CreateCellTables1700000000002 } from './migrations/1700000000002-create-cell-tables.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const PASSWORD = 'correct horse battery';
const AT = '2026-01-02 03:04:05.678';

/** Unused tables of the first schema that a later migration created again. */
const MADE_AGAIN = new Set(['saved_query', 'accepted_question']);

interface Column {
  readonly name: string;
  readonly type: string;
  readonly length: number | null;
  readonly isNeeded: boolean;
}

let databases: TestDatabase[];
let env: Record<string, string>;
let running: ChildProcess | null = null;
/** The rows of all tables of the first schema, by half of the platform database and by table. */
const before = new Map<string, Record<string, unknown>[]>();

beforeAll(async () => {
  ({ databases, env } = await prepareInstallation({ CONTROL_PORT: '0', METRICS_PORT: '0' }));
  for (const [half, create, url, first] of halves()) {
    const source = await create(url);
    source.setOptions({ migrations: [first] });
    await source.initialize();
    await source.runMigrations({ transaction: 'none' });
    for (const table of await listTables(source)) before.set(`${half}.${table}`, await fill(source, table));
    await source.destroy();
  }
}, 60_000);
afterAll(async () => {
  running?.kill('SIGKILL');
  for (const database of databases ?? []) await database.drop();
});

const halves = () =>
  [
    ['global', createGlobalDataSource, env['PLATFORM_GLOBAL_URL'] as string, CreateGlobalTables1700000000001],
    ['cell', createCellDataSource, env['PLATFORM_CELL_URL'] as string, CreateCellTables1700000000002],
  ] as const;

async function listTables(source: DataSource): Promise<string[]> {
  const rows = await source.query<{ name: string }[]>(
    "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME NOT LIKE 'platform_migration%' ORDER BY TABLE_NAME",
  );
  return rows.map((row) => row.name);
}

/** Inserts a row with a value in each required column. */
async function fill(source: DataSource, table: string): Promise<Record<string, unknown>[]> {
  const columns = await source.query<Column[]>(
    `SELECT COLUMN_NAME AS name, DATA_TYPE AS type, CHARACTER_MAXIMUM_LENGTH AS length, (IS_NULLABLE = 'NO' AND COLUMN_DEFAULT IS NULL AND EXTRA NOT LIKE '%auto_increment%') AS isNeeded
     FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?`,
    [table],
  );
  const values = new Map<string, unknown>();
  for (const column of columns) {
    const known = await knownValue(table, column);
    if (known !== undefined || Number(column.isNeeded) === 1)
      values.set(column.name, known ?? madeValue(table, column));
  }
  await source.query(
    `INSERT INTO ${table} (${[...values.keys()].join(', ')}) VALUES (${[...values].map(() => '?').join(', ')})`,
    [...values.values()],
  );
  return source.query<Record<string, unknown>[]>(`SELECT * FROM ${table}`);
}

/** Returns a value that must match other rows, so that the newest version can serve the data. */
async function knownValue(table: string, { name, type }: Column): Promise<unknown> {
  const own: Readonly<Record<string, unknown>> = {
    'account.email': 'first@example.test',
    'account.password_hash': table === 'account' ? await hashPassword(PASSWORD) : '',
    'membership.role': 'owner',
    'tenant_database.environment': 'production',
    'tenant_database.provision_state': 'ready',
    'api_key.scopes': '["read"]',
    'connection_user.role': 'read-only',
    'slot_range.last_slot': 65_535,
    'slot_range.first_slot': 0,
    'cell.id': env['ROWHOUSE_CELL'],
  };
  const shared: Readonly<Record<string, unknown>> = {
    cell_id: env['ROWHOUSE_CELL'],
    account_id: 'account_1',
    organization_id: 'organization_1',
    project_id: 'project_1',
    database_id: 'tenant_database_1',
    server_id: 'server_1',
    id: type === 'varchar' ? `${table}_1` : undefined,
  };
  return own[`${table}.${name}`] ?? shared[name];
}

function madeValue(table: string, { name, type, length }: Column): unknown {
  if (/int|decimal|double/.test(type)) return 7;
  if (type === 'datetime') return AT;
  // MariaDB reports JSON as longtext.
  if (type === 'json' || type === 'longtext') return '{}';
  if (/binary|blob/.test(type)) return randomBytes(Math.min(Number(length ?? 32), 32));
  return `${name} of ${table}`.slice(0, Number(length ?? 40));
}

async function start(entry: string, until: RegExp): Promise<string> {
  const child = spawn(process.execPath, [`${dist}${entry}`], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  running = child;
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += String(chunk);
      if (until.test(output)) resolve(output);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${entry} ended with ${code}: ${output}`)),
    );
  });
}

describe('a platform with the first schema', () => {
  it('a platform with the first schema is upgraded to the newest one with all values unchanged', async () => {
    expect(before.size).toBeGreaterThan(20);
    await start('platform-db/migrate.js', /$^/);
    for (const [half, create, url] of halves()) {
      const source = await (await create(url)).initialize();
      expect(await source.showMigrations()).toBe(false);
      for (const [placement, rows] of before) {
        const [own, table = ''] = placement.split('.');
        if (own !== half || MADE_AGAIN.has(table)) continue;
        const now = await source.query<Record<string, unknown>[]>(
          `SELECT ${Object.keys(rows[0] ?? {}).join(', ')} FROM ${table}`,
        );
        // The first preparation of an installation itself writes the fingerprints and the cell.
        expect(now, placement).toEqual(expect.arrayContaining(rows));
      }
      if (half === 'cell')
        expect(await source.query('SELECT account_id FROM tenant_database')).toEqual([
          { account_id: 'created_by of project' },
        ]);
      await source.destroy();
    }
  }, 60_000);

  it('an account of an upgraded platform signs in and finds its project, database and key', async () => {
    const output = await start('main.js', /control plane is listening/);
    const base = `http://127.0.0.1:${/"port":(\d+),"ops_port"/.exec(output)?.[1]}`;
    const login = await fetch(`${base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'first@example.test', password: PASSWORD }),
    });
    expect(login.status).toBe(200);
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const read = async (path: string): Promise<{ items: Record<string, unknown>[] }> => {
      const response = await fetch(`${base}${path}`, { headers: { cookie } });
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.json()) as { items: Record<string, unknown>[] };
    };
    expect((await read('/api/projects')).items).toMatchObject([
      { id: 'project_1', databases: [{ id: 'tenant_database_1', environment: 'production' }] },
    ]);
    expect((await read('/api/databases/tenant_database_1/keys')).items).toMatchObject([
      { id: 'api_key_1', scopes: ['read'] },
    ]);
    expect((await read('/api/databases/tenant_database_1/connections')).items).toMatchObject([
      { id: 'connection_user_1', tls: false, ca: null },
    ]);
  }, 60_000);
});
