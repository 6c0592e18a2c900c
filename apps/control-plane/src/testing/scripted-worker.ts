import { setTimeout as pause } from 'node:timers/promises';
import type {
  MigrationPlan,
  MigrationStep,
  PlanSchemaPayload,
  TaskError,
  TaskKind,
} from '@rowhouse/contracts';
import type { Snapshot, Table } from '@rowhouse/schema-model';
import { decodeSnapshot, encodeSnapshot, hashSnapshot } from '@rowhouse/snapshot-store';
import type { PlatformDb } from '../platform-db/platform-db.js';
import { PLAN_WITHOUT_EFFECTS } from './plan-without-effects.js';

export interface SeenTask {
  readonly kind: TaskKind;
  readonly payload: Record<string, unknown>;
}

/** Replaces the worker. It completes task rows and publishes migrations without a database server. */
export interface ScriptedWorker {
  readonly seen: SeenTask[];
  /** Kinds of tasks that stay queued. */
  readonly ignored: Set<TaskKind>;
  readonly failures: Map<TaskKind, TaskError>;
  /** While set, migrations stay queued. */
  holdsMigrations: boolean;
  /** Modifies plans before they are returned. */
  changePlan: (plan: MigrationPlan) => MigrationPlan;
  /** Publishes migrations again, and returns plans unchanged. */
  reset(): void;
  stop(): Promise<void>;
}

