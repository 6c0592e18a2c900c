import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  accountSecretPurpose,
  connectionSecretPurpose,
  modelSecretPurpose,
  totpSecretPurpose,
} from '@rowhouse/contracts';
import { createAuditChain, createSecretBox } from '@rowhouse/credentials';
import type { TestDatabase } from '@rowhouse/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '../audit-chain/append-audit.js';
import { createCellDataSource, createGlobalDataSource } from '../platform-db/data-sources.js';
import { prepareInstallation } from '../testing/start-test-control-plane.js';
import { rotateSecrets } from './rotate-secrets.js';
import { SEALED_COLUMNS } from './sealed-columns.js';

const ACCOUNTS = 40;
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const keys = [1, 2, 3].map(() => randomBytes(32)) as [Buffer, Buffer, Buffer];
const [first, second, third] = keys;

let databases: TestDatabase[];
let env: Record<string, string>;
let globalDb: DataSource;
let cellDb: DataSource;

beforeAll(async () => {
  ({ databases, env } = await prepareInstallation());
  expect(await run('platform-db/migrate.js', [first])).toMatchObject({ code: 0 });
  globalDb = await (await createGlobalDataSource(env['PLATFORM_GLOBAL_URL'] as string)).initialize();
  cellDb = await (await createCellDataSource(env['PLATFORM_CELL_URL'] as string)).initialize();
  await fill(env['ROWHOUSE_CELL'] as string);
}, 60_000);
afterAll(async () => {
  await Promise.allSettled([globalDb?.destroy(), cellDb?.destroy()]);
  for (const database of databases ?? []) await database.drop();
});

/**
 * Runs an entry point with the first key as the master key and the others as previous keys. The process is
 * killed once it has printed `killAt` lines.
 */
function run(
  entry: string,
  ring: readonly Buffer[],
  options: { readonly args?: readonly string[]; readonly killAt?: number } = {},
): Promise<{ code: number | null; output: string }> {
  const [newest, ...previous] = ring.map((key) => key.toString('base64url'));
  const child = spawn(process.execPath, [`${dist}${entry}`, ...(options.args ?? [])], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...env,
      ROWHOUSE_MASTER_KEY: newest ?? '',
      ROWHOUSE_MASTER_KEY_PREVIOUS: previous.join(','),
    },
  });
  let output = '';
  const read = (chunk: Buffer): void => {
    output += String(chunk);
    if (options.killAt !== undefined && output.split('\n').length > options.killAt) child.kill('SIGKILL');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Creates encrypted values with the first key: one in each column, many in the first column, and an audit
 * event.
 */
async function fill(cellId: string): Promise<void> {
  const box = createSecretBox([first]);
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const id = `db_${index}`;
    await cellDb.query(
      'INSERT INTO database_account (database_id, kind, rights_hash, cell_id, user_name, secret_sealed, created_at) VALUES (?, "rows", "", ?, ?, ?, UTC_TIMESTAMP(3))',
      [id, cellId, `user${index}`, box.seal(`secret ${index}`, accountSecretPurpose(id, 'rows', ''))],
    );
  }
  await cellDb.query(
    'INSERT INTO project_model (project_id, cell_id, base_url, model, key_sealed, version, updated_by, updated_at) VALUES ("prj_1", ?, "https://llm.example.test/v1", "m", ?, 1, "acc_1", UTC_TIMESTAMP(3)), ("prj_2", ?, "https://llm.example.test/v1", "m", NULL, 1, "acc_1", UTC_TIMESTAMP(3))',
    [cellId, box.seal('model key', modelSecretPurpose('prj_1', 'https://llm.example.test')), cellId],
  );
  const payload = JSON.stringify({
    connection_id: 'con_1',
    database_id: 'db_1',
    password_sealed: box.seal('on its way', connectionSecretPurpose('con_1')).toString('base64'),
  });
  await cellDb.query(
    'INSERT INTO task (id, cell_id, kind, state, payload, created_at, run_after) VALUES ("tsk_1", ?, "create_connection", "queued", ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)), ("tsk_2", ?, "create_connection", "done", \'{"password_sealed":""}\', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))',
    [cellId, payload, cellId],
  );
  await globalDb.query(
    'INSERT INTO totp_secret (account_id, secret_sealed, created_at) VALUES ("acc_1", ?, UTC_TIMESTAMP(3))',
    [box.seal('app secret', totpSecretPurpose('acc_1'))],
  );
  await note('before');
}
const note = (target: string, key = first): Promise<void> =>
  globalDb.transaction((manager) =>
    appendAudit(manager, createAuditChain(key), {
      at: new Date(),
      organizationId: null,
      projectId: null,
      accountId: null,
      action: 'test',
      target,
      detail: null,
      address: '',
      requestId: '',
    }),
  );

