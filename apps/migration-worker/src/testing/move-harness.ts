import { createId } from '@rowhouse/runtime';
import type { AdminConnection } from '@rowhouse/mysql';
import { startOtherServer, type TestMysql } from '@rowhouse/testkit';
import { expect } from 'vitest';
import { WorkerHarness, type TestDb } from './worker-harness.js';

/** A cell with two servers, and a root session on each. */
export interface TwoServers {
  readonly harness: WorkerHarness;
  readonly other: TestMysql;
  /** The id of the second server. Databases are created on the first server. */
  readonly elsewhere: string;
  readonly here: AdminConnection;
  readonly there: AdminConnection;
  close(): Promise<void>;
}

export async function openTwoServers(mysql: TestMysql): Promise<TwoServers> {
  const [harness, { mysql: other, stop }] = await Promise.all([
    WorkerHarness.create(mysql),
    startOtherServer(mysql),
  ]);
  const otherServer = await harness.addServer(other);
  const [here, there] = await Promise.all([harness.openRoot(), harness.openRoot(undefined, other)]);
  return {
    harness,
    other,
    elsewhere: otherServer,
    here,
    there,
    async close() {
      await Promise.all([here.close(), there.close()]);
      await harness.close();
      await stop();
    },
  };
}

export interface MoveRow {
  readonly id: string;
  readonly state: string;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly attempt: number;
  readonly switches: number;
  readonly pause_ms: number | null;
  readonly cancel_requested_at: string | null;
}

/** Inserts what the control plane writes when an operator moves a database. */
export async function queueMove(
  harness: WorkerHarness,
  databaseId: string,
  toServerId: string,
): Promise<string> {
  const id = createId('mov');
  await harness.platform.run(
    `INSERT INTO database_move (id, cell_id, database_id, from_server_id, to_server_id, state, created_by, created_at)
     SELECT ?, cell_id, id, server_id, ?, 'queued', 'acc_test', UTC_TIMESTAMP(3) FROM tenant_database WHERE id = ?`,
    [id, toServerId, databaseId],
  );
  return id;
}

export async function readMove(harness: WorkerHarness, id: string): Promise<MoveRow> {
  const [row] = await harness.platform.rows<MoveRow>(
    'SELECT id, state, error, attempt, switches, pause_ms, cancel_requested_at FROM database_move WHERE id = ?',
    [id],
  );
  if (row === undefined) throw new Error(`no move ${id}`);
  return {
    ...row,
    error: typeof row.error === 'string' ? (JSON.parse(row.error) as MoveRow['error']) : row.error,
  };
}

export function waitMove(
  harness: WorkerHarness,
  id: string,
  states: readonly string[] = ['done', 'failed', 'cancelled'],
  deadlineMs = 120_000,
): Promise<MoveRow> {
  return harness.poll(async () => {
    const row = await readMove(harness, id);
    return states.includes(row.state) ? row : null;
  }, deadlineMs);
}

/** Returns the database's location according to the platform. */
export async function readLocation(
  harness: WorkerHarness,
  database: TestDb,
): Promise<{ server_id: string; generation: number; location_state: string }> {
  const [row] = await harness.platform.rows<{
    server_id: string;
    generation: number;
    location_state: string;
  }>('SELECT server_id, generation, location_state FROM tenant_database WHERE id = ?', [database.id]);
  if (row === undefined) throw new Error(`no database ${database.id}`);
  return row;
}

/** Returns every row of every table of the database as text, and every other definition. */
export async function readWhole(root: AdminConnection, schemaName: string): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  const listed = await root.rows<{ name: string; type: string }>(
    'SELECT TABLE_NAME AS name, TABLE_TYPE AS type FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME',
    [schemaName],
  );
  for (const { name, type } of listed) {
    const [visible] = await root.rows<Record<string, string>>(
      `SHOW CREATE TABLE \`${schemaName}\`.\`${name}\``,
    );
    whole[`create ${name}`] = type === 'VIEW' ? visible?.['Create View'] : visible?.['Create Table'];
    whole[`rows ${name}`] = (await root.rows(`SELECT * FROM \`${schemaName}\`.\`${name}\``))
      .map((row) => JSON.stringify(row))
      .sort();
  }
  whole['triggers'] = await root.rows(
    'SELECT TRIGGER_NAME, EVENT_MANIPULATION, ACTION_TIMING, ACTION_STATEMENT, DEFINER, SQL_MODE FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? ORDER BY TRIGGER_NAME',
    [schemaName],
  );
  whole['routines'] = await root.rows(
    'SELECT ROUTINE_NAME, ROUTINE_DEFINITION, DEFINER FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? ORDER BY ROUTINE_NAME',
    [schemaName],
  );
  return whole;
}

/** Lists what a move has left in a schema and its side schema. */
export async function listMoveLeftovers(root: AdminConnection, schemaName: string): Promise<string[]> {
  const rows = await root.rows<{ name: string }>(
    `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA IN (?, ?) AND TABLE_NAME LIKE 'move\\_%'
     UNION ALL SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA IN (?, ?) AND TRIGGER_NAME LIKE '\\_rh\\_mv%'`,
    [schemaName, `${schemaName}s`, schemaName, `${schemaName}s`],
  );
  return rows.map((row) => row.name);
}

/** Creates a view `broken` whose table is dropped, which no other server will accept. */
export async function breakView(root: AdminConnection): Promise<void> {
  await root.run('CREATE TABLE fleeting (id int PRIMARY KEY)');
  await root.run('CREATE VIEW broken AS SELECT id FROM fleeting');
  await root.run('DROP TABLE fleeting');
}

/** Expects the whole content of `before` on the second server, and nothing on the first one. */
export async function expectMoved(servers: TwoServers, database: TestDb, before: unknown): Promise<void> {
  expect(await readLocation(servers.harness, database)).toEqual({
    server_id: servers.elsewhere,
    generation: 2,
    location_state: 'live',
  });
  expect(await readWhole(servers.there, database.schemaName)).toEqual(before);
  expect(await listMoveLeftovers(servers.there, database.schemaName)).toEqual([]);
  expect(
    await servers.here.rows('SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE ?', [
      `${database.schemaName}%`,
    ]),
  ).toEqual([]);
}