export function startScriptedWorker(db: PlatformDb): ScriptedWorker {
  let isStopped = false;
  const worker: ScriptedWorker = {
    seen: [],
    ignored: new Set(),
    failures: new Map(),
    holdsMigrations: false,
    changePlan: (plan) => plan,
    reset() {
      worker.holdsMigrations = false;
      worker.changePlan = (plan) => plan;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
  const callback = async (): Promise<void> => {
    await runTasks(db, worker);
    if (!worker.holdsMigrations) await runMigrations(db);
  };
  const running = (async () => {
    while (!isStopped) {
      await callback().catch((error: unknown) => {
        // Errors of an unavailable platform database are ignored, because some tests cause them. Other errors
        // are thrown.
        if (
          (error as { code?: unknown }).code !== 'PLATFORM_LATE' &&
          !/^E[A-Z]+$|^PROTOCOL/.test(String((error as { code?: unknown }).code))
        )
          throw error;
      });
      await pause(5);
    }
  })();
  return worker;
}

async function runTasks(db: PlatformDb, worker: ScriptedWorker): Promise<void> {
  const rows = await db.cell.query<{ id: string; kind: TaskKind; payload: string }[]>(
    "SELECT id, kind, payload FROM task WHERE cell_id = ? AND state = 'queued' ORDER BY created_at",
    [db.cellId],
  );
  for (const { id, kind, payload } of rows.filter((row) => !worker.ignored.has(row.kind))) {
    const parsed = JSON.parse(payload) as Record<string, unknown>;
    worker.seen.push({ kind, payload: parsed });
    const failure = worker.failures.get(kind);
    const result = failure === undefined ? await perform(db, worker, kind, parsed) : null;
    await db.cell.query(
      'UPDATE task SET state = ?, result = ?, error = ?, finished_at = UTC_TIMESTAMP(3) WHERE id = ?',
      [
        failure === undefined ? 'done' : 'failed',
        result === null ? null : JSON.stringify(result),
        failure === undefined ? null : JSON.stringify(failure),
        id,
      ],
    );
  }
}

async function perform(
  db: PlatformDb,
  worker: ScriptedWorker,
  kind: TaskKind,
  payload: Record<string, unknown>,
): Promise<unknown> {
  if (kind === 'provision_database') {
    await publish(db, String(payload['database_id']), { format: 1, engine: 'mariadb', tables: [] }, 1);
    return { schema_name: 'made' };
  }
  if (kind === 'probe_server') {
    await db.cell.query(
      `UPDATE server SET capabilities = '{"advice": ["Set it otherwise."]}', engine_version = '10.11' WHERE id = ?`,
      [payload['server_id']],
    );
    return { engine: 'mariadb', engine_version: '10.11' };
  }
  if (kind === 'plan_schema') return planSchema(db, worker, payload as unknown as PlanSchemaPayload);
  if (kind === 'plan_revert')
    return planRevert(db, worker, String(payload['database_id']), String(payload['migration_id']));
  if (kind === 'seed_rows')
    return {
      rows: 20,
      tables: [
        { name: 'notes', rows: 20, reason: null },
        { name: 'full', rows: 0, reason: 'it already has rows' },
      ],
    };
  if (kind === 'test_connection')
    return { fault: null, reaches_address: true, server_version: '10.11', tables: 2, took_ms: 1 };
  return kind === 'revoke_connection' ? { sessions_killed: 0 } : {};
}

/** Plans a schema. The scripted worker only understands `CREATE TABLE name` and `DROP TABLE name`. */
async function planSchema(
  db: PlatformDb,
  worker: ScriptedWorker,
  payload: PlanSchemaPayload,
): Promise<unknown> {
  const tables = new Map(
    (payload.mode === 'replace' ? [] : (payload.base?.tables ?? [])).map((table) => [table.name, table]),
  );
  for (const [, verb, name = ''] of payload.sql.matchAll(/\b(CREATE|DROP) TABLE `?(\w+)/g)) {
    if (verb === 'CREATE') tables.set(name, makeTable(name));
    else tables.delete(name);
  }
  const draft: Snapshot = { format: 1, engine: 'mariadb', tables: [...tables.values()] };
  const plans: MigrationPlan[] = [];
  for (const id of payload.target_database_ids)
    plans.push(worker.changePlan(await planTarget(db, id, draft)));
  const passesNames = /\bDROP TABLE (\w+); CREATE TABLE \1\b/.test(payload.sql);
  return { draft, notes: ['a note'], plans, ...(passesNames ? { passesNames } : {}) };
}

async function planRevert(
  db: PlatformDb,
  worker: ScriptedWorker,
  databaseId: string,
  migrationId: string,
): Promise<unknown> {
  const [row] = await db.cell.query<{ base_number: string }[]>(
    'SELECT base_number FROM migration WHERE id = ?',
    [migrationId],
  );
  const number = Number(row?.base_number);
  const plan = await planTarget(db, databaseId, await readSnapshot(db, databaseId, number));
  return { plan: worker.changePlan({ ...plan, targetNumber: number }) };
}

async function readSnapshot(db: PlatformDb, databaseId: string, number: number): Promise<Snapshot> {
  const [row] = await db.cell.query<{ content_hash: string; body: Buffer }[]>(
    'SELECT s.content_hash, c.body FROM snapshot s JOIN snapshot_content c ON c.content_hash = s.content_hash WHERE s.database_id = ? AND s.number = ?',
    [databaseId, number],
  );
  return row === undefined
    ? { format: 1, engine: 'mariadb', tables: [] }
    : decodeSnapshot(row.body, row.content_hash);
}

async function planTarget(db: PlatformDb, databaseId: string, draft: Snapshot): Promise<MigrationPlan> {
  const [row] = await db.cell.query<{ environment: string; snapshot_number: string }[]>(
    'SELECT environment, snapshot_number FROM tenant_database WHERE id = ?',
    [databaseId],
  );
  const deployed = deployedTables.get(databaseId) ?? [];
  const hash = await hashSnapshot(draft);
  const expected = draft.tables.map((table) => table.name);
  const created = expected
    .filter((name) => !deployed.includes(name))
    .map((name) => makeStep('create_table', name));
  const dropped = deployed
    .filter((name) => !expected.includes(name))
    .map((name) => makeStep('drop_table', name));
  return {
    ...PLAN_WITHOUT_EFFECTS,
    database: databaseId,
    environment: row?.environment ?? '',
    baseSnapshot: Number(row?.snapshot_number),
    steps: [...created, ...dropped],
    loss: dropped.map((step) => `table ${step.table}`),
    hash,
    targetHash: hash,
  };
}

const deployedTables = new Map<string, string[]>();

async function runMigrations(db: PlatformDb): Promise<void> {
  const rows = await db.cell.query<
    {
      id: string;
      project_id: string;
      database_id: string;
      revision: number;
      base_number: string;
      plan: string;
      reverts_id: string | null;
    }[]
  >(
    "SELECT id, project_id, database_id, revision, base_number, plan, reverts_id FROM migration WHERE cell_id = ? AND state = 'queued' ORDER BY created_at, id",
    [db.cellId],
  );
  for (const row of rows) {
    const [draft] = await db.cell.query<{ snapshot: string }[]>(
      'SELECT snapshot FROM working_schema WHERE project_id = ? AND revision = ?',
      [row.project_id, row.revision],
    );
    const { targetNumber } = JSON.parse(row.plan) as MigrationPlan;
    const target =
      targetNumber === null
        ? (JSON.parse(draft?.snapshot ?? '{}') as Snapshot)
        : await readSnapshot(db, row.database_id, targetNumber);
    await publish(db, row.database_id, target, Number(row.base_number) + 1);
    await db.cell.query("UPDATE migration SET state = 'reverted' WHERE id = ?", [row.reverts_id ?? '']);
    await db.cell.query(
      "UPDATE migration SET state = 'published', published_number = ?, progress = 100, started_at = UTC_TIMESTAMP(3), finished_at = UTC_TIMESTAMP(3) WHERE id = ?",
      [Number(row.base_number) + 1, row.id],
    );
  }
}

async function publish(
  db: PlatformDb,
  databaseId: string,
  snapshot: Snapshot,
  number: number,
): Promise<void> {
  const { contentHash, body } = await encodeSnapshot(snapshot);
  deployedTables.set(
    databaseId,
    snapshot.tables.map((table) => table.name),
  );
  await db.cell.query(
    'INSERT IGNORE INTO snapshot_content (content_hash, cell_id, body, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))',
    [contentHash, db.cellId, body],
  );
  await db.cell.query(
    "INSERT INTO snapshot (database_id, number, cell_id, content_hash, origin, created_at) VALUES (?, ?, ?, ?, 'migration', UTC_TIMESTAMP(3))",
    [databaseId, number, db.cellId, contentHash],
  );
  await db.cell.query(
    "UPDATE tenant_database SET snapshot_number = ?, snapshot_hash = ?, provision_state = 'ready' WHERE id = ?",
    [number, contentHash, databaseId],
  );
}

function makeStep(kind: 'create_table' | 'drop_table', table: string): MigrationStep {
  const sql = `${kind === 'create_table' ? 'CREATE' : 'DROP'} TABLE ${table}`;
  return {
    kind,
    table,
    sql,
    class: kind === 'create_table' ? 'widen' : 'drop',
    strategy: 'create',
    details: null,
    side: 'beforePublish',
    reversible: true,
    loss: kind === 'drop_table' ? [`table ${table}`] : [],
    lock: 'none',
    rowsToRewrite: 0,
    beforePublish: sql,
    afterPublish: null,
    rowChecks: [],
  };
}

/** Creates a table without columns. */
export function makeTable(name: string): Table {
  return {
    name,
    kind: 'table',
    path: name.replaceAll('_', '-'),
    comment: '',
    collation: null,
    columns: [],
    primaryKey: null,
    rowKey: null,
    indexes: [],
    foreignKeys: [],
    checks: [],
    relationships: [],
    createSql: `CREATE TABLE \`${name}\` (id int)`,
  };
}