/** Decrypts every secret with these keys. Throws if a secret cannot be decrypted. */
async function openAll(ring: readonly [Buffer, ...Buffer[]]): Promise<string[]> {
  const box = createSecretBox(ring);
  const accounts = await cellDb.query<{ database_id: string; secret_sealed: Buffer }[]>(
    'SELECT database_id, secret_sealed FROM database_account ORDER BY LENGTH(database_id), database_id',
  );
  const [model] = await cellDb.query<{ key_sealed: Buffer }[]>(
    "SELECT key_sealed FROM project_model WHERE project_id = 'prj_1'",
  );
  const [task] = await cellDb.query<{ payload: string }[]>("SELECT payload FROM task WHERE id = 'tsk_1'");
  const [totp] = await globalDb.query<{ secret_sealed: Buffer }[]>('SELECT secret_sealed FROM totp_secret');
  return [
    ...accounts.map((row) => box.open(row.secret_sealed, accountSecretPurpose(row.database_id, 'rows', ''))),
    box.open(model?.key_sealed as Buffer, modelSecretPurpose('prj_1', 'https://llm.example.test')),
    box.open(
      Buffer.from(
        (JSON.parse(task?.payload ?? '{}') as { password_sealed: string }).password_sealed,
        'base64',
      ),
      connectionSecretPurpose('con_1'),
    ),
    box.open(totp?.secret_sealed as Buffer, totpSecretPurpose('acc_1')),
  ];
}
const EXPECTED = [
  ...Array.from({ length: ACCOUNTS }, (_, index) => `secret ${index}`),
  'model key',
  'on its way',
  'app secret',
];
const countNewest = async (key: Buffer): Promise<number> => {
  const box = createSecretBox([key]);
  return (
    await cellDb.query<{ secret_sealed: Buffer }[]>('SELECT secret_sealed FROM database_account')
  ).filter((row) => box.isOfNewest(row.secret_sealed)).length;
};

describe('master key rotation', () => {
  it('key rotation covers every encrypted column except those encrypted for the worker', async () => {
    const list =
      "SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME LIKE '%sealed%'";
    const columns = [
      ...(await cellDb.query<{ name: string }[]>(list)),
      ...(await globalDb.query<{ name: string }[]>(list)),
    ];
    const served = SEALED_COLUMNS.map(
      (placement) =>
        `${/FROM (\w+)/.exec(placement.select)?.[1]}.${/(\w+_sealed) FROM/.exec(placement.select)?.[1]}`,
    );
    expect(
      columns
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('server.'))
        .sort(),
    ).toEqual(served.filter((name) => !name.startsWith('task.')).sort());
  });

  it('the next key rotation finishes a killed one, after which the previous key is unused', async () => {
    const killed = await run('admin/rotate-master-key.js', [second, first], {
      args: ['--batch', '1'],
      killAt: 8,
    });
    expect(killed.code).toBeNull();
    const done = await countNewest(second);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(ACCOUNTS);
    expect(await openAll([second, first])).toEqual(EXPECTED);
    // Until the rotation is complete, the installation still belongs to the first key. One key alone is
    // therefore not enough.
    expect((await run('platform-db/migrate.js', [second])).output).toContain('ROWHOUSE_MASTER_KEY');
    expect(await run('platform-db/migrate.js', [second, first])).toMatchObject({ code: 0 });

    const finished = await run('admin/rotate-master-key.js', [second, first], { args: ['--batch', '7'] });
    expect(finished).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${EXPECTED.length - done} values encrypted again`),
    });
    expect(await openAll([second])).toEqual(EXPECTED);
    await expect(openAll([first])).rejects.toThrow('not available');
    expect(await run('platform-db/migrate.js', [second])).toMatchObject({ code: 0 });
    expect((await run('platform-db/migrate.js', [first])).output).toContain('ROWHOUSE_MASTER_KEY');
  }, 60_000);

  it('after a repeated rotation, the newest master key alone verifies the whole audit log', async () => {
    expect(await run('admin/rotate-master-key.js', [third, second])).toMatchObject({ code: 0 });
    expect(await openAll([third])).toEqual(EXPECTED);
    const verified = await run('admin/verify-audit.js', [third]);
    expect(JSON.parse(verified.output)).toMatchObject({ events: 3, faults: [] });
    expect((await run('admin/verify-audit.js', [first])).code).not.toBe(0);
    // The previous key cannot be used to append events.
    await note('forged', second);
    expect(await run('admin/verify-audit.js', [third])).toMatchObject({
      code: 1,
      output: expect.stringContaining('was not active') as unknown,
    });
    await globalDb.query("UPDATE audit_event SET target = 'another' WHERE target = 'before'");
    expect(await run('admin/verify-audit.js', [third])).toMatchObject({
      code: 1,
      output: expect.stringContaining('was changed') as unknown,
    });
  }, 60_000);

  it('key rotation rejects a batch size of zero', async () => {
    for (const batchRows of [0, -1, 0.5, Number('many')]) {
      await expect(
        rotateSecrets({ globalDb, cellDb, masterKeys: [first, third], batchRows, report: () => undefined }),
      ).rejects.toThrow('--batch must be an integer');
    }
    expect(await openAll([third])).toEqual(EXPECTED);
  });

  it('key rotation drops nothing when a value cannot be decrypted', async () => {
    await cellDb.query("UPDATE database_account SET secret_sealed = ? WHERE database_id = 'db_3'", [
      createSecretBox([randomBytes(32)]).seal('lost', accountSecretPurpose('db_3', 'rows', '')),
    ]);
    const { code, output } = await run('admin/rotate-master-key.js', [first, third]);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('db_3') });
    expect(await run('platform-db/migrate.js', [third])).toMatchObject({ code: 0 });
    expect((await run('admin/rotate-master-key.js', [first])).output).toContain(
      'Set ROWHOUSE_MASTER_KEY_PREVIOUS',
    );
  }, 60_000);
});
